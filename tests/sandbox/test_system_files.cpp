// What of the system is shown, and what of ours is not.
#include "sandbox/policy_for.hpp"
#include "sandbox/run_folder.hpp"
#include "sandbox/system_files.hpp"
#include "sandbox/trial.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace assay;
using namespace assay::tests;
namespace fs = std::filesystem;

namespace {

const fs::path program = fs::read_symlink("/proc/self/exe");

bool holds(const std::vector<FileRule>& rules, const fs::path& path) {
    return std::any_of(rules.begin(), rules.end(), [&](const FileRule& rule) { return rule.path == path; });
}

} // namespace

TEST_CASE("a path lies in a folder by whole names") {
    CHECK(lies_in("/usr/lib/x", "/usr/lib"));
    CHECK(lies_in("/usr/lib", "/usr/lib"));
    CHECK_FALSE(lies_in("/usr/lib64/x", "/usr/lib"));
    CHECK_FALSE(lies_in("/usr", "/usr/lib"));
}

TEST_CASE("libraries are shown to every program, the toolchain to compilers alone") {
    const auto libraries = system_libraries(), toolchain = system_for_compiling("/usr/bin/g++");
    const auto shows = [](const std::vector<fs::path>& paths, const char* path) {
        return std::any_of(paths.begin(), paths.end(), [&](const fs::path& one) { return lies_in(path, one); });
    };
    CHECK(shows(libraries, "/usr/lib"));
    CHECK_FALSE(shows(libraries, "/usr/bin"));
    CHECK_FALSE(shows(libraries, "/usr/include"));
    CHECK(shows(toolchain, "/usr/bin"));
    CHECK(shows(toolchain, "/usr/include"));
    for (const char* path : {"/etc/passwd", "/home", "/root", "/tmp", "/proc", "/usr/src", "/usr/local/src"}) {
        CAPTURE(path);
        CHECK_FALSE(shows(toolchain, path));
    }
}

TEST_CASE("of a compiler outside /usr only its own folders are shown, since it may lie in a home") {
    const fs::path home = fs::temp_directory_path() / ("assay-home-" + std::to_string(::getpid()));
    for (const char* folder : {"bin", "lib", "x86_64-linux-gnu", "documents"}) fs::create_directories(home / folder);
    const auto paths = system_for_compiling(home / "bin" / "g++");
    for (const char* folder : {"bin", "lib", "x86_64-linux-gnu"})
        CHECK(std::find(paths.begin(), paths.end(), home / folder) != paths.end());
    CHECK(std::find(paths.begin(), paths.end(), home / "documents") == paths.end());
    CHECK(std::find(paths.begin(), paths.end(), home) == paths.end());
    fs::remove_all(home);
}

TEST_CASE("of a compiler below /opt or /usr/local all is shown that came with it") {
    const auto paths = system_for_compiling("/usr/local/lib/gcc-99/bin/g++"); // in a folder that is shown anyway
    CHECK(std::find(paths.begin(), paths.end(), "/usr/local") == paths.end());
    std::error_code error;
    const fs::path nvcc = fs::canonical("/usr/local/cuda/bin/nvcc", error);
    if (skipped(bool(error), "there is no nvcc in /usr/local/cuda")) return;
    const fs::path stage = fs::temp_directory_path() / ("assay-cuda-" + std::to_string(::getpid()));
    fs::create_directories(stage / "made");
    ::chmod(stage.c_str(), 0755);
    std::ofstream(stage / "one.cu") << "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n";
    Needs needs;
    needs.compiler = nvcc;
    needs.readable = {stage / "one.cu"};
    needs.writable = {stage / "made"};
    const std::string made = stage / "made";
    const Outcome<Ended> ended = run({{nvcc.native(), "-c", "-o", made + "/one.o", stage / "one.cu"},
                                      {"PATH=/usr/bin:/bin:" + nvcc.parent_path().native(), "TMPDIR=" + made, "HOME=/"},
                                      made,
                                      {},
                                      {}},
                                     needs, layers_here(), std::chrono::seconds(60));
    REQUIRE(ended.ok());
    CAPTURE(ended->output);
    CHECK(ended->exit_code == 0);
    CHECK(fs::exists(made + "/one.o"));
    fs::remove_all(stage);
}

TEST_CASE("the program that carries the solutions is hidden where it lies among the system's") {
    const fs::path folder = program.parent_path();
    CHECK(to_be_hidden({"/usr/lib"}).empty());
    REQUIRE(to_be_hidden({"/usr/lib", folder}) == std::vector<fs::path>{program});
    if (lacks(Layer::landlock)) return;
    View view;
    view.readable = {folder};
    view.hidden = {program};
    const Policy policy = policy_for({{"/x"}, {}, {}, {}, {}}, Needs{}, view, only({Layer::landlock}), std::nullopt);
    CHECK_FALSE(holds(policy.files, folder));
    CHECK_FALSE(holds(policy.files, program));
    CHECK(holds(policy.files, ASSAY_TRIES)); // beside it
    const auto command = bubblewrap_command({"/usr/bin/bwrap", false, false, true}, view, confine_program());
    const auto at = std::find(command.begin(), command.end(), program.native());
    REQUIRE(at != command.end());
    CHECK(*(at - 1) == "/dev/null");
}

TEST_CASE("what another user cannot reach is offered under a path that it can") {
    const fs::path closed = fs::temp_directory_path() / ("assay-closed-" + std::to_string(::getpid()));
    fs::create_directories(closed / "headers");
    std::ofstream(closed / "one") << "1";
    std::ofstream(closed / "one.gch") << "2";
    std::ofstream(closed / "headers" / "inner") << "3";
    ::chmod(closed.c_str(), 0700);
    const auto one = offered(closed / "one"), beside = offered(closed / "one.gch"),
               folder = offered(closed / "headers");
    REQUIRE((one.ok() && beside.ok() && folder.ok()));
    CHECK(*one != closed / "one");
    CHECK(one->parent_path() == beside->parent_path()); // a compiler finds the second by the first
    CHECK(fs::file_size(*folder / "inner") == 1);
    for (fs::path at = *folder / "inner"; at.has_relative_path(); at = at.parent_path()) {
        struct stat status {};
        REQUIRE(::stat(at.c_str(), &status) == 0);
        CHECK((status.st_mode & (S_ISDIR(status.st_mode) ? S_IXOTH : S_IROTH)) != 0);
        if (at.native().find("assay-run-") != std::string::npos) CHECK((status.st_mode & S_IWOTH) == 0);
    }
    CHECK(*offered(closed / "one") == *one); // once
    CHECK(*offered("/usr/lib") == "/usr/lib");
    fs::remove_all(closed);
    remove_run_folder();
    CHECK_FALSE(fs::exists(*one));
}
