// From source to shared object: what is built works, is kept by content, and never survives a change.
#include "attempt/workbench.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <unistd.h>

namespace {

using namespace workbench;

/// What the library's fill() puts into a float.
float filled(const fs::path& library, float value) {
    struct View {
        float* data;
        long size;
    };
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) FAIL(::dlerror());
    auto* fill = static_cast<void (*const*)(View, float)>(::dlsym(handle, "toy_fill"));
    REQUIRE(fill != nullptr);
    REQUIRE(*fill != nullptr);
    float result = -1;
    (*fill)({&result, 1}, value);
    ::dlclose(handle);
    return result;
}

std::size_t files_below(const fs::path& folder) {
    std::size_t count = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) ++count;
    return count;
}

TEST_CASE("an attempt becomes a library that the entry object finds its functions in", "[build]") {
    const Workbench bench;
    bench.write("toy.cpp", right_attempt);
    const Built built = bench.built();
    CHECK(filled(built.library, 2.5f) == 2.5f);
    CHECK(built.source_name == "toy.cpp");
    CHECK(built.source_hash.size() == 32);
    CHECK_FALSE(built.cached);
    CHECK(built.notes.empty());
    CHECK(files_below(bench.options.cache / "stage") == 0);
    CHECK(files_below(bench.attempts()) == 1);
}

TEST_CASE("an unchanged attempt costs no compile, wherever it lies", "[build]") {
    const Workbench bench;
    bench.write("toy.cpp", right_attempt);
    const Built first = bench.built();
    const Built again = bench.built();
    CHECK(again.cached);
    CHECK(again.library == first.library);
    CHECK(again.source_hash == first.source_hash);
    CHECK(again.milliseconds < 100); // 0.2 on an idle machine; a compile needs no less than 40 there
    bench.write("elsewhere/toy.cpp", right_attempt);
    CHECK(bench.built("elsewhere/toy.cpp").cached);
}

TEST_CASE("whatever decides a library's content makes a new one when it changes", "[build]") {
    Workbench bench;
    bench.write("toy.cpp", right_attempt);
    const Built first = bench.built();
    SECTION("the source") { bench.write("toy.cpp", std::string(right_attempt) + "// more\n"); }
    SECTION("the flags") { bench.inputs.flags.emplace_back("-DMORE"); }
    SECTION("the toolchain") { bench.toolchain.identity += "'"; }
    SECTION("the file's name") {
        bench.write("other.cpp", right_attempt);
        const Built other = bench.built("other.cpp");
        CHECK_FALSE(other.cached);
        CHECK(other.source_hash != first.source_hash);
        return;
    }
    SECTION("the contract") {
        put(bench.folder.path() / "exercise" / "contract.hpp", text_of(shared().contract / "contract.hpp") + "// v2\n");
        bench.inputs.contract = bench.folder.path() / "exercise";
    }
    SECTION("a light header") {
        fs::copy(shared().headers, bench.folder.path() / "headers", fs::copy_options::recursive);
        bench.inputs.headers = bench.folder.path() / "headers";
        REQUIRE_FALSE(bench.built().cached); // headers elsewhere
        REQUIRE(bench.built().cached);
        put(bench.inputs.headers / "assay" / "view.hpp", text_of(shared().headers / "assay" / "view.hpp") + "// v2\n");
    }
    SECTION("the entry object") {
        const fs::path entry = bench.folder.path() / "entry.o";
        fs::copy(shared().entry, entry);
        std::ofstream(entry, std::ios::app) << "padding";
        bench.inputs.entry_object = entry;
    }
    CHECK_FALSE(bench.built().cached);
}

