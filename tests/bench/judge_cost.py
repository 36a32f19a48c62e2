#!/usr/bin/env python3
"""What the judge itself costs in a check: `assay check` of an exercise's model answer, all levels, so many times in turn
with an edit before it (compiled anew) and without. By hand, on an idle machine:

    tests/bench/judge_cost.py [--exercise sdpa] [--rounds 9] [--assay build/release/bin/assay]

Prints medians, in ms: the whole (the program's own clock from start to exit), the compiler, the attempt's calls (both from
the record's timings), and what is left, with its share of the whole: the judge's problems, oracle and comparisons, the
sandbox, starting processes. Then the processor time of the program itself, its children's apart. The aim is a share
below 25 % of a check that compiles."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def processor_ms(pid):
    """Of a process that ended and was not waited for yet: its own, and its children's."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    tick = 1000 / os.sysconf("SC_CLK_TCK")
    own, children = int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14])
    return own * tick, children * tick


def check(assay, source, exercise, environment):
    begun = time.monotonic()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([assay, "check", source, "--exercise", exercise, "--format", "json"], stdout=out,
                                 env=environment)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        whole = (time.monotonic() - begun) * 1000
        own, children = processor_ms(child.pid)
        if child.wait() != 0:
            sys.exit(f"the check ended with {child.returncode}: the model answer must pass")
        out.seek(0)
        timings = json.load(out)["timings"]
    return {"whole": whole, "compiler": timings["compile_ms"], "attempt": timings["attempt_ms"],
            "judge": whole - timings["compile_ms"] - timings["attempt_ms"], "own": own,
            "children": children}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exercise", default="sdpa")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--assay", type=pathlib.Path, default=ROOT / "build/release/bin/assay")
    given = parser.parse_args()
    answer = (ROOT / "solutions" / given.exercise / "solution.cpp").read_text()
    with tempfile.TemporaryDirectory(prefix="assay-judge-cost-") as name:
        place = pathlib.Path(name)
        source = place / f"{given.exercise}.cpp"
        environment = {"PATH": "/usr/bin:/bin", "HOME": name, "ASSAY_CACHE_DIR": name + "/cache",
                       "XDG_STATE_HOME": name + "/state"}
        seen = {"edited": [], "unchanged": []}
        for round_ in range(given.rounds + 1):  # the first warms the caches
            source.write_text(answer + f"\n// {round_}\n")
            for kind in seen:
                measured = check(given.assay.resolve(), source, given.exercise, environment)
                if round_ > 0:
                    seen[kind].append(measured)
        for kind, runs in seen.items():
            middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            share = statistics.median(run["judge"] / run["whole"] for run in runs)
            print(f"{given.exercise}, {kind}: whole {middle['whole']:.0f} ms, compiler {middle['compiler']:.0f}, "
                  f"attempt {middle['attempt']:.0f}, judge {middle['judge']:.0f} ({100 * share:.0f} %); processor: "
                  f"own {middle['own']:.0f}, children {middle['children']:.0f}")


if __name__ == "__main__":
    main()
