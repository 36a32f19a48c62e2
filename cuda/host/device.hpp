// The emulated device's state. One host thread at a time uses it.
#ifndef ASSAY_SIMT_DEVICE_HPP
#define ASSAY_SIMT_DEVICE_HPP

#include "include/assay_simt/api.hpp"
#include "simt.hpp"

#include <map>
#include <optional>
#include <set>

namespace assay::simt {

// Limits of compute capability 8.0 (programming guide, technical specifications).
inline constexpr unsigned most_threads = 1024, most_block_z = 64, most_grid_yz = 65535, most_grid_x = 2147483647;
inline constexpr std::size_t shared_default = 48 << 10, shared_opt_in = 163 << 10;

struct Configuration {
    dim3 grid, block;
    std::size_t dynamic_shared = 0;
    void* stream = nullptr;
    Where where{};
};

struct Device {
    std::uint64_t seed = 0;
    Findings findings;
    Use use;
    cudaError last = cudaSuccess;   // what cudaGetLastError gives and forgets
    cudaError sticky = cudaSuccess; // after a kernel failed every call fails, until a reset
    std::optional<Configuration> pending;
    bool identifying = false;
    Identity identified = nullptr;
    std::map<Identity, std::size_t> dynamic_limits;
    std::map<const char*, std::size_t> allocations, arenas; // begin -> bytes
    std::set<const void*> handles;                          // live streams and events

    /// The error, kept for cudaGetLastError.
    cudaError record(cudaError error);
};

Device& device();

} // namespace assay::simt

#endif
