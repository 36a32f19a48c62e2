// What a failed compile or link means, in words: the attempt's own errors, a limit, or a broken toolchain.
#ifndef ASSAY_ATTEMPT_BUILD_DIAGNOSTICS_HPP
#define ASSAY_ATTEMPT_BUILD_DIAGNOSTICS_HPP

#include "attempt/build_flags.hpp"
#include "sandbox/process.hpp"

#include <string>
#include <vector>

namespace assay {

/// The most of a compiler's output that is kept.
constexpr std::size_t most_diagnostics = 64 << 10;

/// The failure of a compile that ended so. `name` is the attempt's file; `detail` gets the diagnostics with paths
/// relative to it, `notes` first. CE, or JE where the toolchain itself broke.
Failure compile_failure(const Ended& ended, const std::string& name, const Stage& stage, const BuildInputs& inputs,
                        const BuildOptions& options, const std::vector<std::string>& notes);

} // namespace assay

#endif
