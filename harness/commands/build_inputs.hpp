// What an exercise's attempts are built from on this machine, said once for every command that builds any.
#ifndef ASSAY_COMMANDS_BUILD_INPUTS_HPP
#define ASSAY_COMMANDS_BUILD_INPUTS_HPP

#include "attempt/build.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The flag by which attempts find Eigen; none where it was not here when Assay was built. Where it lies is this
/// machine's affair and no part of a record's flags.
std::vector<std::string> eigen_flags();

/// Contract, light headers, entry object and flags of a registered exercise.
BuildInputs build_inputs(std::string_view exercise, const Settings& settings);

/// How a worker that holds what was built is started, under the exercise's limits.
WorkerSetup worker_setup(std::string_view exercise, const Settings& settings, const Built& built);

} // namespace assay

#endif
