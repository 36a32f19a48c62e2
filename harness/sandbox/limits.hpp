// Limits of a single process, and as the kernel is told them.
#ifndef ASSAY_SANDBOX_LIMITS_HPP
#define ASSAY_SANDBOX_LIMITS_HPP

#include <cstdint>
#include <vector>

namespace assay {

struct Limits {
    double cpu_seconds = 0;       // RLIMIT_CPU, rounded up; 0: none
    std::uint64_t memory = 0;     // RLIMIT_DATA in bytes; 0: none (AddressSanitizer's shadow counts too: leave it 0)
    std::uint64_t file_bytes = 0; // RLIMIT_FSIZE; 0: none
};

struct ResourceLimit {
    std::int64_t resource = 0; // RLIMIT_...
    std::uint64_t soft = 0, hard = 0;
};

/// Adds one that never rises above what we were given ourselves.
void add_limit(std::vector<ResourceLimit>& limits, int resource, std::uint64_t soft, std::uint64_t hard);

/// With no core file.
std::vector<ResourceLimit> resource_limits(const Limits& limits);

} // namespace assay

#endif
