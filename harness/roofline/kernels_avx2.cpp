// The kernels for AVX2 with FMA; the flags are in CMakeLists.txt.
#ifdef __AVX2__
#define ASSAY_KERNELS avx2
#define ASSAY_KERNELS_NAME "AVX2"
#include "roofline/kernels_eigen.hpp"
#endif
