// The kernels for any processor of the target's kind: no -m flags.
#define ASSAY_KERNELS baseline
#ifdef __x86_64__
#define ASSAY_KERNELS_NAME "x86-64"
#else
#define ASSAY_KERNELS_NAME "portable"
#endif
#include "roofline/kernels_eigen.hpp"
