// What a failed build is called, and the words around it.
#include "attempt/build_diagnostics.hpp"
#include "attempt/workbench.hpp"

#include <csignal>

namespace {

using namespace workbench;

Failure explained(const std::string& output, bool cut = false) {
    Ended ended;
    ended.exited = true;
    ended.exit_code = 1;
    ended.output = output;
    ended.output_cut = cut;
    return compile_failure(ended, "toy.cpp", {"/stage/x"}, {"/exercise", "/headers", "/entry.o", {}}, {}, {});
}

TEST_CASE("a compile error keeps the compiler's words, with the attempt's own paths", "[diagnostics]") {
    Workbench bench;
    bench.write("toy.cpp", "#include \"contract.hpp\"\nvoid toy::fill(view<float> out, float value) {\n"
                           "    out.data[0] = valeu;\n    merge(out);\n}\n");
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::CE);
    CHECK(failure.reason.find("it does not compile: toy.cpp:3: ") == 0);
    CHECK(failure.reason.find("valeu") != std::string::npos);
    CHECK(failure.reason.find("(first of 2 errors)") != std::string::npos);
    CHECK(failure.detail.find("toy.cpp:3:19: error:") != std::string::npos);
    CHECK(failure.detail.find("contract.hpp:") != std::string::npos); // where merge is declared
    CHECK(failure.detail.find("../contract") == std::string::npos);
    CHECK(failure.detail.find(bench.folder.path().native()) == std::string::npos);
    CHECK(failure.detail.find('\x1b') == std::string::npos);
    CHECK(bench.failed().detail == failure.detail); // byte for byte

    bench.options.colour = true;
    const Failure coloured = bench.failed();
    CHECK(coloured.detail.find("\x1b[") != std::string::npos);
    CHECK(coloured.reason == failure.reason);
}

TEST_CASE("a function that is called but defined nowhere is a compile error in plain words", "[diagnostics]") {
    Workbench bench;
    bench.write("toy.cpp", "#include \"contract.hpp\"\nint helper(int); extern int table;\n"
                           "void toy::fill(view<float> out, float) { merge(out, {}, {}); "
                           "out.data[0] = static_cast<float>(helper(helper(table))); }\n");
    const std::string expected =
        "toy.cpp: error: helper(int) is declared and used, but defined nowhere\n"
        "toy.cpp: error: table is declared and used, but defined nowhere\n"
        "toy.cpp: error: toy::merge(view<float>, view<const float>, optional<float>) is declared and used, but defined "
        "nowhere\n";
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::CE);
    CHECK(failure.reason == "it does not link: helper(int) is declared and used, but defined nowhere");
    CHECK(failure.detail == expected);
    bench.toolchain.linker.clear(); // the compiler's own words it otherwise
    CHECK(bench.failed().detail == expected);
}

TEST_CASE("every linker's words for a missing or doubled name are understood", "[diagnostics]") {
    for (const char* output :
         {"mold: error: undefined symbol: foo(int)\n>>> referenced by toy.cpp\n>>>               /tmp/ccAb1234.o:(f)\n"
          "collect2: error: ld returned 1 exit status\n",
          "ld.lld: error: undefined symbol: foo(int)\n>>> referenced by toy.cpp\n"
          "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n",
          "/usr/bin/ld.bfd: /tmp/ccIcGgzk.o: in function `f()':\ntoy.cpp:(.text+0xa): undefined reference to "
          "`foo(int)'\n/usr/bin/ld.bfd: toy.cpp:(.text+0x14): undefined reference to `foo(int)'\n",
          "/tmp/ccx2tTdP.o:toy.cpp:function f(): error: undefined reference to 'foo(int)'\n"})
        CHECK(explained(output).detail == "toy.cpp: error: foo(int) is declared and used, but defined nowhere\n");
    for (const char* output :
         {"mold: error: duplicate symbol: /tmp/ccAb1234.o: /entry.o: toy_fill\n",
          "ld.lld: error: duplicate symbol: toy_fill\n>>> defined at toy.cpp\n",
          "/usr/bin/ld.bfd: /entry.o:(.data+0x0): multiple definition of `toy_fill'; /tmp/ccA.o:(.data): first defined "
          "here\n"})
        CHECK(explained(output).detail == "toy.cpp: error: toy_fill is defined more than once\n");
}

TEST_CASE("limits and broken toolchains are told from the attempt's errors", "[diagnostics]") {
    Ended ended;
    ended.signal = SIGXCPU;
    const Failure slow = compile_failure(ended, "toy.cpp", {"/s"}, {}, {}, {});
    CHECK(slow.verdict == Verdict::CE);
    CHECK(slow.reason == "compiling took longer than 30 s");
    ended.signal = SIGKILL;
    ended.timed_out = true;
    const Failure starved = compile_failure(ended, "toy.cpp", {"/s"}, {}, {}, {});
    CHECK(starved.verdict == Verdict::JE); // a busy machine is not the candidate's fault
    CHECK(starved.reason == "the compiler did not get the 30 s of CPU time it may take within 180 s: the machine is too "
                            "busy, run it again when it is less so");
    for (const char* sign : {"cc1plus: out of memory allocating 65536 bytes after a total of 9 bytes\n",
                             "virtual memory exhausted: Cannot allocate memory\n",
                             "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n"})
        CHECK(explained(sign).reason == "compiling took more than 4 GiB of memory");
    const Failure broken = explained("g++: fatal error: cannot execute 'as': execvp: No such file or directory\n");
    CHECK(broken.verdict == Verdict::JE);
    CHECK(broken.reason.find("cannot execute 'as'") != std::string::npos);
    CHECK(explained("/stage/x/temporary/ccAb1234.s:7: Error: no such instruction: `foo'\n").reason ==
          "it does not compile: attempt.s:7: no such instruction: `foo'");
    CHECK(explained("mold: error: something new\n").verdict == Verdict::CE);
}

TEST_CASE("a memory limit on the compiler is the attempt's failure", "[diagnostics]") {
    Workbench bench;
    bench.options.memory_limit = std::uint64_t{48} << 20;
    bench.write("toy.cpp", "template <int N> struct S { S<N - 1> a; int b[N]; };\ntemplate <> struct S<0> {};\n"
                           "constexpr int many[9000000] = {1};\nint f(int i) { return many[i]; }\n");
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::CE);
    CHECK(failure.reason.find("of memory") != std::string::npos);
}

TEST_CASE("endless diagnostics are cut at a line", "[diagnostics]") {
    Workbench bench;
    std::string source; // each error shows its line
    for (int i = 0; i < 40; ++i) source += "int* x" + std::to_string(i) + " = 1.5" + std::string(4000, '0') + ";\n";
    bench.write("toy.cpp", source);
    const Failure failure = bench.failed();
    CHECK(failure.detail.size() < most_diagnostics + 200);
    const std::string end = "\n(cut here: the compiler wrote more than 64 KiB)\n";
    REQUIRE(failure.detail.size() > end.size());
    CHECK(failure.detail.substr(failure.detail.size() - end.size()) == end);
}

TEST_CASE("a header that was not taken is named above the errors that follow from it", "[diagnostics]") {
    Workbench bench;
    bench.write("toy.cpp", "#include \"../up.hpp\"\n");
    const Failure failure = bench.failed();
    CHECK(failure.verdict == Verdict::CE);
    CHECK(failure.detail.find("note: ../up.hpp was not used: it lies outside the attempt's folder\n") == 0);
    CHECK(failure.detail.find("toy.cpp:1:10: fatal error: ") != std::string::npos);
}

} // namespace
