// Attempts in Python from a candidate's side: start, check, watch's modules, and a machine without Python.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "python/interpreter.hpp"

#include <sys/stat.h>

using namespace assay::tests;

namespace {

bool there() {
    const auto found = assay::find_interpreter();
    if (!found) WARN("skipped: " << found.failure().reason);
    return found.ok();
}

/// A folder with this program alone, to be all of PATH.
std::string path_with(const Place& place, const std::string& name, const std::string& script) {
    const std::filesystem::path folder = place.work().parent_path() / "path";
    std::filesystem::create_directory(folder);
    if (!name.empty()) {
        assay::write_text(folder / name, script);
        chmod((folder / name).c_str(), 0755);
    }
    return "PATH=" + assay::shell_word(folder.string());
}

} // namespace

TEST_CASE("a workspace in Python is laid, fails, and passes with a right answer") {
    if (!there()) return;
    const Place place;
    const Ran started = place.run("start sdpa --language python");
    CAPTURE(started.out, started.err);
    REQUIRE(started.exit == 0);
    for (const char* file :
         {"README.md", "contract.hpp", "contract.py", "sdpa.py", "assay/__init__.py", "assay/tensor.py"})
        REQUIRE_FALSE(place.read(std::string("sdpa/") + file).empty());
    const Ran starter = place.run("check sdpa");
    CAPTURE(starter.out, starter.err);
    REQUIRE(starter.exit == 1);
    REQUIRE(contains(starter.out, "out[0,0,0,0] was never written"));
    REQUIRE(contains(starter.out, ", python 3."));

    place.write("sdpa/sdpa.py", checkout_file("solutions/sdpa/solution.py"));
    const Ran passed = place.run("check sdpa");
    CAPTURE(passed.out, passed.err);
    REQUIRE(passed.exit == 0);
    REQUIRE(contains(passed.out, "Accepted: every level passes"));
    REQUIRE(contains(place.run("solution sdpa").out, "def attention(q, k, v, mask, causal, scale, out):"));
    REQUIRE(contains(place.run("solution sdpa --language cpp").out, "void attention("));
    const Ran none = place.run("solution memory --language python --reveal");
    REQUIRE(none.exit == 2);
    REQUIRE(contains(none.err, "there is no solution of memory in Python"));
    const Ran again = place.run("start sdpa --language python");
    REQUIRE(contains(again.out, "Kept as you edited it: sdpa.py"));

    // C++ beside it: an id alone would be a guess, and neither start forgets what the other has laid.
    REQUIRE(place.run("start sdpa").exit == 0);
    const Ran both = place.run("check sdpa");
    REQUIRE(both.exit == 2);
    REQUIRE(contains(both.err, "sdpa.cpp and sdpa.py both lie in sdpa"));
    REQUIRE(place.run("check sdpa/sdpa.py --level 1").exit == 0);
    REQUIRE(contains(place.read("sdpa/.assay/laid.txt"), " contract.py"));
    REQUIRE(contains(place.read("sdpa/.assay/laid.txt"), " compile_flags.txt"));
}

TEST_CASE("what an attempt in Python is told") {
    if (!there()) return;
    const Place place;
    place.write("sdpa.py", "def attention(q, k, v, mask, causal, scale, out)\n");
    const Ran broken = place.run("check sdpa.py");
    REQUIRE(broken.exit == 1);
    REQUIRE(contains(broken.out, "sdpa.py:1: error: "));
    place.write("helper.py", "def weight(n):\n    return 1 / n\n");
    place.write("sdpa.py",
                "from helper import weight\ndef attention(q, k, v, mask, causal, scale, out):\n    weight(0)\n");
    const Ran raised = place.run("check sdpa.py");
    REQUIRE(raised.exit == 1);
    REQUIRE(contains(raised.out, "attention let ZeroDivisionError escape: division by zero"));
    REQUIRE(contains(raised.out, "helper.py:2 in weight: return 1 / n"));
    REQUIRE(contains(place.run("check sdpa.py --level streaming").out,
                     "merge is not defined: write def merge(into, from_)"));
    const Ran usage = place.run("check helper.py");
    REQUIRE(usage.exit == 2);
}

TEST_CASE("without Python, or with one that is too old, nothing is begun and the sentence says how to mend it") {
    Place place;
    place.write("sdpa.py", "pass\n");
    place.extra = path_with(place, "", "");
    for (const char* command : {"check sdpa.py", "start sdpa --language python"}) {
        const Ran ran = place.run(command);
        CAPTURE(ran.out, ran.err);
        REQUIRE(ran.exit == 3);
        REQUIRE(contains(ran.err, "Python attempts need python3, which is not on PATH: install"));
    }
    REQUIRE_FALSE(std::filesystem::exists(place.work() / "sdpa"));
    path_with(place, "python3", "#!/bin/sh\nprintf '/usr/bin/python3\\n3.8.10\\ncpython-38 3.8.10\\n'\n");
    const Ran old = place.run("check sdpa.py");
    CAPTURE(old.err);
    REQUIRE(old.exit == 3);
    REQUIRE(contains(old.err, "Python attempts need Python 3.9 or newer, and python3 is 3.8.10"));
}

TEST_CASE("a contract is described for other programs") {
    const Place place;
    const Ran ran = place.run("exercise describe batching");
    REQUIRE(ran.exit == 0);
    REQUIRE(contains(ran.out, "\"name\": \"accelerator_lost\""));
    REQUIRE(contains(ran.out, "\"of\": \"batcher\""));
    REQUIRE(place.run("exercise describe nothing").exit == 2);
}