TEST_CASE("a damaged or half-deleted cache is built anew", "[build]") {
    const Workbench bench;
    bench.write("toy.cpp", right_attempt);
    const fs::path library = bench.built().library;
    SECTION("one byte changed") {
        std::fstream file(library, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(200);
        file.put('\x55');
    }
    SECTION("cut short") { fs::resize_file(library, 100); }
    SECTION("library gone") { fs::remove(library); }
    SECTION("checksum gone") { fs::remove(library.native() + ".sum"); }
    SECTION("all gone") { fs::remove_all(bench.options.cache); }
    const Built again = bench.built();
    CHECK_FALSE(again.cached);
    CHECK(filled(again.library, 4.0f) == 4.0f);
    CHECK(bench.built().cached);
}

TEST_CASE("a cache that cannot be written is replaced for this run, and said so", "[build]") {
    Workbench bench;
    bench.write("toy.cpp", right_attempt);
    bench.write("file", "not a folder");
    bench.options.cache = bench.attempts() / "file" / "cache";
    const Built built = bench.built();
    REQUIRE(built.notes.size() == 1);
    CHECK(built.notes[0].find("cannot be written (Not a directory)") != std::string::npos);
    CHECK(filled(built.library, 1.5f) == 1.5f);
    const fs::path folder = built.library.parent_path().parent_path();
    CHECK(fs::exists(folder));
    finish_background_builds();
    CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("headers beside the attempt are built with it and part of what it is", "[build]") {
    const Workbench bench;
    bench.write("toy.cpp", "#include \"contract.hpp\"\n#include \"parts/scale.hpp\"\n"
                           "void toy::fill(view<float> out, float value) { out.data[0] = scale * value + extra; }\n");
    bench.write("parts/scale.hpp", "#pragma once\n#include \"../extra.hpp\"\nconstexpr float scale = 2;\n");
    bench.write("extra.hpp", "constexpr float extra = 1;\n");
    bench.write("unrelated.hpp", "#error never seen\n");
    const Built first = bench.built();
    CHECK(filled(first.library, 3.0f) == 7.0f);
    bench.write("extra.hpp", "constexpr float extra = 10;\n");
    const Built second = bench.built();
    CHECK_FALSE(second.cached);
    CHECK(second.source_hash != first.source_hash);
    CHECK(filled(second.library, 3.0f) == 16.0f);
    bench.write("unrelated.hpp", "changed");
    CHECK(bench.built().cached);
}

TEST_CASE("the exercise's own contract is used, whatever lies beside the attempt", "[build]") {
    const Workbench bench;
    bench.write("toy.cpp", right_attempt);
    bench.write("contract.hpp", text_of(shared().contract / "contract.hpp"));
    bench.write("assay/view.hpp", "#error a copy for editors, never compiled\n");
    CHECK(bench.built().notes.empty());
    bench.write("contract.hpp", "#error not this one\n");
    const Built built = bench.built();
    REQUIRE(built.notes.size() == 1);
    CHECK(built.notes[0] == "contract.hpp beside the attempt differs from the exercise's: the exercise's own was used");
}

TEST_CASE("odd file names are data", "[build]") {
    const Workbench bench;
    for (const char* name : {"-o.cpp", "@toy.cpp", "to y.cpp", "lösung.cpp", "toy", "toy.c", "quo\"te'$(x).cpp"}) {
        INFO(name);
        bench.write(name, right_attempt);
        const Built built = bench.built(name);
        CHECK(built.source_name == name);
        CHECK(filled(built.library, 1.0f) == 1.0f);
    }
    bench.write("-o x.cpp", "int broken = ;\n");
    CHECK(bench.failed("-o x.cpp").reason.find("./-o x.cpp:1: ") != std::string::npos);
}

TEST_CASE("an installation that lacks a part is our failure, not the attempt's", "[build]") {
    Workbench bench;
    bench.write("toy.cpp", right_attempt);
    SECTION("contract") { bench.inputs.contract = "/nonexistent"; }
    SECTION("headers") { bench.inputs.headers = "/nonexistent"; }
    SECTION("entry object") { bench.inputs.entry_object = "/nonexistent/entry.o"; }
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::JE);
    CHECK(failure.reason.find("/nonexistent") != std::string::npos);
}

TEST_CASE("no temporary file of the compiler is left after a time-out", "[build]") {
    Workbench bench;
    bench.options.time_limit = std::chrono::seconds(1);
    bench.write("toy.cpp", "#if __INCLUDE_LEVEL__ < 30\n#include \"toy.cpp\"\n#include \"toy.cpp\"\n#endif\n");
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::CE);
    CHECK(failure.reason == "compiling took longer than 1 s");
    CHECK(files_below(bench.options.cache / "stage") == 0);
}

} // namespace
