// What is taken as an attempt and what is refused, each with its own sentence.
#include "attempt/build_staging.hpp"
#include "attempt/workbench.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace workbench;

Failure refused(const fs::path& path) {
    const Outcome<Sources> sources = collect_sources(path, "");
    REQUIRE_FALSE(sources.ok());
    return sources.failure();
}

std::vector<std::string> taken(const fs::path& path) {
    const Outcome<Sources> sources = collect_sources(path, "");
    if (!sources) FAIL(sources.failure().reason);
    std::vector<std::string> names;
    for (const StagedFile& file : sources->files) names.push_back(file.name.native());
    return names;
}

using Names = std::vector<std::string>;

TEST_CASE("what cannot be an attempt is told in one sentence", "[staging]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path at = folder.path();
    const auto reason = [&](const std::string& name) {
        const Failure failure = refused(at / name);
        CHECK(failure.verdict == Verdict::SKIP);
        CHECK(failure.detail.empty());
        CHECK(failure.reason.find('\n') == std::string::npos);
        return failure.reason;
    };
    CHECK(reason("none.cpp") == "there is no file " + (at / "none.cpp").native() + ": check the path");
    fs::create_directory(at / "folder");
    CHECK(reason("folder").find("is a folder") != std::string::npos);
    put(at / "empty.cpp", "");
    put(at / "blank.cpp", " \n\t\n");
    CHECK(reason("empty.cpp").find("empty.cpp is empty") == 0);
    CHECK(reason("blank.cpp").find("blank.cpp is empty") == 0);
    put(at / "binary.cpp", std::string("\x7f"
                                       "ELF\0\0",
                                       6));
    CHECK(reason("binary.cpp").find("is not text") != std::string::npos);
    put(at / "large.cpp", std::string((1 << 20) + 1, ' '));
    CHECK(reason("large.cpp").find("at most 1 MiB") != std::string::npos);
    REQUIRE(::mkfifo((at / "pipe.cpp").c_str(), 0600) == 0);
    CHECK(reason("pipe.cpp").find("is not a regular file") != std::string::npos);
    fs::create_symlink("loop.cpp", at / "loop.cpp");
    CHECK(reason("loop.cpp").find("cannot be looked at") != std::string::npos);
    put(at / "new\nline.cpp", "int x;");
    CHECK(reason("new\nline.cpp").find("the file name new?line.cpp holds control characters") == 0);
    put(at / "latin\xe9.cpp", "int x;");
    CHECK(reason("latin\xe9.cpp").find("latin?.cpp") != std::string::npos);
    CHECK(refused("").reason == "no file was named: give the attempt's path");
    if (::geteuid() != 0) { // root may read everything
        put(at / "locked.cpp", "int x;");
        fs::permissions(at / "locked.cpp", fs::perms::none);
        CHECK(reason("locked.cpp").find("cannot be read (Permission denied)") != std::string::npos);
    }
}

TEST_CASE("links are followed within the attempt's folder only", "[staging]") {
    const TemporaryFolder folder = temporary_folder(), outside = temporary_folder();
    const fs::path at = folder.path();
    put(outside.path() / "secret.hpp", "int secret;");
    put(at / "real.cpp", "#include \"link.hpp\"\n");
    fs::create_symlink("real.cpp", at / "near.cpp");
    fs::create_symlink(outside.path() / "secret.hpp", at / "link.hpp");
    fs::create_symlink(outside.path() / "secret.hpp", at / "far.cpp");
    CHECK(taken(at / "near.cpp") == Names{"near.cpp"});
    CHECK(refused(at / "far.cpp").reason.find("is a link out of its folder") != std::string::npos);
    const Outcome<Sources> sources = collect_sources(at / "real.cpp", "");
    REQUIRE(sources.ok());
    CHECK(sources->files.size() == 1);
    CHECK(sources->notes == Names{"link.hpp was not used: it is a link out of the attempt's folder"});
    // A whole workspace that is reached through a link is nothing odd.
    fs::create_directory_symlink(at, outside.path() / "workspace");
    CHECK(taken(outside.path() / "workspace" / "near.cpp") == Names{"near.cpp"});
}

TEST_CASE("quoted headers are taken recursively, each once, from the folder and below", "[staging]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path at = folder.path() / "in";
    put(at / "a.cpp", "#include \"b.hpp\"\n#include \"d/c.hpp\"\n#include <angled.hpp>\n#include \"missing.hpp\"\n");
    put(at / "b.hpp", "#include \"a.cpp\"\n#include \"./b.hpp\"\n");
    put(at / "d" / "c.hpp", "#include \"../b.hpp\"\n#include \"e.hpp\"\n#include \"../../up.hpp\"\n");
    put(at / "d" / "e.hpp", "// #include \"unused.hpp\"\n");
    put(at / "angled.hpp", "");
    put(at / "unused.hpp", "");
    put(at / "d" / "b.hpp", "");
    put(folder.path() / "up.hpp", "");
    CHECK(taken(at / "a.cpp") == Names{"a.cpp", "b.hpp", "d/c.hpp", "d/e.hpp"});
    const Outcome<Sources> sources = collect_sources(at / "a.cpp", "");
    REQUIRE(sources.ok());
    CHECK(sources->notes == Names{"../up.hpp was not used: it lies outside the attempt's folder"});
    REQUIRE(write_sources(*sources, folder.path() / "out"));
    CHECK(text_of(folder.path() / "out" / "d" / "c.hpp") == text_of(at / "d" / "c.hpp"));
}

TEST_CASE("paths of this machine are refused where they stand", "[staging]") {
    const TemporaryFolder folder = temporary_folder();
    for (const char* name : {"\"/etc/passwd\"", "</etc/passwd>", "<../secret.hpp>"}) {
        put(folder.path() / "a.cpp", "int x;\n#include " + std::string(name) + "\n");
        const Failure failure = refused(folder.path() / "a.cpp");
        CHECK(failure.verdict == Verdict::CE);
        CHECK(failure.reason.find("a.cpp:2 includes ") == 0);
    }
    put(folder.path() / "a.cpp", "// #include \"/etc/passwd\"\n");
    CHECK(taken(folder.path() / "a.cpp") == Names{"a.cpp"});
}

TEST_CASE("the number of files and their sizes are bounded", "[staging]") {
    const TemporaryFolder folder = temporary_folder();
    std::string all;
    for (int i = 0; i < 64; ++i) {
        put(folder.path() / (std::to_string(i) + ".hpp"), "\n");
        if (i < 63) all += "#include \"" + std::to_string(i) + ".hpp\"\n";
    }
    put(folder.path() / "a.cpp", all);
    CHECK(taken(folder.path() / "a.cpp").size() == 64);
    put(folder.path() / "a.cpp", all + "#include \"63.hpp\"\n");
    CHECK(refused(folder.path() / "a.cpp").reason ==
          "a.cpp includes more than 63 headers of its own: put them into fewer files");
    put(folder.path() / "0.hpp", std::string((1 << 20) + 1, ' '));
    CHECK(refused(folder.path() / "a.cpp").reason.find("0.hpp holds 1.0 MiB") == 0);
}

} // namespace
