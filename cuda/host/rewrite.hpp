// Turns a .cu file into C++ for the emulation: launches, kernels' bodies and dynamic shared memory. All else is left as
// it stands, line by line.
#ifndef ASSAY_SIMT_REWRITE_HPP
#define ASSAY_SIMT_REWRITE_HPP

#include <string>
#include <string_view>
#include <vector>

namespace assay::simt {

/// What the real compiler includes before anything else, and the rewritten text too.
inline constexpr std::string_view included_first = "cuda_runtime.h";

/// Something that the emulation cannot run, told before any compiler sees it.
struct Unsupported {
    int line = 0;
    std::string sentence; // "the CPU emulation of CUDA runs no PTX: ..."
};

struct Rewritten {
    std::string text; // to be compiled as C++ with cuda/host/include in the include path
    std::vector<Unsupported> unsupported;
};

/// `name` is what compilers and findings call the file. Headers that the file includes are rewritten each by itself.
///
///     k<T, 4><<<grid, block, bytes, stream>>>(x, n)   launch_on(grid, block, bytes, stream) ? (void)0 : k<T, 4>(x, n)
///     __global__ void k(...) { ... }                  ... { kernel(__func__, [=]() mutable { ... }); }
///     extern __shared__ T s[][8];                     Dynamic<T[][8]>& s = dynamic_array<T[][8]>();
///
/// so that arguments convert once, at the launch, as the real compiler has it.
Rewritten rewrite(std::string_view source, std::string_view name);

} // namespace assay::simt

#endif
