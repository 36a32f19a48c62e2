#include "commands/exercise_new.hpp"

#include "catalogue/files.hpp"
#include "commands/print.hpp"
#include "commands/scaffold.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

/// An id is a folder, a file name and a C++ namespace at once.
std::string fault_of(std::string_view id) {
    constexpr std::string_view taken = " alignas alignof and asm assay auto bool break case catch char class compl "
                                       "concept const consteval constexpr constinit "
                                       "continue decltype default delete do double else enum explicit export extern "
                                       "false float for friend goto if inline int "
                                       "long main mutable namespace new noexcept not nullptr operator or private "
                                       "protected public register requires return "
                                       "short signed sizeof static std struct switch template this throw true try "
                                       "typedef typeid typename union unsigned using "
                                       "virtual void volatile while xor ";
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    if (id.size() < 2 || id.size() > 40 || !(id[0] >= 'a' && id[0] <= 'z') ||
        !std::all_of(id.begin(), id.end(), fits) || id.find("__") != std::string_view::npos || id.back() == '_')
        return "an id has 2 to 40 lower-case letters, digits and single underscores and starts with a letter, like "
               "'top_k'";
    if (taken.find(fmt::format(" {} ", id)) != std::string_view::npos) return "that word means something else in C++";
    return "";
}

} // namespace

Exit exercise_new_command(const ExerciseNewArguments& arguments) {
    const std::string& id = arguments.id;
    if (const std::string fault = fault_of(id); !fault.empty())
        throw Stop(Exit::usage, fmt::format("'{}' cannot be an exercise's id: {}", printable(id), fault));
    const fs::path checkout = source_checkout();
    if (checkout.empty())
        throw Stop(Exit::environment,
                   "exercise new needs a source checkout, and the one this program was built from is gone: "
                   "run it from a build of a checkout");
    for (const char* room : {"exercises", "solutions"})
        if (std::error_code failed; fs::exists(fs::symlink_status(checkout / room / id, failed)))
            throw Stop(Exit::usage,
                       fmt::format("{}/{} is there already: choose another id or remove it first", room, id));

    const std::vector<ScaffoldFile> files = scaffold(id);
    for (const ScaffoldFile& file : files)
        if (const std::string reason = write_text(checkout / file.path, file.text); !reason.empty())
            throw Stop(Exit::usage, reason);
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    print(
        fmt::format("{} laid in exercises/{} and solutions/{}: an exercise that works, to be rewritten into yours.\n\n"
                    "  {}\n  {}\n",
                    counted(static_cast<long long>(files.size()), "file"), id, id,
                    style.bold(fmt::format("cmake --build {}", shell_word(layout().root.string()))),
                    style.bold(fmt::format("assay exercise verify {}", id))));
    return Exit::passed;
}

} // namespace assay
