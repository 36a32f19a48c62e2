// Precompiled headers change how long a compile takes and nothing else.
#include "attempt/workbench.hpp"

namespace {

using namespace workbench;

constexpr std::string_view with_headers = "// a comment\n#include \"contract.hpp\"\n#include <climits>\n"
                                          "void toy::fill(view<float> out, float) { out.data[0] = INT_MAX; }\n";

/// The attempt, edited. (With `+` g++ 12 warns of std::string's own code: GCC bug 105329.)
std::string with(const char* edit) {
    std::string text(with_headers);
    return text.append(edit);
}

std::vector<fs::path> kept(const Workbench& bench, const std::string& extension) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(bench.options.cache / "precompiled", error), end; !error && at != end;
         at.increment(error))
        if (at->path().extension() == extension) found.push_back(at->path());
    return found;
}

TEST_CASE("the first build leaves a precompiled header that the next uses", "[precompiled]") {
    const Workbench bench;
    bench.write("toy.cpp", with_headers);
    bench.built();
    finish_background_builds();
    const auto headers = kept(bench, ".hpp");
    REQUIRE(headers.size() == 1);
    CHECK(text_of(headers[0]) == "#include <climits>\n");
    const auto sizes = kept(bench, ".size");
    REQUIRE(sizes.size() == 1);
    const auto marked = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(sizes[0], marked);
    bench.write("toy.cpp", with("// changed\n"));
    CHECK_FALSE(bench.built().cached);
    CHECK(fs::last_write_time(sizes[0]) > marked); // used
}

TEST_CASE("no precompiled header is made where none can be used", "[precompiled]") {
    Workbench bench;
    SECTION("no standard headers") { bench.write("toy.cpp", right_attempt); }
    SECTION("headers after a macro") { bench.write("toy.cpp", "#define NDEBUG\n" + std::string(with_headers)); }
    SECTION("not wanted") {
        bench.options.use_precompiled = false;
        bench.write("toy.cpp", with_headers);
    }
    bench.built();
    finish_background_builds();
    CHECK(kept(bench, ".size").empty());
}

TEST_CASE("a header that the attempt forgot is missed with and without a precompiled header", "[precompiled]") {
    const Workbench bench;
    bench.write("toy.cpp", with_headers);
    bench.built();
    finish_background_builds();
    // CHAR_BIT comes with the precompiled <climits>; DBL_MAX needs <cfloat>, which is not among the includes.
    bench.write("toy.cpp", "#include \"contract.hpp\"\n#include <climits>\n"
                           "void toy::fill(view<float> out, float) { out.data[0] = CHAR_BIT + DBL_MAX; }\n");
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::CE);
    CHECK(failure.reason.find("toy.cpp:3: ") != std::string::npos);
    CHECK(failure.reason.find("DBL_MAX") != std::string::npos);
    CHECK(failure.detail.find("precompiled") == std::string::npos);
    // And the other list has a header of its own.
    bench.write("toy.cpp", "#include <cfloat>\n" + text_of(bench.attempts() / "toy.cpp"));
    bench.built();
    finish_background_builds();
    CHECK(kept(bench, ".size").size() == 2);
}

TEST_CASE("a spoilt precompiled header is dropped, and the attempt does not suffer", "[precompiled]") {
    const Workbench bench;
    bench.write("toy.cpp", with_headers);
    bench.built();
    finish_background_builds();
    const auto compiled = kept(bench, bench.toolchain.family == Toolchain::Family::gcc ? ".gch" : ".pch");
    REQUIRE(compiled.size() == 1);
    const std::string whole = text_of(compiled[0]);
    SECTION("content") { put(compiled[0], std::string(whole.size(), 'x')); }
    SECTION("length") { put(compiled[0], whole.substr(0, whole.size() / 2)); }
    bench.write("toy.cpp", with("// changed\n"));
    bench.built();
    bench.write("toy.cpp", with("// changed again\n"));
    bench.built();
    finish_background_builds();
    // Two of one recipe differ by a few bytes.
    CHECK(text_of(compiled[0]).size() > whole.size() / 10 * 9);
    CHECK(text_of(compiled[0])[0] == whole[0]);
}

TEST_CASE("a list that does not compile is tried once", "[precompiled]") {
    Workbench bench;
    bench.inputs.flags.insert(bench.inputs.flags.end(), {"-include", "/nonexistent.hpp"});
    bench.write("toy.cpp", with_headers);
    REQUIRE_FALSE(bench.build().ok());
    finish_background_builds();
    CHECK(kept(bench, ".size").empty());
    REQUIRE(kept(bench, ".failed").size() == 1);
    const fs::path list = kept(bench, ".hpp").at(0);
    const auto marked = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(list, marked);
    REQUIRE_FALSE(bench.build().ok());
    finish_background_builds();
    CHECK(fs::last_write_time(list) == marked); // a second try would have written it again
}

