// What the rewriter writes in place of <<<>>>, extern __shared__ and a kernel's body.
#ifndef ASSAY_SIMT_LAUNCH_HPP
#define ASSAY_SIMT_LAUNCH_HPP

#include "abi.hpp"
#include "api.hpp"

// The linker's own names for the ends of the section; absent where nothing is __shared__.
extern "C" {
extern char __start_assay_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_assay_shared[] __attribute__((weak, visibility("hidden")));
}

namespace assay::simt {

/// <<<grid, block, dynamic_shared_bytes, stream>>>: written as `launch_on(...) ? (void)0 : kernel(arguments)`.
inline bool launch_on(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr,
                      Where where = ASSAY_SIMT_HERE) {
    configure(grid, block, dynamic_shared_bytes, stream, where);
    return false;
}

/// A kernel's body stands in a lambda that holds the arguments; calling the kernel comes here, once a launch. Each
/// thread gets copies of its own.
template <class Body> void kernel(const char* name, const Body& body) {
    launch({name,
            [](const void* captured) {
                Body mine(*static_cast<const Body*>(captured));
                mine();
            },
            &body, __start_assay_shared, __stop_assay_shared});
}

template <class Array> using Dynamic = Array;
/// `extern __shared__ T name[]`: a reference to the array of unknown length.
template <class Array> Array& dynamic_array() { return *static_cast<Array*>(dynamic_shared()); }

} // namespace assay::simt

#endif
