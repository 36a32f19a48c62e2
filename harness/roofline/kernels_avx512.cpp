// The kernels for AVX-512 (F, DQ, BW, VL); the flags are in CMakeLists.txt.
#ifdef __AVX512F__
#define ASSAY_KERNELS avx512
#define ASSAY_KERNELS_NAME "AVX-512"
#include "roofline/kernels_eigen.hpp"
#endif
