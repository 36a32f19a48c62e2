// What an attempt in Python does wrong, or does to its process, becomes a verdict with the line where it happened.
#include "python/toy.hpp"

using namespace toy_python;

namespace {

std::vector<Field> picked(std::int64_t n = 3) {
    return {absent("mask"), array("x", Array::zeros(Dtype::i32, {n})), array("y", Array::zeros(Dtype::i64, {n}))};
}

Failure ended(const std::string& body, const std::string& before = "", double cpu_seconds = 2) {
    Code code(before + "\ndef pick(mask, x, y):\n    " + body + "\n", cpu_seconds);
    return code.failure("pick", picked());
}

} // namespace

TEST_CASE("what does not compile is CE, in a compiler's form") {
    if (!there()) return;
    Code code("def pick(mask, x, y)\n    pass\n");
    REQUIRE_FALSE(code.built().ok());
    CHECK(code.built().failure().verdict == Verdict::CE);
    CHECK(contains(code.built().failure().detail, "toy.py:1: error: "));
    CHECK(contains(code.built().failure().detail, "    def pick(mask, x, y)\n"));
    CHECK_FALSE(contains(code.built().failure().detail, "Traceback"));
    Code zero("def pick(mask, x, y):\n    pass\n    \xff\n");
    REQUIRE_FALSE(zero.built().ok());
    CHECK(zero.built().failure().verdict == Verdict::CE);
    for (const char nested : {'-', '(', '['}) {
        Code deep("x = " + std::string(200000, nested) + "1\n");
        REQUIRE_FALSE(deep.built().ok());
        CHECK(deep.built().failure().verdict == Verdict::CE);
        CHECK(contains(deep.built().failure().detail, "toy.py"));
    }
}

TEST_CASE("an exception is told with its text and the attempt's own lines, innermost first") {
    if (!there()) return;
    const Failure failure = ended("return half(0)", "def half(n):\n    return 1 / n");
    CHECK(failure.verdict == Verdict::RTE);
    CHECK(failure.reason == "pick let ZeroDivisionError escape: division by zero\n"
                            "toy.py:2 in half: return 1 / n\n"
                            "toy.py:4 in pick: return half(0)");
    const Failure deep = ended("return down(0)", "def down(n):\n    return down(n + 1)");
    CHECK(contains(deep.reason, "RecursionError"));
    const Failure stopped = ended("next(iter([]))"); // not to be taken for the end of the judge's own message
    CHECK(stopped.verdict == Verdict::RTE);
    CHECK(contains(stopped.reason, "StopIteration"));
    CHECK(deep.reason.size() < 400);
}

TEST_CASE("a wrong index, a wrong value and a write to an input are told by the tensor's name") {
    if (!there()) return;
    CHECK(contains(ended("y[3] = 0").reason, "index 3 is out of range for axis 0 of `y`, which has extent 3"));
    CHECK(contains(ended("x[-4]").reason, "index -4 is out of range"));
    CHECK(contains(ended("x[0, 1]").reason, "`x` has 1 axes, not 2"));
    CHECK(contains(ended("y[0] = 0.5").reason, "0.5 does not fit `y`, which holds int64"));
    CHECK(contains(ended("x[0] = 1").reason, "`x` is an input: it may not be written"));
    CHECK(contains(ended("y[...] = [1, 2]").reason, "2 entries do not fit an axis of `y` with extent 3"));
    CHECK(contains(ended("return 1 if x else 2").reason, "write `x is not None`"));
}

TEST_CASE("a tensor that is kept is gone in the next call") {
    if (!there()) return;
    Code code("kept = []\ndef pick(mask, x, y):\n    y[...] = 1\n    kept.append(x)\n    y[0] = kept[0][0]\n");
    CHECK(code.ask("pick", picked()).ok());
    CHECK(contains(code.failure("pick", picked()).reason, "`x` belongs to an earlier call: copy what is to be kept"));
}

