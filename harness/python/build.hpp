// A Python attempt's sources become one file that a worker starts from: the attempt, its modules, the worker itself and
// the contract, compiled.
#ifndef ASSAY_PYTHON_BUILD_HPP
#define ASSAY_PYTHON_BUILD_HPP

#include "attempt/build.hpp"
#include "attempt/worker_attempt.hpp"
#include "core/contract.hpp"
#include "core/outcome.hpp"
#include "python/interpreter.hpp"

#include <filesystem>
#include <string>

namespace assay {

/// Whether the file is to be run by Python.
bool is_python(const std::filesystem::path& source);

/// As build() of attempt/build.hpp, with the same failures; nothing of the attempt is run. `library` is the file, and
/// `options` give its cache and limits. The same sources and interpreter give the kept file without a process.
Outcome<Built> build_python(const std::filesystem::path& source, const Contract& contract,
                            const Interpreter& interpreter, const BuildOptions& options);

/// How many times the CPU time of a compiled attempt one in Python may take. A loop over t[i, j] in place of tolist(),
/// the slowest that anybody writes, needs 0.15 s for the longest call of `sdpa`, which allows 2 s.
inline constexpr double python_allowance = 5;

/// Puts into a setup (of the exercise's limits) how a worker is started from `built`.
void start_in_python(WorkerSetup& setup, const Interpreter& interpreter, const Built& built);

} // namespace assay

#endif
