// The rewriter: what it changes, what it leaves alone, what it refuses.
#include "host/rewrite.hpp"

#include "catch.hpp"
#include <algorithm>

using assay::simt::rewrite;
using assay::simt::Rewritten;

namespace {

/// Without the two lines that every file gets in front.
std::string body(std::string_view source) {
    const Rewritten rewritten = rewrite(source, "attempt.cu");
    for (const auto& lack : rewritten.unsupported) FAIL_CHECK(lack.sentence);
    const std::string front = "#include <cuda_runtime.h>\n#line 1 \"attempt.cu\"\n";
    REQUIRE(rewritten.text.substr(0, front.size()) == front);
    return rewritten.text.substr(front.size());
}

std::string launch(const std::string& configuration, const std::string& call) {
    return "::assay::simt::launch_on(" + configuration + ") ? (void)0 : " + call;
}

std::string refusal(std::string_view source, int line) {
    const Rewritten rewritten = rewrite(source, "attempt.cu");
    REQUIRE(rewritten.unsupported.size() == 1);
    CHECK(rewritten.unsupported[0].line == line);
    return rewritten.unsupported[0].sentence;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("Launches") {
    CHECK(body("k<<<1, 2>>>(x);") == launch("1, 2", "k(x);"));
    CHECK(body("k <<< 1, 2 >>> (x);") == launch(" 1, 2 ", "k  (x);"));
    CHECK(body("f(); ns::k<T, 4><<<dim3(a, b), 2, n * sizeof(float), s>>>(x);") ==
          "f(); " + launch("dim3(a, b), 2, n * sizeof(float), s", "ns::k<T, 4>(x);"));
    CHECK(body("::k<<<1, 2>>>();") == launch("1, 2", "::k();"));
    CHECK(body("if (n > 2) k<(a > b), A<B<int>>><<<1, 2>>>();") ==
          "if (n > 2) " + launch("1, 2", "k<(a > b), A<B<int>>>();"));
    CHECK(body("return k<<<1, 2>>>();") == "return " + launch("1, 2", "k();"));
    CHECK(body("return ::k<<<1, 2>>>();") == "return " + launch("1, 2", "::k();"));
    CHECK(body("else k<<<1, f<g<h<int>>>(2)>>>();").substr(0, 5) == "else ");
    CHECK(body("kernels[i]<<<1, 2>>>();") == launch("1, 2", "kernels[i]();"));
    CHECK(body("(pick(3))<<<1, 2>>>();") == launch("1, 2", "(pick(3))();"));
    CHECK(body("A<int>::k<<<1, 2>>>();") == launch("1, 2", "A<int>::k();"));
    CHECK(body("#define RUN(k, ...) k##_f<<<1, \\\n 2>>>(__VA_ARGS__)\n") ==
          "#define RUN(k, ...) " + launch("1, \\\n 2", "k##_f(__VA_ARGS__)\n"));
}

TEST_CASE("Lines stay where they are") {
    const std::string source =
        "void f() {\n    k<float>\n        <<<grid,\n           block>>>(a,\n                    b);\n}\nint last;\n";
    const std::string text = body(source);
    CHECK(std::count(text.begin(), text.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
    CHECK(text.substr(text.rfind("int last")) == "int last;\n");
    const std::string shared = "extern\n  __shared__\n float s[];\nint x;";
    CHECK(body(shared).substr(0, 2) == "\n\n");
}

TEST_CASE("What only looks like CUDA is left alone") {
    for (const char* source :
         {"const char* s = \"k<<<1, 2>>>(x)\";", "// k<<<1, 2>>>(x)\nint x;", "/* __global__ k<<<1, 2>>> */ int x;",
          "auto s = R\"(k<<<1, 2>>>(x) \" __global__)\";", "auto s = u8R\"x()\" k<<<1,2>>>)x\";",
          "int x = 1 << 2, y = x >> 1;", "A<B<C<int>>> x;", "char c = '\"'; int k = 1'000'000; char d = '<';",
          "#error don't k\nint x;", "// one \\\n k<<<1, 2>>>(x)\nint x;", "__global__ void k(float*);",
          "__shared__ float s[32];", "template <class T> __global__ void k(T* x, int n = f(3));",
          "int y = a < b && c > d;"})
        CHECK(body(source) == source);
}

TEST_CASE("Kernels' bodies") {
    const std::string open = " ::assay::simt::kernel(__func__, [=]() mutable {", close = "}); ";
    CHECK(body("__global__ void k(int n) { if (n) { f(); } }") ==
          "__global__ void k(int n) {" + open + " if (n) { f(); } " + close + "}");
    CHECK(body("template <int n> __global__ void __launch_bounds__(n) k(T (&x)[n], A a = A{1}) {}") ==
          "template <int n> __global__ void __launch_bounds__(n) k(T (&x)[n], A a = A{1}) {" + open + close + "}");
    CHECK(body("#define K(n) __global__ void n() { f(); }\nint x;") ==
          "#define K(n) __global__ void n() {" + open + " f(); " + close + "}\nint x;");
    CHECK(body("__global__ void k() {\n#if A\n f(\"}\");\n#endif\n}") ==
          "__global__ void k() {" + open + "\n#if A\n f(\"}\");\n#endif\n" + close + "}");
    CHECK(body("__device__ __noinline__ int f();") == "__device__ __attribute__((noinline)) int f();");
}

TEST_CASE("Dynamic shared memory") {
    const auto array = [](const std::string& type, const std::string& name) {
        return "[[maybe_unused]] ::assay::simt::Dynamic<" + type + ">& " + name + " = ::assay::simt::dynamic_array<" +
               type + ">();";
    };
    CHECK(body("extern __shared__ float s[];") == array("float[]", "s"));
    CHECK(body("{ extern volatile __shared__ unsigned char s[]; }") ==
          "{ " + array("volatile unsigned char[]", "s") + " }");
    CHECK(body("extern __shared__ __align__(16) T s[][8];") == array("T[][8]", "s"));
    CHECK(body("extern __shared__ alignas(16) A<int, 3> s[];") == array("A < int , 3 >[]", "s"));
    CHECK(contains(refusal("\nextern __shared__ float s;", 2), "extern __shared__ T name[]"));
    CHECK(contains(refusal("extern __shared__ float s[], t[];", 1), "one extern __shared__ array"));
}

TEST_CASE("What the emulation cannot run is told with its line") {
    CHECK(contains(refusal("int x;\n#include <cub/cub.cuh>\n", 2), "has no CUB"));
    CHECK(contains(refusal("__device__ void f() {\n asm volatile(\"bar.sync 0;\");\n}", 2), "runs no PTX"));
    CHECK(contains(refusal("#define K(n) __global__ void n()\nK(k) { }", 1), "does not find this kernel's body"));
    CHECK(contains(refusal("k<<<1, 2;", 1), "has no >>>"));
    CHECK(contains(refusal("x = <<<1, 2>>>();", 1), "after nothing that could be a kernel"));
    CHECK(rewrite("// asm\nconst char* s = \"asm\"; int asmx; // <cub/x>\n", "a.cu").unsupported.empty());
}
