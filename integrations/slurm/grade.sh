#!/usr/bin/env bash
# Grades submissions/ on a Slurm cluster. Run it on a login node, in a folder that the nodes see too:
#   integrations/slurm/grade.sh submissions results
# It runs until all is graded, and may be killed and run again: it goes on. In tmux, or as a small job of its own.
set -euo pipefail
submissions=$1
out=$2
resume=()
[ -e "$out/plan.json" ] && resume=(--resume)

# Two processors and 4 GB a task, 50 submissions in each, at most half an hour; set the partition to one of yours.
# The program must lie where the nodes see it as well, built for all of them.
"${ASSAY:-assay}" grade "$submissions" --out "$out" "${resume[@]}" --engine slurm --jobs 2 --shard-size 50 --time 30 \
  ${PARTITION:+--partition "$PARTITION"} --sbatch-option=--mem=4G
