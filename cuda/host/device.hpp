// The emulated device's state. One host thread at a time uses it.
#ifndef ASSAY_SIMT_DEVICE_HPP
#define ASSAY_SIMT_DEVICE_HPP

#include "include/assay_simt/api.hpp"
#include "simt.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace assay::simt {

// Limits of compute capability 8.0 (programming guide, technical specifications).
inline constexpr unsigned most_threads = 1024, most_block_z = 64, most_grid_yz = 65535, most_grid_x = 2147483647;
inline constexpr std::size_t shared_default = 48 << 10, shared_opt_in = 163 << 10;
inline constexpr std::size_t most_set_aside = 30 << 20; // of an A100's L2 cache

struct Configuration {
    dim3 grid, block;
    std::size_t dynamic_shared = 0;
    void* stream = nullptr;
    Where where{};
};

/// An allocation, with bytes of poison behind it where no sanitiser sees what runs over its end.
struct Allocation {
    std::size_t bytes = 0;
    unsigned short guard = 0; // the pattern of the poison
};
inline constexpr std::size_t guard_bytes = 256;

struct Device {
    std::uint64_t seed = 0;
    unsigned short poison = simt::poison;
    Findings findings;
    Use use;
    cudaError last = cudaSuccess;   // what cudaGetLastError gives and forgets
    cudaError sticky = cudaSuccess; // after a kernel failed every call fails, until a reset
    std::optional<Configuration> pending;
    bool identifying = false;
    Identity identified = nullptr;
    std::map<Identity, std::size_t> dynamic_limits;
    std::string refusal; // why the latest launch that did not run did not; "" where the API's error says it all
    std::map<const char*, Allocation> allocations; // by their begin
    std::map<const char*, std::size_t> arenas;     // begin -> bytes
    void (*gate)(bool open) = nullptr;             // of the arenas
    std::set<const void*> handles;                 // live streams and events
    std::map<cudaLimit, std::size_t> limits{{cudaLimitStackSize, 1024},
                                            {cudaLimitPrintfFifoSize, 1 << 20},
                                            {cudaLimitMallocHeapSize, 8 << 20},
                                            {cudaLimitPersistingL2CacheSize, 0}};

    /// The error, kept for cudaGetLastError.
    cudaError record(cudaError error);
};

Device& device();

/// While one lives, device memory can be reached: kernels run, or a copy does.
class OpenMemory {
  public:
    OpenMemory() {
        if (device().gate != nullptr) device().gate(true);
    }
    ~OpenMemory() {
        if (device().gate != nullptr) device().gate(false);
    }
    OpenMemory(const OpenMemory&) = delete;
    OpenMemory& operator=(const OpenMemory&) = delete;
};

/// Whether AddressSanitizer is loaded: it then sees more than patterns of poison can show.
bool is_sanitised();
/// Fills [begin, end) with poison of this pattern, from its first byte; and whether it still holds it.
void fill(char* begin, const char* end, unsigned short pattern);
bool is_filled(const char* begin, const char* end, unsigned short pattern);
/// A finding where somebody wrote beyond the end of an allocation. True where nobody did.
bool check_guard(const char* begin, const Allocation& allocation);

} // namespace assay::simt

#endif
