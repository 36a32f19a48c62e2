#include "sandbox/limits.hpp"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

namespace assay {

void add_limit(std::vector<ResourceLimit>& limits, int resource, std::uint64_t soft, std::uint64_t hard) {
    rlimit ours{};
    if (::getrlimit(static_cast<__rlimit_resource>(resource), &ours) == 0)
        hard = std::min<std::uint64_t>(hard, ours.rlim_max);
    limits.push_back({resource, std::min(soft, hard), hard});
}

std::vector<ResourceLimit> resource_limits(const Limits& limits) {
    std::vector<ResourceLimit> all;
    add_limit(all, RLIMIT_CORE, 0, 0);
    if (limits.cpu_seconds > 0) {
        // SIGXCPU may be caught: a second later SIGKILL may not.
        const auto whole = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds));
        add_limit(all, RLIMIT_CPU, whole, whole + 1);
    }
    if (limits.memory > 0) add_limit(all, RLIMIT_DATA, limits.memory, limits.memory);
    if (limits.file_bytes > 0) add_limit(all, RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes);
    return all;
}

} // namespace assay
