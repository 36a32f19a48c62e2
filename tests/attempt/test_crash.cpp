// Sanitisers' reports in words. The reports are real ones, shortened.
#include "attempt/crash.hpp"
#include "attempt/workbench.hpp"

namespace {

using namespace workbench;
using Frames = std::vector<std::string>;

Crash parsed(const std::string& text, std::string_view source = "sdpa.cpp") {
    const std::optional<Crash> crash = parse_sanitiser_report(text, source);
    REQUIRE(crash.has_value());
    return *crash;
}

std::string headline(const std::string& rest) { return "==9770==ERROR: AddressSanitizer: " + rest + "\n"; }

const std::string stack =
    "    #0 0x7faf81d301df in get(float const*, int) ./index.hpp:7:50\n"
    "    #1 0x7faf81d301df in sdpa::begin(assay::tensor<float, 2ul>) sdpa.cpp:31\n"
    "    #2 0x7faf81d3065e in assay::call(int) /build/harness/worker/serve.cpp:10\n"
    "    #3 0x55cefacf11bf in main (/tmp/worker+0x11bf) (BuildId: 5d5baee1e9cc)\n"
    "    #4 0x7f0b53a45249 in __libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n"
    "    #5 0x7faf82ad6249 (/lib/libc.so.6+0x27249)\n\n";

TEST_CASE("an overrun of a block says by how much and where the block comes from", "[crash]") {
    const std::string allocation =
        "allocated by thread T0 here:\n"
        "    #0 0x7faf824b94c8 in operator new(unsigned long) "
        "../../../../src/libsanitizer/asan/asan_new_delete.cpp:95\n"
        "    #1 0x7faf81d2fb4c in std::__new_allocator<float>::allocate(unsigned long, void const*) "
        "/usr/include/c++/12/bits/new_allocator.h:137\n"
        "    #2 0x7faf81d2fb4c in sdpa::begin(assay::tensor<float, 2ul>) sdpa.cpp:20\n\n";
    for (const char* location : {"0x603000000084 is located 0 bytes to the right of 20-byte region [0x6,0x7)\n",
                                 "0x603000000084 is located 0 bytes after 20-byte region [0x6,0x7)\n"}) {
        const Crash crash =
            parsed("sdpa said something first\n" + headline("heap-buffer-overflow on address 0x6 at pc 0x7") +
                   "READ of size 4 at 0x603000000084 thread T0\n" + stack + location + allocation +
                   "SUMMARY: AddressSanitizer: heap-buffer-overflow index.hpp:7 in get\n");
        CHECK(crash.kind == "heap-buffer-overflow");
        CHECK(crash.where == "index.hpp:7");
        CHECK(crash.summary == "heap-buffer-overflow, index.hpp:7: read of 4 bytes just past a 20-byte block allocated "
                               "at sdpa.cpp:20");
        CHECK(crash.frames == Frames{"index.hpp:7 in get", "sdpa.cpp:31 in sdpa::begin"});
    }
    CHECK(parsed(headline("heap-buffer-overflow on address 0x6") + "WRITE of size 1 at 0x6 thread T0\n" + stack +
                 "0x6 is located 12 bytes to the left of 40-byte region [0x6,0x7)\n")
              .summary == "heap-buffer-overflow, index.hpp:7: write of 1 byte 12 bytes before a 40-byte block");
    CHECK(parsed(headline("heap-use-after-free on address 0x6") + "READ of size 4 at 0x6 thread T0\n" + stack +
                 "0x6 is located 4 bytes inside of 40-byte region [0x6,0x7)\nfreed by thread T0 here:\n"
                 "    #0 0x1 in operator delete(void*) ../x.cpp:1\n    #1 0x2 in go sdpa.cpp:40\n\n"
                 "previously allocated by thread T0 here:\n    #0 0x1 in go sdpa.cpp:39\n\n")
              .summary == "heap-use-after-free, index.hpp:7: read of 4 bytes inside a 40-byte block allocated at "
                          "sdpa.cpp:39 and freed at sdpa.cpp:40");
}

TEST_CASE("overruns of variables name the variable", "[crash]") {
    CHECK(parsed(headline("stack-buffer-overflow on address 0x7") + "WRITE of size 4 at 0x7 thread T0\n" + stack +
                 "Address 0x7 is located in stack of thread T0 at offset 48 in frame\n"
                 "    #0 0x7 in sdpa::begin(int) sdpa.cpp:9\n\n  This frame has 2 object(s):\n"
                 "    [32, 48) 'row' (line 12) <== Memory access at offset 48 overflows this variable\n"
                 "    [64, 80) 'other' (line 13)\n")
              .summary ==
          "stack-buffer-overflow, index.hpp:7: write of 4 bytes past the end of 'row', declared in line 12");
    CHECK(
        parsed(headline("global-buffer-overflow on address 0x7") + "READ of size 4 at 0x7 thread T0\n" + stack +
               "0x7 is located 0 bytes to the right of global variable 'table' defined in 'sdpa.cpp:3:7' (0x7) of size "
               "16\n")
            .summary == "global-buffer-overflow, index.hpp:7: read of 4 bytes just past global variable 'table' of 16 "
                        "bytes");
}

TEST_CASE("wild addresses are told from null pointers and from the tensors' surroundings", "[crash]") {
    const auto crash = [](const std::string& address) {
        return parsed("AddressSanitizer:DEADLYSIGNAL\n" +
                      headline("SEGV on unknown address " + address + " (pc 0x1 bp 0x2 sp 0x3 T0)") +
                      "==9770==The signal is caused by a WRITE memory access.\n" + stack);
    };
    CHECK(crash("0x000000000010").summary == "SEGV, index.hpp:7: write through a null pointer");
    CHECK(crash("0x7f0000001000").summary ==
          "SEGV, index.hpp:7: it touched memory outside the tensors and outside its own (write at an address where "
          "nothing lies)");
    CHECK(parsed(headline("use-after-poison on address 0x7") + "READ of size 2 at 0x7 thread T1\n" + stack).summary ==
          "use-after-poison, index.hpp:7: it touched memory outside the tensors (read of 2 bytes)");
}

TEST_CASE("other faults have their words too", "[crash]") {
    const auto summary = [](const std::string& text) { return parsed(headline(text) + stack).summary; };
    CHECK(summary("stack-overflow on address 0x7ffc (pc 0x1)").find("recursion without end") != std::string::npos);
    CHECK(summary("attempting double-free on 0x6 in thread T0:").find("double-free, ") == 0);
    CHECK(summary("attempting free on address which was not malloc()-ed: 0x6 in thread T0").find("bad-free, ") == 0);
    CHECK(summary("alloc-dealloc-mismatch (operator new [] vs operator delete) on 0x6") ==
          "alloc-dealloc-mismatch, index.hpp:7: a block was freed in another way than it was allocated (operator new "
          "[] vs operator delete)");
    CHECK(summary("requested allocation size 0xfffffffffffffffc (0x800 after adjustments) exceeds maximum") ==
          "allocation-size-too-big, index.hpp:7: 0xfffffffffffffffc bytes of memory were asked for: a negative size, "
          "perhaps");
    CHECK(summary("negative-size-param: (size=-4)").find("a negative size (-4)") != std::string::npos);
    CHECK(summary("FPE on unknown address 0x7 (pc 0x7)") == "FPE, index.hpp:7: an integer was divided by zero");
    CHECK(summary("brand-new-fault on address 0x7") == "brand-new-fault, index.hpp:7");
    CHECK(parsed(headline("stack-overflow on address 0x7")).where.empty());
    CHECK(parsed(headline("")).kind.empty());
}

TEST_CASE("undefined behaviour is named, and comes before the crash that it leads to", "[crash]") {
    const std::string overflow = "sdpa.cpp:4:44: runtime error: signed integer overflow: 2147483600 + 100 cannot be "
                                 "represented in type 'int'\n";
    const Crash alone = parsed(overflow);
    CHECK(alone.kind == "signed-integer-overflow");
    CHECK(alone.where == "sdpa.cpp:4");
    CHECK(alone.frames.empty());
    CHECK(alone.summary == "signed-integer-overflow, sdpa.cpp:4: signed integer overflow: 2147483600 + 100 cannot be "
                           "represented in type 'int'");
    const std::string crash = headline("heap-buffer-overflow on address 0x6") + "READ of size 4 at 0x6 thread T0\n" +
                              stack + "0x6 is located 0 bytes to the right of 20-byte region [0x6,0x7)\n";
    const Crash both = parsed(overflow + "SUMMARY: UndefinedBehaviorSanitizer: ...\n" + crash);
    CHECK(both.where == "sdpa.cpp:4");
    CHECK(both.summary == alone.summary + "; then heap-buffer-overflow, index.hpp:7: read of 4 bytes just past a "
                                          "20-byte block");
    CHECK(both.frames.size() == 2);
    CHECK(parsed(crash + overflow).where == "index.hpp:7");
    // In a library header: the attempt's frame is what helps.
    const Crash deep = parsed("/usr/include/c++/12/bits/stl_vector.h:1123:34: runtime error: reference binding to null "
                              "pointer of type 'float'\n" +
                              stack);
    CHECK(deep.kind == "null-pointer");
    CHECK(deep.where == "index.hpp:7");
    CHECK(parsed("./sdpa.cpp:9:5: runtime error: index 4 out of bounds for type 'float [4]'\n").kind ==
          "index-out-of-bounds");
}

TEST_CASE("file names with spaces are found, and foreign text is no report", "[crash]") {
    CHECK(parsed(headline("SEGV on unknown address 0x7f0000001000") + "    #0 0x7 in f(int, int) my file.cpp:8\n",
                 "my file.cpp")
              .where == "my file.cpp:8");
    for (const char* text : {"", "\n", "Segmentation fault\n", "ERROR: LeakSanitizer: detected memory leaks\n",
                             "#0 0x1 in f sdpa.cpp:1\n", "sdpa.cpp:1: error: x\n"})
        CHECK_FALSE(parse_sanitiser_report(text, "sdpa.cpp").has_value());
}

TEST_CASE("a sanitised build reports the attempt's own line from within a plain program", "[crash]") {
    Workbench bench;
    bench.options.sanitise = true;
    bench.write("toy.cpp", "#include \"contract.hpp\"\n#include \"index.hpp\"\n"
                           "void toy::fill(view<float> out, float value) {\n"
                           "    float* own = new float[9];\n"
                           "    own[index(static_cast<int>(value))] = 0;\n"
                           "    out.data[0] = own[0];\n"
                           "    delete[] own;\n}\n");
    bench.write("index.hpp", "inline int index(int n) {\n    return n * n;\n}\n");
    const Outcome<Built> built = bench.build();
    if (!built && built.failure().verdict == Verdict::SKIP) {
        WARN(built.failure().reason);
        return;
    }
    REQUIRE(built.ok());
    CHECK(fs::exists(built->preload));
    put(shared().folder.path() / "host.cpp",
        "#include <dlfcn.h>\n#include <cstdlib>\n#include \"contract.hpp\"\n"
        "int main(int, char** argument) {\n    void* handle = dlopen(argument[1], RTLD_NOW);\n"
        "    if (!handle) return 3;\n    float value = 0;\n"
        "    (*static_cast<void (**)(toy::view<float>, float)>(dlsym(handle, \"toy_fill\")))({&value, 1}, "
        "static_cast<float>(std::atof(argument[2])));\n    return 4;\n}\n");
    const fs::path host = shared().compile("host.cpp", "host", {"-ldl", "-Wl,--no-as-needed"});
    const auto report = [&](const std::string& value) {
        Command command{{host.native(), built->library.native(), value}, clean_environment(), "/", {}, {}};
        command.environment.push_back("LD_PRELOAD=" + built->preload.native());
        command.environment.emplace_back("ASAN_OPTIONS=detect_leaks=0");
        for (std::string& entry : command.environment) // clang's symboliser lies beside its compiler
            if (entry.substr(0, 5) == "PATH=") entry += ":" + bench.toolchain.compiler.parent_path().native();
        const Outcome<Ended> ended = run(command, std::chrono::seconds(20));
        REQUIRE(ended.ok());
        INFO(ended->output);
        CHECK(ended->exited);
        return *ended;
    };
    const Ended fine = report("2");
    CHECK(fine.exit_code == 4);
    CHECK_FALSE(parse_sanitiser_report(fine.output, "toy.cpp").has_value());
    CHECK(parsed(report("3").output, "toy.cpp").summary ==
          "heap-buffer-overflow, toy.cpp:5: write of 4 bytes just past a 36-byte block allocated at toy.cpp:4");
    const Crash overflow = parsed(report("100000").output, "toy.cpp");
    CHECK(overflow.kind == "signed-integer-overflow");
    CHECK(overflow.where == "index.hpp:2");
    CHECK(overflow.summary.find("; then ") != std::string::npos);
    CHECK(overflow.summary.find("toy.cpp:5") != std::string::npos);
}

} // namespace
