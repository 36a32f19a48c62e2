// Compilers are found, asked once, and asked again when they change.
#include "attempt/toolchain_probe.hpp"
#include "attempt/workbench.hpp"

#include <cstdlib>

namespace {

using namespace workbench;

/// PATH for the length of a scope.
class Path {
  public:
    explicit Path(const std::string& value) : before_(std::getenv("PATH")) { ::setenv("PATH", value.c_str(), 1); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;
    ~Path() { ::setenv("PATH", before_.c_str(), 1); }

  private:
    std::string before_;
};

void put_program(const fs::path& path, const std::string& script) {
    put(path, "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms::owner_all);
}

/// A g++ that counts its calls in a file and passes them on, under another version.
fs::path put_counting_compiler(const fs::path& folder, const std::string& name) {
    put_program(folder / name, "echo x >> '" + (folder / "calls").native() + "'\nexec '" +
                                   shared().toolchain.compiler.native() + "' \"$@\"\n");
    return folder / name;
}

std::size_t calls(const fs::path& folder) { return read_file(folder / "calls").value_or("").size() / 2; }

TEST_CASE("the compiler of this machine is found and known the next time", "[toolchain]") {
    const Toolchain& found = shared().toolchain;
    CHECK(found.compiler.is_absolute());
    CHECK(found.version.find("++ ") != std::string::npos);
    CHECK(found.version.find_last_of("0123456789") == found.version.size() - 1);
    CHECK(found.identity.size() == 32);
    CHECK((found.linker.empty() || found.linker == "mold" || found.linker == "lld"));
}

TEST_CASE("a known compiler costs no process; a changed one is asked again", "[toolchain]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path cache = folder.path() / "cache", compiler = put_counting_compiler(folder.path(), "my++");
    const Outcome<Toolchain> first = find_toolchain(compiler.native(), cache);
    if (!first) FAIL(first.failure().reason << first.failure().detail);
    const std::size_t asked = calls(folder.path());
    CHECK(asked > 0);
    const Outcome<Toolchain> again = find_toolchain(compiler.native(), cache);
    REQUIRE(again.ok());
    CHECK(calls(folder.path()) == asked);
    CHECK(again->identity == first->identity);
    CHECK(again->version == first->version);
    CHECK(again->linker == first->linker);
    CHECK(again->family == first->family);
    CHECK(again->compiler == compiler);

    SECTION("the compiler is touched") { fs::last_write_time(compiler, fs::file_time_type::clock::now()); }
    SECTION("the kept answer is spoilt") {
        for (auto& entry : fs::directory_iterator(cache / "toolchains")) put(entry.path(), "assay toolchain 1\ngcc\n");
    }
    SECTION("a linker appears on PATH") {
        put_program(folder.path() / "bin" / "ld.mold", "exit 1\n");
        const Path path((folder.path() / "bin").native() + ":" + std::getenv("PATH"));
        const Outcome<Toolchain> other = find_toolchain(compiler.native(), cache);
        REQUIRE(other.ok());
        CHECK(other->linker != "mold"); // there, but it fails the trial
        CHECK(calls(folder.path()) > asked);
        return;
    }
    REQUIRE(find_toolchain(compiler.native(), cache).ok());
    CHECK(calls(folder.path()) > asked);
}

TEST_CASE("what is wrong with a compiler is told, with the command that mends it", "[toolchain]") {
    const TemporaryFolder folder = temporary_folder();
    const auto reason = [&](const std::string& wanted) {
        const Outcome<Toolchain> found = find_toolchain(wanted, folder.path() / "cache");
        REQUIRE_FALSE(found.ok());
        CHECK(found.failure().verdict == Verdict::SKIP);
        return found.failure().reason;
    };
    CHECK(reason("g++-99") == "no C++ compiler g++-99 on PATH: install it with: sudo apt install g++-99");
    CHECK(reason("clang-99") == "no C++ compiler clang++-99 on PATH: install it with: sudo apt install clang-99");
    CHECK(reason("/nonexistent/g++").find("no C++ compiler at /nonexistent/g++") == 0);
    CHECK(reason("/bin/sh").find("is neither g++ nor clang++") != std::string::npos);
    put_program(folder.path() / "old++", "case \"$1\" in --version) echo 'Free Software Foundation';; -dump*) echo "
                                         "7.1.0;; *) echo 'unknown -std=c++20' >&2; exit 1;; esac\n");
    const Outcome<Toolchain> old = find_toolchain((folder.path() / "old++").native(), folder.path() / "cache");
    REQUIRE_FALSE(old.ok());
    CHECK(old.failure().reason.find("g++ 7.1.0 (") == 0);
    CHECK(old.failure().reason.find("cannot build a small C++20 library") != std::string::npos);
    CHECK(old.failure().detail == "unknown -std=c++20\n");

    const Path path(folder.path().native());
    CHECK(reason("") == "no C++ compiler: neither g++ nor clang++ is on PATH; install one with: sudo apt install g++");
    CHECK(all_toolchains(folder.path() / "cache").empty());
}

TEST_CASE("names are searched in order, masquerading wrappers and the current folder passed over", "[toolchain]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path first = folder.path() / "first", second = folder.path() / "second";
    put_program(first / "ccache", "exit 0\n");
    fs::create_symlink("ccache", first / "g++");
    put(first / "g++-12", "not executable");
    put_program(second / "g++", "exit 0\n");
    put_program(second / "g++-12", "exit 0\n");
    fs::create_symlink("g++-12", second / "g++-13");
    const Path path(".::" + first.native() + ":" + second.native());
    CHECK(find_program("g++") == second / "g++");
    CHECK(find_program("g++-12") == second / "g++-12");
    CHECK(find_program("g++-13") == second / "g++-12"); // links resolved
    CHECK_FALSE(find_program("g++-14").has_value());
}

TEST_CASE("every compiler on PATH is listed once", "[toolchain]") {
    const std::vector<Toolchain> all = all_toolchains(shared().folder.path() / "cache");
    REQUIRE_FALSE(all.empty());
    CHECK(all.front().compiler == shared().toolchain.compiler);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK(all[i].compiler != all[j].compiler);
}

} // namespace
