#!/usr/bin/env bash
# Same seed, same story, whichever compiler built Assay: the judge and the simulated exercises built again by clang++,
# and what both builds print of every mistake compared. In the long suite only.
#
#     clang.sh STORIES SOURCES      STORIES: the program as this build made it
set -euo pipefail
stories=$1 sources=$2
[ -n "${ASSAY_LONG:-}" ] || { echo "only in the long suite"; exit 77; }
command -v clang++ >/dev/null || { echo "no clang++ here"; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
log=$place/log
(cmake -S "$sources" -B "$place/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ -DASSAY_PRECOMPILED=OFF &&
  cmake --build "$place/build" --target stories) >"$log" 2>&1 || { tail -n 60 "$log"; exit 1; }
"$stories" batching broadcast >"$place/own"
"$place/build/bin/stories" batching broadcast >"$place/clang"
[ "$(grep -c '"smallest"' "$place/own")" -gt 50 ] || { echo "too few stories to compare"; exit 1; }
cmp "$place/own" "$place/clang"
echo "$(wc -l <"$place/own") lines, among them $(grep -c '"smallest"' "$place/own") records, are the same byte for byte"
