// What an exercise's attempts are built from on this machine, said once for every command that builds any.
#ifndef ASSAY_COMMANDS_BUILD_INPUTS_HPP
#define ASSAY_COMMANDS_BUILD_INPUTS_HPP

#include "attempt/build.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/settings.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The flag by which attempts find Eigen; none where it was not here when Assay was built. Where it lies is this
/// machine's affair and no part of a record's flags.
std::vector<std::string> eigen_flags();

/// Contract, light headers, entry object and flags of a registered exercise, in the language of `source`, a file's
/// name; with `device`, of an attempt in CUDA that is to run on a GPU.
BuildInputs build_inputs(std::string_view exercise, const Settings& settings,
                         const std::filesystem::path& source = "attempt.cpp",
                         const std::optional<DeviceCompiler>& device = {});

/// How many times the CPU time of a compiled attempt an emulated one may take: each call is run five times over, its
/// threads one after another.
inline constexpr double emulation_allowance = 5;

/// How a worker that holds what was built is started, under the exercise's limits: what Python needs beside that is
/// start_in_python's.
WorkerSetup worker_setup(std::string_view exercise, const Settings& settings, const Built& built);

} // namespace assay

#endif
