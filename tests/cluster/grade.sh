#!/usr/bin/env bash
# Grades on a real Slurm cluster of two nodes on this machine, with a node and the controller lost midway, and compares
# the records with those of a local run. In the long suite only; usage: tests/cluster/grade.sh ASSAY
set -euo pipefail
[ -n "${ASSAY_LONG:-}" ] || { echo "only in the long suite"; exit 77; }
assay=$(readlink -f "$1")
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/tests/cluster/cluster.sh"
missing=$(cluster_missing | tr '\n' ' ')
[ -z "$missing" ] || { echo "skipped, for lack of $missing(Debian: apt-get install slurm-wlm munge)"; exit 77; }

place=$(mktemp -d)
grader=
trap '[ -z "$grader" ] || kill -9 "$grader" 2>/dev/null; cluster_down; rm -rf "$place"' EXIT
fail() {
  echo "cluster: $1" >&2
  cat "$place/said" >&2 2>/dev/null || true
  cat "$place"/*/slurm/round-*/*.log | tail -n 20 >&2 2>/dev/null || true
  exit 1
}

# Right, wrong and broken attempts, each with a text of its own so that no build is another's. A folder's name is data.
bank=$checkout/solutions/attention_scaling
number=0
for source in "$bank"/accepted/*.cpp "$bank"/rejected/*/*.cpp "$bank"/accepted/*.cpp "$bank"/rejected/WA/*.cpp; do
  number=$((number + 1))
  [ $number -gt 36 ] && break
  candidate="c$number"
  [ $number -eq 2 ] && candidate='$(touch hit) ;x'
  mkdir -p "$place/subs/$candidate"
  { cat "$source"; echo "// $number"; } >"$place/subs/$candidate/attention_scaling.cpp"
done
mkdir -p "$place/subs/broken"
echo 'int x = ;' >"$place/subs/broken/attention_scaling.cpp"

# Files of records without what is outside byte equality.
records() { # OUT TO
  (cd "$1/records" && find . -type f | sort) | while read -r file; do
    echo "== $file"
    sed '/^  "timings": {/,$d' "$1/records/$file"
  done >"$2"
}

grade() { # OUT ARGUMENTS...
  local out=$1
  shift
  ASSAY_CACHE_DIR="$place/cache-$(basename "$out")" "$assay" grade "$place/subs" --out "$out" --seed 7 "$@"
}

grade_beside() { # OUT ARGUMENTS...: sets $grader
  local out=$1
  shift
  ASSAY_CACHE_DIR="$place/cache-$(basename "$out")" "$assay" grade "$place/subs" --out "$out" --seed 7 "$@" \
    >/dev/null 2>"$place/said" &
  grader=$!
}

same_as_local() { # OUT
  records "$1" "$place/got"
  diff "$place/wanted" "$place/got" >"$place/diff" || { head -n 20 "$place/diff" >&2; fail "the records of $1 differ"; }
  cmp "$place/local/summary.jsonl" "$1/summary.jsonl" || fail "the summary of $1 differs"
}

results() { find "$1/records" -name '*.json' 2>/dev/null | wc -l; }
at_least() { [ "$(results "$1")" -ge "$2" ]; }

grade "$place/local" >/dev/null 2>"$place/said" || fail "the local run failed"
records "$place/local" "$place/wanted"
[ "$(grep -c '^==' "$place/wanted")" = "$(ls "$place/subs" | wc -l)" ] || fail "the local run is not complete"

cd "$place"
cluster_up

# Undisturbed.
grade "$place/quiet" --engine slurm --shard-size 5 --poll 0.5 >/dev/null 2>"$place/said" || fail "the quiet run failed"
same_as_local "$place/quiet"
[ ! -e "$place/hit" ] || fail "a candidate's name reached a shell"
[ "$(ls -d "$place"/quiet/slurm/round-*)" = "$place/quiet/slurm/round-1" ] || fail "the quiet run took more than a round"
echo "cluster: undisturbed, the records of a local run"

# A node is lost, then the controller. The controller comes back with an older state than it had, and takes the node that
# still works out of service for tasks that it does not remember: as an administrator would, we put both back.
grade_beside "$place/lossy" --engine slurm --shard-size 4 --poll 0.5 --sbatch-option=--no-requeue
wait_for 120 "six results" at_least "$place/lossy" 6
lose_node n1
sleep 1
stop_controller
before=$(results "$place/lossy")
wait_for 60 "a word that Slurm does not answer" grep -q 'Slurm does not answer' "$place/said"
start_controller
start_node n1
repair_until_gone "$grader" &
wait "$grader" || fail "the disturbed run failed"
grader=
[ "$before" -lt "$number" ] || fail "all was done before the controller was lost"
grep -q 'Slurm answers again' "$place/said" || fail "that the controller came back went unnoticed"
# Whether the lost tasks go out in a second round is the controller's: with a state from before they began it starts them anew.
grep 'submitted again' "$place/said" || echo "cluster: the controller began the lost tasks anew by itself"
same_as_local "$place/lossy"
echo "cluster: with a node and the controller lost, the records of a local run"
wait_for 60 "two idle nodes again" nodes_idle 2

# The grader is killed; another goes on.
grade_beside "$place/killed" --engine slurm --shard-size 4 --poll 0.5
wait_for 120 "six results" at_least "$place/killed" 6
kill -9 "$grader"
wait "$grader" 2>/dev/null || true
grader=
grade "$place/killed" --engine slurm --shard-size 4 --poll 0.5 --resume >/dev/null 2>"$place/said" || fail "the resumed run failed"
same_as_local "$place/killed"
echo "cluster: killed and resumed, the records of a local run"

# Held tasks are sent again, and what never runs is recorded with the reason.
code=0
grade "$place/held" --engine slurm --rounds 2 --poll 0.5 --sbatch-option=--hold >/dev/null 2>"$place/said" || code=$?
[ $code = 4 ] || fail "a run of held tasks ended with $code"
grep -q '"reason": "its task was held (JobHeldUser) (submitted 2 times)"' "$place/held/records/c1/attention_scaling.json" ||
  fail "the record does not say that its task was held"
echo "cluster: held tasks are sent again, then recorded"

# Refusals, each one sentence.
refused() { # SENTENCE ARGUMENTS...
  local sentence=$1 code=0
  shift
  grade "$place/refused" --engine slurm --poll 0.5 "$@" >/dev/null 2>"$place/said" || code=$?
  rm -rf "$place/refused"
  [ $code = 3 ] || fail "refused with $code"
  grep -q "$sentence" "$place/said" || fail "refused in other words than: $sentence"
}
refused 'Invalid partition name' --partition nowhere
stop_controller
refused 'squeue does not answer'
echo "cluster: sound"
