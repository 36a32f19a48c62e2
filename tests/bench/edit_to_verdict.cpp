// How long from saving a file to its verdict, beside what the compiler alone takes. A benchmark, never a test: it fails
// only where something cannot be run. Give it an idle machine.
//
//   edit-to-verdict ASSAY [ATTEMPT]     ASSAY: the built binary; ATTEMPT: attempt.cpp beside this file unless given
//
// Five contestants, run in turn (A B C D E A B ...) 15 times after one round that is not counted, so that whatever the
// machine does meanwhile meets all alike; medians, with the smallest and largest:
//   a  g++ -c with the flags and the precompiled header that Assay uses; no link
//   b  the same without the header
//   c  assay check after an edit of one line, another edit each time, so that nothing kept fits
//   d  assay check on the unchanged file
//   e  what one does without Assay: g++ -O2 of the attempt with a main under it (program.cpp), and running that
// then c - a, all that Assay adds to the compiler (link, worker, levels, report), and c / e.
// Everything is kept in a folder of its own, which is removed at the end: caches and progress of yours are not touched.
#include "attempt/build_flags.hpp"
#include "sandbox/process.hpp"
#include "attempt/source_scan.hpp"
#include "attempt/toolchain.hpp"
#include "attempt/toolchain_probe.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "commands/build_inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace assay;

constexpr int rounds = 15;

[[noreturn]] void stop(const std::string& sentence) {
    fmt::print(stderr, "edit-to-verdict: {}\n", sentence);
    std::exit(3);
}

struct Folder {
    fs::path path = fs::temp_directory_path() / fmt::format("edit-to-verdict-{}", getpid());
    Folder() { fs::create_directories(path); }
    ~Folder() {
        std::error_code failed;
        fs::remove_all(path, failed);
    }
};

/// Milliseconds of one command; its exit code must be one of `allowed`.
double timed(const std::vector<std::string>& arguments, const fs::path& folder, const std::vector<int>& allowed) {
    Command command{arguments, clean_environment(), folder, {}, {}};
    command.environment.push_back("ASSAY_CACHE_DIR=" + (folder / "cache").native());
    command.environment.push_back("XDG_STATE_HOME=" + (folder / "state").native());
    const Outcome<Ended> ended = run(command, std::chrono::minutes(1));
    if (!ended) stop(ended.failure().reason);
    if (!ended->exited || std::find(allowed.begin(), allowed.end(), ended->exit_code) == allowed.end())
        stop(fmt::format("{} ended badly: {}", arguments[0], ended->output));
    return ended->milliseconds;
}

std::string text_of(const fs::path& path) {
    bool ok = false;
    std::string text = read_text(path, ok);
    if (!ok) stop(path.string() + " cannot be read");
    return text;
}

void write(const fs::path& path, const std::string& text) {
    if (const std::string failed = write_text(path, text); !failed.empty()) stop(failed);
}

struct Contestant {
    const char* what;
    std::vector<double> times = {};

    double median() const {
        std::vector<double> sorted = times;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
    void print(char letter) const {
        const auto [least, most] = std::minmax_element(times.begin(), times.end());
        fmt::print("{}  {:<52} {:>7.1f} ms   ({:.1f} to {:.1f})\n", letter, what, median(), *least, *most);
    }
};

class Workbench {
  public:
    Workbench(const fs::path& assay, const fs::path& attempt) : assay_(assay), text_(text_of(attempt)) {
        const auto found = find_toolchain("", folder_.path / "cache");
        if (!found) stop(found.failure().reason);
        toolchain_ = *found;
        const auto settings = settings_of("sdpa");
        if (!settings) stop(settings.failure().reason);
        inputs_ = build_inputs("sdpa", *settings);
        make_precompiled();
    }

    void go() {
        Contestant all[] = {{"g++ -c with the precompiled header"},
                            {"g++ -c without it"},
                            {"assay check after an edit"},
                            {"assay check, unchanged"},
                            {"g++ -O2 of attempt and main into a program, and run"}};
        for (int round = -1; round < rounds; ++round) {
            edit(round + 1);
            const double times[] = {compile(true), compile(false), check(), check(), by_hand()};
            for (std::size_t n = 0; round >= 0 && n < 5; ++n) all[n].times.push_back(times[n]);
        }
        fmt::print("{}, {} lines, {} rounds\n", toolchain_.version, std::count(text_.begin(), text_.end(), '\n'),
                   rounds);
        for (std::size_t n = 0; n < 5; ++n) all[n].print(static_cast<char>('a' + n));
        fmt::print("c - a = {:.1f} ms, c / e = {:.2f}\n", all[2].median() - all[0].median(),
                   all[2].median() / all[4].median());
    }

  private:
    Folder folder_;
    fs::path assay_;
    std::string text_;
    Toolchain toolchain_;
    BuildInputs inputs_;
    std::vector<std::string> precompiled_;

    fs::path file(const char* name) const { return folder_.path / name; }

    std::vector<std::string> compiler() const {
        std::vector<std::string> arguments = driver(toolchain_);
        for (const std::string& flag : code_flags(inputs_, toolchain_, false)) arguments.push_back(flag);
        return arguments;
    }

    void make_precompiled() {
        std::string includes;
        for (const std::string& header : leading_standard_headers(text_)) includes += "#include <" + header + ">\n";
        if (includes.empty()) return;
        write(file("standard.hpp"), includes);
        std::vector<std::string> arguments = compiler();
        arguments.insert(arguments.end(), {"-x", "c++-header", file("standard.hpp"), "-o", file("standard.hpp.gch")});
        timed(arguments, folder_.path, {0});
        precompiled_ = {"-Winvalid-pch", "-Werror=invalid-pch", "-include", file("standard.hpp")};
    }

    /// The same attempt with another last line.
    void edit(int which) const {
        const std::string line = fmt::format("[[maybe_unused]] constexpr int edit = {};\n", which);
        write(file("sdpa.cpp"), text_ + line);
        write(file("program.cpp"), text_ + line + text_of(source_checkout() / "tests/bench/program.cpp"));
    }

    double compile(bool with_header) const {
        std::vector<std::string> arguments = compiler();
        arguments.insert(arguments.end(), {"-pipe", "-I" + inputs_.contract.native(), "-I" + inputs_.headers.native()});
        if (with_header) arguments.insert(arguments.end(), precompiled_.begin(), precompiled_.end());
        arguments.insert(arguments.end(), {"-c", file("sdpa.cpp"), "-o", file("sdpa.o")});
        return timed(arguments, folder_.path, {0});
    }

    double check() const { return timed({assay_, "check", "sdpa.cpp"}, folder_.path, {0, 1}); }

    double by_hand() const {
        std::vector<std::string> arguments = driver(toolchain_);
        arguments.insert(arguments.end(),
                         {"-std=c++20", "-O2", "-I" + inputs_.contract.native(), "-I" + inputs_.headers.native(),
                          file("program.cpp"), "-o", file("program")});
        const double compiled = timed(arguments, folder_.path, {0});
        return compiled + timed({file("program")}, folder_.path, {0});
    }
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) {
        fmt::print(stderr, "usage: edit-to-verdict ASSAY [ATTEMPT]\n");
        return 2;
    }
    try {
        const fs::path attempt = argc == 3 ? fs::path(argv[2]) : source_checkout() / "tests/bench/attempt.cpp";
        Workbench(fs::canonical(argv[1]), attempt).go();
    } catch (const std::exception& error) {
        stop(error.what());
    }
}