TEST_CASE("no header is left where the next build is not thought of, but one that is there is used", "[precompiled]") {
    Workbench bench;
    bench.options.make_precompiled = false;
    bench.write("toy.cpp", with_headers);
    bench.built();
    finish_background_builds();
    CHECK(kept(bench, ".size").empty());
    bench.options.make_precompiled = true;
    bench.write("toy.cpp", with("// changed\n"));
    bench.built();
    finish_background_builds();
    REQUIRE(kept(bench, ".size").size() == 1);
    bench.options.make_precompiled = false;
    const auto marked = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(kept(bench, ".size")[0], marked);
    bench.write("toy.cpp", with("// changed again\n"));
    bench.built();
    CHECK(fs::last_write_time(kept(bench, ".size")[0]) > marked);
}

TEST_CASE("a header is made beforehand for a list that enough attempts share, and only for it", "[precompiled]") {
    const Workbench bench;
    std::vector<fs::path> sources;
    const auto add = [&](const std::string& text) {
        const std::string name = "toy" + std::to_string(sources.size()) + ".cpp";
        bench.write(name, text);
        sources.push_back(bench.attempts() / name);
    };
    const auto precompile = [&] { precompile_for(sources, bench.inputs, bench.toolchain, bench.options); };
    for (const char* edit : {"// one\n", "// two\n", "// three\n"}) add(with(edit));
    for (const char* edit : {"// one\n", "// two\n", "// three\n"})
        add("#include <cfloat>\n" + std::string(right_attempt) + edit);
    add(std::string(right_attempt));
    sources.push_back(bench.attempts() / "gone.cpp");
    precompile();
    CHECK(kept(bench, ".hpp").empty());
    add(with("// four\n"));
    SECTION("each of them still to be built") {
        precompile();
        REQUIRE(kept(bench, ".size").size() == 1); // there already: it was waited for
        CHECK(text_of(kept(bench, ".hpp").at(0)) == "#include <climits>\n");
        CHECK_FALSE(bench.built(sources.back().filename()).cached);
        precompile();
        CHECK(kept(bench, ".size").size() == 1);
    }
    SECTION("one of them kept from before") {
        Workbench other;
        other.options = bench.options;
        other.options.make_precompiled = false;
        other.write("toy.cpp", with("// one\n")); // the name is part of the key
        fs::copy_file(other.attempts() / "toy.cpp", other.attempts() / "toy0.cpp");
        other.built("toy0.cpp");
        precompile();
        CHECK(kept(bench, ".hpp").empty());
    }
}

TEST_CASE("what a few attempts include beyond a list of many is parsed; a longer list of many is made too",
          "[precompiled]") {
    const Workbench bench;
    std::vector<fs::path> sources;
    const auto add = [&](int count, const std::string& first) {
        for (int i = 0; i < count; ++i) {
            sources.push_back(bench.attempts() / ("toy" + std::to_string(sources.size()) + ".cpp"));
            bench.write(sources.back().filename(), first + std::string(with_headers));
        }
    };
    const auto lists = [&] {
        precompile_for(sources, bench.inputs, bench.toolchain, bench.options);
        std::vector<std::string> texts;
        for (const fs::path& list : kept(bench, ".hpp")) texts.push_back(text_of(list));
        std::sort(texts.begin(), texts.end());
        return texts;
    };
    const std::string both = "#include <cfloat>\n#include <climits>\n", one = "#include <climits>\n";
    add(17, "");
    add(15, "#include <cfloat>\n");
    CHECK(lists() == std::vector<std::string>{one});
    add(1, "#include <cfloat>\n");
    CHECK(lists() == std::vector<std::string>{both, one});
}

TEST_CASE("an attempt with more headers uses the one that is shared, and gets none that it did not ask for",
          "[precompiled]") {
    Workbench bench;
    bench.options.make_precompiled = false;
    std::vector<fs::path> sources;
    for (const char* first : {"#include <cfloat>\n", "#include <cerrno>\n", "", "#include <cassert>\n"}) {
        sources.push_back(bench.attempts() / ("toy" + std::to_string(sources.size()) + ".cpp"));
        bench.write(sources.back().filename(), first + std::string(with_headers));
    }
    precompile_for(sources, bench.inputs, bench.toolchain, bench.options);
    REQUIRE(kept(bench, ".size").size() == 1);
    CHECK(text_of(kept(bench, ".hpp").at(0)) == "#include <climits>\n"); // all four hold it
    const fs::path size = kept(bench, ".size")[0];
    const auto marked = fs::file_time_type::clock::now() - std::chrono::hours(1);
    const auto used = [&](const std::string& text) {
        fs::last_write_time(size, marked);
        bench.write("toy.cpp", text);
        const bool built = bench.build().ok();
        return std::pair(built, fs::last_write_time(size) > marked);
    };
    const std::string fill = "void toy::fill(view<float> out, float) { out.data[0] = DBL_MAX > INT_MAX; }\n";
    CHECK(used("#include <cfloat>\n#include <climits>\n#include \"contract.hpp\"\n" + fill) == std::pair(true, true));
    CHECK(used("#include <cfloat>\n#include \"contract.hpp\"\n" + fill) == std::pair(false, false)); // INT_MAX
    CHECK(used("#include <climits>\n#include \"contract.hpp\"\n" + fill) == std::pair(false, true)); // DBL_MAX
    // A candidate gets one of the whole list for the next time.
    bench.options.make_precompiled = true;
    CHECK(used("#include <climits>\n#include <cfloat>\n#include \"contract.hpp\"\n" + fill) == std::pair(true, true));
    finish_background_builds();
    CHECK(kept(bench, ".size").size() == 2);
}

