// assay roofline --here --device cuda: this machine's GPU, measured.
#ifndef ASSAY_COMMANDS_ROOFLINE_GPU_HPP
#define ASSAY_COMMANDS_ROOFLINE_GPU_HPP

#include "catalogue/hardware.hpp"
#include "commands/roofline.hpp"
#include "core/outcome.hpp"
#include "report/style.hpp"
#include "roofline/cuda_libraries.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// The number of the GPU that --device names: "cuda" (the first), "cuda:1"; nothing for "cpu" and "". Throws Stop
/// (usage) for any other.
std::optional<int> gpu_named(const std::string& device);

/// `arguments.here` is set; chips in the order in which they are to be looked through. Throws Stop: (usage) an option
/// that says nothing of a GPU, (environment) no driver, GPU, cuBLAS or memory.
Exit roofline_on_gpu(const RooflineArguments& arguments, int ordinal, const std::vector<Chip>& chips,
                     const Style& style);

/// cuBLAS as the system finds it, or in CUDA_HOME, /usr/local/cuda or beside nvcc; of a CUDA that the driver runs.
Outcome<roofline::Cublas> find_cublas(int driver_version);

} // namespace assay

#endif
