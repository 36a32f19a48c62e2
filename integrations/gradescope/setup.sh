#!/usr/bin/env bash
# Gradescope runs this once, while it builds the autograder's image (choose the newest Ubuntu or Debian it offers).
# The zip that you upload holds, at its top: setup.sh, run_autograder, assay/ (a checkout of Assay), and, if inputs are
# to be hidden, seeds.toml (see assay grade --help).
set -euo pipefail
source=${AUTOGRADER:-/autograder}/source
"$source/assay/assay" --version   # installs what is missing, builds
