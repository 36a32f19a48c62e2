#!/usr/bin/env python3
"""What grading costs beside compiling: `assay grade` on a cohort drawn by seed from the bank, and the same files
compiled with the same flags, as many at once, and nothing else (the floor). By hand, on an idle machine:

    tests/bench/grade_throughput.py [--count 1000] [--seed 7] [-j 2] [--hostile]

Without --hostile the cohort is accepted attempts, wrong answers and compile errors: what neither crashes nor times
out. With it, one in eight is a hostile program or an attempt that crashes or runs out of time, and no floor is given.
Every submission's text is its own (a comment more), so that nothing is compiled once for two. Prints seconds, the
share of the floor's throughput, and what grading again takes: resumed, and anew from the compiler's cache."""

import argparse
import concurrent.futures
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSAY = ROOT / "build/release/bin/assay"


def attempts(hostile):
    """(exercise, source) of the bank; those that crash or time out, and hostile programs, only where asked for."""
    calm, wild = [], []
    for folder in sorted((ROOT / "solutions").iterdir()):
        for source in sorted(folder.glob("accepted/*.cpp")) + sorted(folder.glob("rejected/*/*.cpp")):
            if "eigen" in source.read_text().lower():
                continue  # four seconds of compiling would hide what grading costs
            kind = calm if source.parent.name in ("accepted", "WA", "CE") else wild
            kind.append((folder.name, source))
    for source in sorted((ROOT / "tests/hostile/attempts").glob("*/*.cpp")):
        wild.append(("attention_scaling", source))
    return calm, wild if hostile else []


def lay(folder, count, seed, hostile):
    """Each candidate one attempt, with the headers beside it. Returns (exercise, source) of each."""
    draw = random.Random(seed)
    calm, wild = attempts(hostile)
    laid = []
    for i in range(count):
        exercise, source = draw.choice(wild if wild and draw.random() < 0.125 else calm)
        place = folder / f"c{i:04}"
        place.mkdir(parents=True)
        for header in list(source.parent.glob("*.hpp")) + list(source.parent.glob("*.h")):
            shutil.copy(header, place)
        target = place / f"{exercise}.cpp"
        target.write_text(source.read_text() + f"\n// {i}\n")
        laid.append((exercise, target))
    return laid


def flags_of(exercise):
    with open(ROOT / "exercises" / exercise / "exercise.toml", "rb") as file:
        return tomllib.load(file)["build"]["flags"]


def compile_all(laid, jobs, folder):
    """Seconds that compiling and linking takes, as `assay` does both in one call of the compiler."""
    flags = {exercise: flags_of(exercise) for exercise, _ in laid}

    def one(item):
        exercise, source = item
        subprocess.run(["g++", *flags[exercise], "-fPIC", "-fno-semantic-interposition", "-shared", "-pipe",
                        "-I", ROOT / "exercises" / exercise, "-I", ROOT / "harness/contract",
                        "-isystem", "/usr/include/eigen3", source.name,
                        ROOT / f"build/release/libexec/assay/entry-{exercise}.o",
                        "-o", folder / f"{source.parent.name}.so"],
                       cwd=source.parent, capture_output=True, check=False)

    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, laid))
    return time.monotonic() - begun


def grade(folder, out, cache, jobs, *more):
    begun = time.monotonic()
    done = subprocess.run([ASSAY, "grade", folder, "--out", out, "-j", str(jobs), *more],
                          env={"PATH": "/usr/bin:/bin", "HOME": str(cache), "ASSAY_CACHE_DIR": str(cache)},
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"grading failed ({done.returncode}): {done.stderr[-2000:]}")
    return time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--hostile", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-throughput-") as name:
        place = pathlib.Path(name)
        laid = lay(place / "submissions", given.count, given.seed, given.hostile)
        cold = grade(place / "submissions", place / "out", place / "cache", given.jobs)
        print(f"{given.count} submissions, {given.jobs} at once: graded in {cold:.1f} s, {given.count / cold:.2f} a second")
        if not given.hostile:
            objects = place / "objects"
            objects.mkdir()
            floor = compile_all(laid, given.jobs, objects)
            print(f"compiling alone {floor:.1f} s: grading runs at {floor / cold:.2f} of that floor's throughput")
        resumed = grade(place / "submissions", place / "out", place / "cache", given.jobs, "--resume")
        print(f"again with --resume, nothing changed: {resumed:.2f} s")
        anew = grade(place / "submissions", place / "anew", place / "cache", given.jobs)
        print(f"again into another folder, nothing compiled: {anew:.1f} s")


if __name__ == "__main__":
    main()
