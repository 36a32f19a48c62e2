// The clock that durations are taken by.
#ifndef ASSAY_CORE_MONOTONIC_HPP
#define ASSAY_CORE_MONOTONIC_HPP

#include <chrono>

namespace assay {

/// Seconds by CLOCK_MONOTONIC, which all processes of a machine share; never part of a verdict or a byte that is compared.
inline double monotonic() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace assay

#endif