TEST_CASE("an array that numpy would make of a tensor may not outlive the call") {
    if (!there()) return;
    // What numpy keeps of a tensor is this object.
    const std::string keeps = "kept.append(x.__array_interface__['data'])";
    CHECK(
        contains(ended("y[...] = 1; " + keeps, "kept = []").reason, "a view of a tensor outlives the call: copy what"));
    Code code("import assay\nkept = [assay.zeros(3).__array_interface__['data']]\n"
              "def pick(mask, x, y):\n    here = x.__array_interface__['data']\n    y[...] = 1\n");
    CHECK(code.ask("pick", picked()).ok());
    CHECK(code.ask("pick", picked()).ok());
}

TEST_CASE("ways to end: sys.exit, os._exit, a signal") {
    if (!there()) return;
    for (const char* body : {"sys.exit(0)", "exit()", "quit()"}) {
        const Failure failure = ended(body, "import sys");
        CHECK(failure.verdict == Verdict::RTE);
        CHECK(contains(failure.reason, "SystemExit"));
    }
    CHECK(contains(ended("os._exit(0)", "import os").reason, "pick called exit(0) before it had answered"));
    CHECK(contains(ended("os.abort()", "import os").reason, "SIGABRT"));
}

TEST_CASE("limits: CPU time, the clock, memory, output") {
    if (!there()) return;
    CHECK(ended("while True: pass", "", 0.3).verdict == Verdict::TLE);
    CHECK(ended("time.sleep(60)", "import time", 0.3).verdict == Verdict::TLE);
    CHECK(ended("return [0] * (1 << 30)").verdict == Verdict::MLE);
    CHECK(ended("while True: print('x' * 1000)").verdict == Verdict::OLE);
}

TEST_CASE("prints are gathered, also those before a crash") {
    if (!there()) return;
    Code code("def pick(mask, x, y):\n    print('seen')\n    y[...] = 0\n");
    CHECK(code.ask("pick", picked()).ok());
    CHECK(code.attempt().printed() == "seen\n");
    Code dies("import os\ndef pick(mask, x, y):\n    print('before')\n    os._exit(1)\n");
    CHECK(dies.failure("pick", picked()).verdict == Verdict::RTE);
    CHECK(contains(dies.attempt().printed(), "before"));
}

TEST_CASE("what goes wrong while it is loaded, and functions that are missing") {
    if (!there()) return;
    Code code("import no_such_module\n");
    const auto loaded = code.attempt().missing_functions();
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.failure().verdict == Verdict::RTE);
    CHECK(contains(loaded.failure().reason, "the attempt could not be loaded: ModuleNotFoundError: "));
    CHECK(contains(loaded.failure().reason, "toy.py:1: import no_such_module"));
    Code some("def pick(mask, x, y):\n    pass\ncharge = 3\n");
    const auto missing = some.attempt().missing_functions();
    REQUIRE(missing.ok());
    CHECK(*missing == std::vector<std::string>{"charge", "scale_half", "weighted", "total", "make_walker"});
}

TEST_CASE("an attempt that speaks on the judge's channel fails by its own doing") {
    if (!there()) return;
    CHECK(ended("os.write(3, b'forged')", "import os").verdict == Verdict::RTE);
    CHECK(ended("os.close(3)", "import os").verdict == Verdict::RTE);
}

TEST_CASE("a test of the attempt's own at its end is not run, and sets have one order") {
    if (!there()) return;
    const std::string text = "order = list({'a', 'b', 'c', 'd', 'e', 'f'})\n"
                             "def pick(mask, x, y):\n    print(order)\n    y[...] = 0\n"
                             "if __name__ == '__main__':\n    raise SystemExit\n";
    Code one(text), two(text);
    CHECK(one.ask("pick", picked()).ok());
    CHECK(two.ask("pick", picked()).ok());
    CHECK(one.attempt().printed() == two.attempt().printed());
}
