// Chooses by what the processor says it has, at run time. Compiled without -m flags, as whatever runs before the
// choice.
#include "roofline/kernels.hpp"

namespace assay::roofline {

#ifdef ASSAY_HAVE_EIGEN
extern const Kernels kernels_baseline;
#ifdef __x86_64__
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif
#endif

std::vector<const Kernels*> usable_kernels() {
    std::vector<const Kernels*> usable;
#ifdef ASSAY_HAVE_EIGEN
    usable.push_back(&kernels_baseline);
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) usable.push_back(&kernels_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        usable.push_back(&kernels_avx512);
#endif
#endif
    return usable;
}

} // namespace assay::roofline
