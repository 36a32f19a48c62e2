#!/usr/bin/env bash
# Where there is no GPU, tests/gpu/run says so in one sentence and exits with 3. Skipped (77) where there is one.
set -u
here=$(cd "$(dirname "$0")" && pwd)
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then exit 77; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
said=$("$here/run" "$folder" 2>&1)
status=$?
echo "$said"
[ $status = 3 ] && [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] && [ -z "$(ls -A "$folder")" ] || exit 1
"$here/run" --wrong "$folder" >/dev/null 2>&1
[ $? = 2 ]
