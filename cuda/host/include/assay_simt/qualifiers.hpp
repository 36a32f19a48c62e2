// CUDA's qualifiers as a C++ compiler takes them.
#ifndef ASSAY_SIMT_QUALIFIERS_HPP
#define ASSAY_SIMT_QUALIFIERS_HPP

// Headers that ask whether they are compiled as CUDA are told so: as if for compute capability 8.0.
#ifndef __CUDACC__
#define __CUDACC__
#endif
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#endif
#define CUDART_VERSION 13000

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
// One block runs at a time, so that one copy is a block's own. All of them lie in one section: each block starts with
// it poisoned, and -fsanitize-sections=assay_shared has AddressSanitizer see overruns. Not thread_local: it would not.
#define __shared__ static __attribute__((section("assay_shared")))

#define __cluster_dims__(...)                                                                                          \
    static_assert(false, "the CPU emulation of CUDA has no thread block clusters: leave __cluster_dims__ out");

#endif
