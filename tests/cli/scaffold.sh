#!/bin/sh
# `assay exercise new` in a checkout of its own: what it lays builds and verifies as it is. Takes minutes (it builds
# Assay); usage: tests/cli/scaffold.sh [cmake options]
set -eu
[ -n "${ASSAY_LONG:-}" ] || { echo "only in the long suite"; exit 77; }
checkout=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp -r "$checkout/CMakeLists.txt" "$checkout/cmake" "$checkout/exercises" "$checkout/harness" "$checkout/solutions" "$place"
export XDG_STATE_HOME="$place/state" XDG_CACHE_HOME="$place/cache"
cmake -S "$place" -B "$place/build" -G Ninja -DASSAY_TESTS=OFF "$@" > "$place/log" 2>&1 || { cat "$place/log"; exit 1; }
cmake --build "$place/build" > "$place/log" 2>&1 || { cat "$place/log"; exit 1; }
cd /
"$place/build/bin/assay" exercise new top_k
cmake --build "$place/build" > "$place/log" 2>&1 || { cat "$place/log"; exit 1; }
"$place/build/bin/assay" exercise verify top_k
# One run over all exercises, whose attempts are mixed, says what a run over each of them says.
"$place/build/bin/assay" exercise verify --all > "$place/all"
for folder in "$place"/exercises/*/; do "$place/build/bin/assay" exercise verify "$(basename "$folder")"; done > "$place/each"
cmp "$place/all" "$place/each"
grep -q top_k <<<"$("$place/build/bin/assay" list)"
echo "scaffold: sound"
