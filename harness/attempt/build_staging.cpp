// Collects an attempt's sources; every way in which a path can be no usable attempt gets its own sentence.
#include "attempt/build_staging.hpp"

#include "attempt/build_cache.hpp"
#include "attempt/import_scan.hpp"
#include "attempt/source_scan.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

Failure unusable(std::string reason) { return {Verdict::SKIP, std::move(reason), {}}; }

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 where there is none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto tail = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0, surrogate = first == 0xED && byte(1) > 0x9F;
        return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first < 0xF0 || first > 0xF4) return 0;
    const bool overlong = first == 0xF0 && byte(1) < 0x90, beyond = first == 0xF4 && byte(1) > 0x8F;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
}

/// A name that can be printed, kept in a record and passed to any compiler as one argument.
bool is_plain_name(std::string_view name) {
    while (!name.empty()) {
        const std::size_t length = utf8_length(name);
        if (length == 0 || (length == 1 && (static_cast<unsigned char>(name[0]) < 0x20 || name[0] == 0x7F)))
            return false;
        name.remove_prefix(length);
    }
    return true;
}

/// The name with what cannot be printed as '?'.
std::string printable(std::string_view name) {
    std::string shown;
    while (!name.empty()) {
        const std::size_t length = std::max<std::size_t>(utf8_length(name), 1);
        const bool plain = is_plain_name(name.substr(0, length));
        shown += plain ? std::string(name.substr(0, length)) : "?";
        name.remove_prefix(length);
    }
    return shown;
}

bool is_below(const fs::path& path, const fs::path& folder) {
    const auto [end, _] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

/// Whether it comes from the exercise and the installation, not from beside the attempt.
bool is_given(const fs::path& name) {
    return name == "contract.hpp" || name == "contract.cuh" || name == "contract.py" || name == "assay.py" ||
           *name.begin() == "assay";
}

const char* language_of(const fs::path& path) {
    return path.extension() == ".py" ? "Python" : path.extension() == ".cu" ? "CUDA" : "C++";
}

const char* contract_for(const fs::path& attempt) {
    return attempt.extension() == ".py"   ? "contract.py"
           : attempt.extension() == ".cu" ? "contract.cuh"
                                          : "contract.hpp";
}

Outcome<std::string> read_source(const fs::path& path, const std::string& shown) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return unusable(errno == ENOENT || errno == ENOTDIR
                            ? fmt::format("there is no file {}: check the path", shown)
                            : fmt::format("{} cannot be looked at ({})", shown, std::strerror(errno)));
    if (S_ISDIR(status.st_mode)) return unusable(fmt::format("{} is a folder: name the attempt's file in it", shown));
    if (!S_ISREG(status.st_mode))
        return unusable(
            fmt::format("{} is not a regular file: an attempt is a {} source file", shown, language_of(path)));
    if (static_cast<std::uintmax_t>(status.st_size) > most_source_bytes)
        return unusable(fmt::format("{} holds {:.1f} MiB: a source file may hold at most 1 MiB", shown,
                                    static_cast<double>(status.st_size) / (1 << 20)));
    errno = 0;
    auto text = read_file(path, most_source_bytes);
    if (!text)
        return unusable(fmt::format("{} cannot be read ({}): mend its permissions", shown, std::strerror(errno)));
    if (text->find('\0') != std::string::npos)
        return unusable(fmt::format("{} is not text (it holds a zero byte): an attempt is a {} source file", shown,
                                    language_of(path)));
    return std::move(*text);
}

class Collector {
  public:
    Collector(fs::path folder, const std::string& contract) : folder_(std::move(folder)), contract_(contract) {}

    Outcome<Sources> collect(const std::string& attempt) {
        Outcome<std::string> text = read_source(folder_ / attempt, attempt);
        if (!text) return text.failure();
        if (text->find_first_not_of(" \t\r\n\f\v") == std::string::npos)
            return unusable(fmt::format("{} is empty: `assay start` lays a starter to begin from", attempt));
        sources_.files.push_back({attempt, std::move(*text)});
        const bool python = fs::path(attempt).extension() == ".py";
        note_other_contract(contract_for(attempt));
        // The list grows while it is walked: headers include headers.
        for (std::size_t i = 0; i < sources_.files.size(); ++i) {
            if (python) {
                for (const std::string& name : find_imports(sources_.files[i].text)) {
                    const Outcome<Done> taken = take_file(name + ".py");
                    if (!taken) return taken.failure();
                }
                continue;
            }
            const std::vector<IncludeDirective> includes = find_includes(sources_.files[i].text);
            for (const IncludeDirective& include : includes) {
                const Outcome<Done> taken = take(include, sources_.files[i].name);
                if (!taken) return taken.failure();
            }
        }
        return std::move(sources_);
    }

