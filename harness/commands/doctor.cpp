#include "commands/doctor.hpp"

#include "attempt/toolchain.hpp"
#include "catalogue/files.hpp"
#include "commands/print.hpp"
#include "commands/probes.hpp"
#include "core/registry.hpp"
#include "python/interpreter.hpp"
#include "report/text.hpp"

#include <fmt/format.h>
#include <string>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#ifndef ASSAY_VERSION
#define ASSAY_VERSION "unknown"
#endif

namespace fs = std::filesystem;

namespace assay {

namespace {

class Doctor {
  public:
    explicit Doctor(const Style& style) : style_(style) {}

    Exit examine() {
        program();
        compilers();
        python();
        gpu();
        sandbox();
        folders();
        if (needed_ == 0)
            print("\n" + style_.paint(Paint::green, "Attempts can be built and checked here.") + "\n");
        else
            print("\n" +
                  style_.paint(Paint::red,
                               fmt::format("{} in the way: see the lines marked 'no'.",
                                           needed_ == 1 ? "One thing is" : fmt::format("{} things are", needed_))) +
                  "\n");
        return needed_ == 0 ? Exit::passed : Exit::environment;
    }

  private:
    const Style& style_;
    int needed_ = 0; // missing things without which nothing can be checked

    void head(std::string_view text) { print("\n" + style_.bold(text) + "\n"); }
    void line(const std::string& mark, std::string_view name, std::string_view text) {
        print(wrapped(text, static_cast<std::size_t>(style_.width), fmt::format("  {} {} ", mark, pad_right(name, 16)),
                      std::string(24, ' ')));
    }
    void good(std::string_view name, std::string_view text) { line(style_.paint(Paint::green, "yes "), name, text); }
    void told(std::string_view name, std::string_view text) { line("    ", name, text); }
    /// Missing, and nothing can be done without it.
    void bad(std::string_view name, std::string_view text) {
        ++needed_;
        line(style_.paint(Paint::red, "no  "), name, text);
    }
    /// Missing, but there is a way without it.
    void lacking(std::string_view name, std::string_view text) {
        line(style_.paint(Paint::yellow, "-   "), name, text);
    }

    void program() {
        print(style_.bold("assay " ASSAY_VERSION) + "\n");
        utsname name{};
        if (uname(&name) == 0) told("system", fmt::format("{} {} {}", name.sysname, name.release, name.machine));
        const Layout& place = layout();
        told("program", printable(place.executable.string()) + (place.sources.empty() ? "" : " (a build tree)"));
        for (const std::string_view id : exercise_ids()) {
            std::error_code failed;
            for (const fs::path& part : {place.worker(id), place.entry_object(id), place.contract(id) / "contract.hpp"})
                if (!fs::exists(part, failed))
                    bad(id, fmt::format("{} is missing: build or install Assay again", part.string()));
        }
        good("exercises", counted(static_cast<long long>(exercise_ids().size()), "exercise"));
    }

    void compilers() {
        head("Building attempts");
        const std::vector<Toolchain> found = all_toolchains(cache_folder());
        for (const Toolchain& one : found) good("compiler", fmt::format("{}, {}", one.version, one.compiler.string()));
        if (found.empty()) bad("compiler", "no C++20 compiler: " + install_command("g++", "gcc-c++", "gcc"));
        helper("mold", "linker", "links several times faster", install_command("mold", "mold", "mold"));
        if (program_on_path("mold").empty())
            helper("ld.lld", "linker", "links faster than the compiler's own", install_command("lld", "lld", "lld"));
        helper("ccache", "ccache", "rebuilds of Assay itself", install_command("ccache", "ccache", "ccache"));
        if (!found.empty()) sanitisers(found.front());
    }

    void python() {
        const Outcome<Interpreter> found = find_interpreter();
        if (found)
            good("python3", fmt::format("{}, {}", found->version, printable(found->program.string())));
        else
            lacking("python3", "no Python 3.9 or newer, for attempts in Python: " +
                                   install_command("python3", "python3", "python"));
    }

    void helper(const char* program, std::string_view name, std::string_view use, const std::string& mend) {
        const std::string path = program_on_path(program);
        if (!path.empty())
            good(name, fmt::format("{} ({})", path, use));
        else
            lacking(name, fmt::format("no {} ({}): {}", program, use, mend));
    }

    /// The run-time library of AddressSanitizer, which a crash's second look needs, stands beside the compiler's own.
    void sanitisers(const Toolchain& toolchain) {
        if (toolchain.family != Toolchain::Family::gcc) return;
        std::error_code failed;
        for (fs::recursive_directory_iterator at("/usr/lib/gcc", fs::directory_options::skip_permission_denied, failed),
             end;
             !failed && at != end; at.increment(failed))
            if (at->path().filename() == "libasan.so")
                return good("sanitisers", "a crash is looked at again, for its line");
        lacking("sanitisers",
                "no libasan: a crash's line cannot be told: " + install_command("libasan8", "libasan", "gcc-libs"));
    }

    void gpu() {
        head("GPU");
        std::string why;
        const std::vector<std::string> found = gpus(why);
        for (const std::string& one : found) good("device", one);
        if (found.empty()) lacking("device", why + "; no exercise needs one yet");
        const std::string nvcc = program_on_path("nvcc");
        if (!nvcc.empty())
            good("nvcc", nvcc);
        else
            lacking("nvcc", "not on PATH; no exercise needs it yet: " +
                                install_command("nvidia-cuda-toolkit", "cuda-toolkit", "cuda"));
    }

    void sandbox() {
        head("Isolation of attempts");
        told("in use",
             "level 0, limits: an attempt runs in its own process with limits on time, memory and output. It can "
             "still read your files: check only attempts that you trust");
        std::string why;
        if (const int version = landlock_version(why); version > 0)
            good("Landlock", fmt::format("version {} of its interface; not used yet", version));
        else
            lacking("Landlock", why);
        if (seccomp_filters())
            good("seccomp", "filters work; not used yet");
        else
            lacking("seccomp", "the kernel takes no filters");
        const std::string bwrap = program_on_path("bwrap");
        if (!bwrap.empty())
            good("bubblewrap", bwrap + "; not used yet");
        else
            lacking("bubblewrap",
                    "not here; not used yet: " + install_command("bubblewrap", "bubblewrap", "bubblewrap"));
        if (user_namespaces(why))
            good("user namespaces", "allowed; not used yet");
        else
            lacking("user namespaces", "refused (" + why +
                                           "); sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0 "
                                           "allows them on Ubuntu 24.04, docker run --security-opt "
                                           "seccomp=unconfined in a container");
    }

    void folders() {
        head("Folders");
        const auto folder = [&](std::string_view name, const fs::path& path, std::string_view mend) {
            const std::string reason = unwritable(path);
            if (reason.empty())
                good(name, printable(path.string()));
            else
                lacking(name, fmt::format("{}: {}", reason, mend));
        };
        folder("cache", cache_folder(), "set XDG_CACHE_HOME to a folder that can be written, or builds are not kept");
        folder("progress", state_folder(),
               "set XDG_STATE_HOME to a folder that can be written, or progress is not kept");
    }
};

} // namespace

Exit doctor_command(const DoctorArguments& arguments) {
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    return Doctor(style).examine();
}

} // namespace assay
