#!/usr/bin/env bash
# The ready files of integrations/ in a place like the one that each is for; usage: tests/integrations/try.sh ASSAY
set -euo pipefail
assay=$(readlink -f "$1")
checkout=$(cd "$(dirname "$0")/../.." && pwd)
files=$checkout/integrations
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export XDG_CACHE_HOME=${ASSAY_TEST_CACHE:-$place/cache}
fail() { echo "integrations: $1" >&2; cat "$place/said" >&2 2>/dev/null || true; exit 1; }
right=$checkout/solutions/attention_scaling/solution.cpp
wrongs=("$checkout"/solutions/attention_scaling/rejected/WA/*.cpp)
wrong=${wrongs[0]} # `ls | head` ends in SIGPIPE when ls is the slower, and pipefail makes that the script's end

# Gradescope: a right submission, a wrong one with hidden seeds, one without the file that is asked for.
autograder() { # FOLDER
  AUTOGRADER=$1 ASSAY=$assay EXERCISE=attention_scaling "$files/gradescope/run_autograder" >"$place/said" 2>&1 ||
    fail "run_autograder failed"
  [ -s "$1/results/results.json" ] || fail "run_autograder left no results"
}
for name in right wrong none; do mkdir -p "$place/$name/submission" "$place/$name/source"; done
cp "$right" "$place/right/submission/attention_scaling.cpp"
cp "$wrong" "$place/wrong/submission/attention_scaling.cpp"
echo 'seed = 815' >"$place/wrong/source/seeds.toml"
for name in right wrong none; do autograder "$place/$name"; done
grep -q '"status": "passed"' "$place/right/results/results.json" || fail "a right submission has no passed test"
! grep -q '"status": "failed"' "$place/right/results/results.json" || fail "a right submission has a failed test"
grep -q '"status": "failed"' "$place/wrong/results/results.json" || fail "a wrong submission has no failed test"
grep -q '"visibility": "hidden"' "$place/wrong/results/results.json" || fail "hidden seeds leave tests to be seen"
grep -q 'handed in no attempt at attention_scaling' "$place/none/results/results.json" || fail "a missing file is not told"

# GitHub: the step called Grade, as the runner's shell gets it.
step() { # NAME
  awk -v name="      - name: $1" '$0 == name { on = 1; next } /^      - / { on = 0; run = 0 } on && /^        run: \|/ { run = 1; next }
    run { print substr($0, 11) }' "$files/github/grade.yml"
}
mkdir -p "$place/repository/submissions"/{ada,bob} "$place/bin" "$place/runner"
cp "$right" "$place/repository/submissions/ada/attention_scaling.cpp"
cp "$wrong" "$place/repository/submissions/bob/attention_scaling.cpp"
ln -s "$assay" "$place/bin/assay"
step Grade >"$place/step.sh"
grep -q 'assay grade' "$place/step.sh" || fail "the workflow has no step called Grade"
for seeds in '' 'seed = 815'; do
  rm -rf "$place/runner"
  mkdir "$place/runner"
  (cd "$place/repository" && PATH="$place/bin:$PATH" SEEDS=$seeds RUNNER_TEMP=$place/runner GITHUB_STEP_SUMMARY=$place/summary \
    bash --noprofile --norc -eo pipefail "$place/step.sh") >"$place/said" 2>&1 || fail "the step Grade failed"
  grep -q '^::error title=bob' "$place/said" || fail "the step Grade gives no annotation"
  for file in grades.csv junit.xml; do
    [ -s "$place/runner/results/$file" ] || fail "the workflow's artifact $file is not there"
  done
done
grep -q '2 submissions graded, 1 accepted' "$place/summary" || fail "the step Grade gives no summary"
bash -n "$files/gradescope/setup.sh"
bash -n "$files/slurm/grade.sh"
echo "integrations: sound"
