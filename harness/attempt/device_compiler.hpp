// nvcc, and the device that it builds an attempt for.
#ifndef ASSAY_ATTEMPT_DEVICE_COMPILER_HPP
#define ASSAY_ATTEMPT_DEVICE_COMPILER_HPP

#include "core/outcome.hpp"

#include <filesystem>
#include <string>

namespace assay {

struct DeviceCompiler {
    std::filesystem::path nvcc; // absolute, links resolved; nvcc's own, not a script that starts it
    std::string version;        // "nvcc 13.0.88"
    std::string architecture;   // "sm_90", or "compute_90" for code that the driver compiles when it is loaded
};

/// nvcc on PATH, else in /usr/local/cuda/bin, for no architecture yet. Failure (SKIP): there is none, or it does not
/// run.
Outcome<DeviceCompiler> find_nvcc();

/// The same of the one given.
Outcome<DeviceCompiler> nvcc_at(const std::filesystem::path& nvcc);

/// nvcc's "a.cu(12): error: ..." as other compilers have it: "a.cu:12: error: ...".
std::string as_other_compilers(const std::string& diagnostics);

} // namespace assay

#endif
