#!/bin/sh
# An nvcc for tests on machines without a GPU: builds what the real one would with the emulation in the place of CUDA, so
# that an attempt, its entry and its clock run as on a device. Lies as bin/nvcc beside the emulation's rewriter, with its
# headers in include/ and its runtime in lib/.
set -e
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$here")
case "$1" in
--version) echo "Cuda compilation tools, release 13.0, V13.0.0 (a stand-in)"; exit 0 ;;
-dryrun) exit 1 ;;
esac
compiler=
set -- "$@" -end
while [ "$1" != -end ]; do
    case "$1" in
    -ccbin) compiler=$2; shift ;;
    -arch=* | -cudart=* | -diag-suppress=*) ;;
    -Xcompiler=*) set -- "$@" "${1#-Xcompiler=}" ;;
    -Xlinker=*) set -- "$@" "-Wl,${1#-Xlinker=}" ;;
    *.cu)
        "$here/cuda-rewrite" "$1" "$1" "$TMPDIR/rewritten.cpp"
        set -- "$@" -I. "$TMPDIR/rewritten.cpp"
        ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
done
shift
exec "$compiler" "$@" -isystem "$root/include" "$root/lib/libassay_simt.a" "$root"/lib/libboost_context.* -ldl