  private:
    Outcome<Done> take(const IncludeDirective& include, const fs::path& from) {
        const fs::path asked = include.name;
        if (asked.is_absolute() || (!include.quoted && asked.begin() != asked.end() && *asked.begin() == ".."))
            return Failure{Verdict::CE,
                           fmt::format("{}:{} includes {} by a path of this machine: include standard headers, the "
                                       "contract, and headers beside the attempt",
                                       from.native(), include.line, printable(include.name)),
                           {}};
        if (!include.quoted) return Done{};
        const fs::path name = (from.parent_path() / asked).lexically_normal();
        if (is_given(asked.lexically_normal())) return Done{};
        return take_file(name);
    }

    /// By its name relative to the attempt's folder.
    Outcome<Done> take_file(const fs::path& name) {
        if (is_given(name)) return Done{};
        if (*name.begin() == "..") return refuse(name, "lies outside the attempt's folder");
        for (const StagedFile& file : sources_.files)
            if (file.name == name) return Done{};
        std::error_code error;
        const fs::path real = fs::canonical(folder_ / name, error);
        if (error) return Done{}; // not there: who asks for it is told so, at the line that does
        if (!is_below(real, folder_)) return refuse(name, "is a link out of the attempt's folder");
        if (!is_plain_name(name.native())) return refuse(name, "has a name that cannot be printed");
        if (!fs::is_regular_file(real, error)) return refuse(name, "is not a regular file");
        if (sources_.files.size() >= most_source_files)
            return unusable(fmt::format("{} {} more than {} {} of its own: put them into fewer files",
                                        sources_.attempt().name.native(),
                                        name.extension() == ".py" ? "imports" : "includes", most_source_files - 1,
                                        name.extension() == ".py" ? "modules" : "headers"));
        Outcome<std::string> text = read_source(real, name.native());
        if (!text) return text.failure();
        sources_.files.push_back({name, std::move(*text)});
        return Done{};
    }

    Outcome<Done> refuse(const fs::path& name, std::string_view why) {
        const std::string note = fmt::format("{} was not used: it {}", printable(name.native()), why);
        if (std::find(sources_.notes.begin(), sources_.notes.end(), note) == sources_.notes.end())
            sources_.notes.push_back(note);
        return Done{};
    }

    void note_other_contract(const char* name) {
        const auto beside = read_file(folder_ / name, most_source_bytes);
        if (beside && *beside != contract_)
            sources_.notes.push_back(
                fmt::format("{} beside the attempt differs from the exercise's: the exercise's own was used", name));
    }

    fs::path folder_; // canonical
    const std::string& contract_;
    Sources sources_;
};

} // namespace

Outcome<Sources> collect_sources(const fs::path& source, const std::string& contract) {
    const std::string shown = printable(source.native());
    if (source.empty()) return unusable("no file was named: give the attempt's path");
    const std::string name = source.filename().native();
    struct stat status {};
    if (::stat(source.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        const Outcome<std::string> why = read_source(source, shown);
        if (!why) return why.failure();
    }
    if (!is_plain_name(name))
        return unusable(
            fmt::format("the file name {} holds control characters or is not UTF-8: rename the file", printable(name)));
    std::error_code error;
    const fs::path folder = fs::canonical(source.has_parent_path() ? source.parent_path() : fs::path("."), error);
    const fs::path real = error ? fs::path() : fs::canonical(source, error);
    if (error) return unusable(fmt::format("{} cannot be looked at ({})", shown, error.message()));
    if (!is_below(real, folder))
        return unusable(fmt::format("{} is a link out of its folder: copy the file there instead", shown));
    return Collector(folder, contract).collect(name);
}

std::function<const std::string*(const std::string& name)> beside_in(const Sources& sources) {
    return [&sources](const std::string& name) -> const std::string* {
        for (const StagedFile& file : sources.files)
            if (file.name == name) return &file.text;
        return nullptr;
    };
}

bool write_sources(const Sources& sources, const fs::path& folder) {
    for (const StagedFile& file : sources.files) {
        const fs::path path = folder / file.name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error || !write_file(path, file.text)) return false;
    }
    return true;
}

std::string compiler_name(const fs::path& name) {
    const std::string text = name.native();
    // '-' begins an option, '@' a file of arguments.
    return text[0] == '-' || text[0] == '@' ? "./" + text : text;
}

} // namespace assay