/// An emulation of CUDA that is next to nothing, for attempts of which nothing is run.
struct Emulated : Workbench {
    Emulated() {
        // In the place of the functions that -fsanitize=thread calls.
        put(folder.path() / "entry.cpp", "extern \"C\" { void __tsan_init() {} void __tsan_write4(void*) {} }\n");
        const std::string entry = (folder.path() / "entry.o").native();
        inputs.entry_object = shared().compile((folder.path() / "entry.cpp").native(), entry, {"-c", "-fPIC"});
        inputs.contract = folder.path() / "exercise";
        inputs.cuda = folder.path() / "cuda";
        put(inputs.contract / "contract.cuh", "#ifndef TOY_CUH\n#define TOY_CUH\n#include <toy_device.h>\n"
                                              "namespace toy { void fill(int* out); }\n#endif\n");
        put(inputs.cuda / "cuda_runtime.h", ""); // included first, whatever an attempt includes
        device("#define TOY 3\n");
    }
    void device(const std::string& text) const {
        put(inputs.cuda / "toy_device.h", "#ifndef TOY_DEVICE_H\n#define TOY_DEVICE_H\n" + text + "#endif\n");
    }
    /// Whether the build used the only precompiled header that there is.
    bool uses(const std::string& text) const {
        const fs::path size = kept(*this, ".size").at(0);
        const auto marked = fs::file_time_type::clock::now() - std::chrono::hours(1);
        fs::last_write_time(size, marked);
        write("toy.cu", text);
        CHECK_FALSE(built("toy.cu").cached);
        return fs::last_write_time(size) > marked;
    }
};

const std::string cuda_head = "#include \"contract.cuh\"\n#include <climits>\n";
const std::string cuda_body = "void toy::fill(int* out) { *out = INT_MAX - TOY; }\n";

TEST_CASE("the emulation's headers are precompiled with an attempt's own, in its order", "[precompiled]") {
    Emulated bench;
    bench.write("toy.cu", cuda_head + cuda_body);
    bench.built("toy.cu");
    finish_background_builds();
    REQUIRE(kept(bench, ".size").size() == 1);
    CHECK(text_of(kept(bench, ".hpp").at(0)) ==
          "#include <cuda_runtime.h>\n#include <toy_device.h>\n#include <climits>\n");
    bench.options.make_precompiled = false;
    CHECK(bench.uses(cuda_head + cuda_body + "// changed\n"));
    CHECK_FALSE(bench.uses("#include <climits>\n#include \"contract.cuh\"\n" + cuda_body));
    CHECK_FALSE(bench.uses("#define MINE\n" + cuda_head + cuda_body));
    SECTION("and again when one of them changes") {
        bench.device("#define TOY 4\n");
        CHECK_FALSE(bench.uses(cuda_head + cuda_body + "// changed again\n"));
    }
}

TEST_CASE("attempts in CUDA share a precompiled header that is how they begin", "[precompiled]") {
    Emulated bench;
    bench.options.make_precompiled = false;
    std::vector<fs::path> sources;
    for (const char* more : {"", "#include <cfloat>\n", "#include <cerrno>\n", "#include <cassert>\n"}) {
        sources.push_back(bench.attempts() / ("toy" + std::to_string(sources.size()) + ".cu"));
        put(sources.back(), cuda_head + more + cuda_body);
    }
    precompile_for(sources, bench.inputs, bench.toolchain, bench.options);
    REQUIRE(kept(bench, ".size").size() == 1);
    CHECK(text_of(kept(bench, ".hpp").at(0)) ==
          "#include <cuda_runtime.h>\n#include <toy_device.h>\n#include <climits>\n");
    CHECK(bench.uses(cuda_head + "#include <cfloat>\n" + cuda_body));
    CHECK_FALSE(bench.uses("#include <cfloat>\n" + cuda_head + cuda_body)); // holds them all, but not first
}

} // namespace
