// Sends one mutant through what a candidate's attempt goes through, and those that pass through a storm of random
// inputs.
#ifndef ASSAY_TESTS_MUTATE_TRY_OUT_HPP
#define ASSAY_TESTS_MUTATE_TRY_OUT_HPP

#include "attempt/build.hpp"
#include "catalogue/settings.hpp"
#include "core/exercise.hpp"
#include "core/verdict.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace assay::mutate {

/// A random valid input with its right answer.
struct Input {
    std::uint64_t seed = 0;
    Problem problem;
    Truths truths;
    const Level* level = nullptr;
};

/// Everything that trials share. Made once; trials in several threads only read it.
struct Ground {
    Exercise exercise;
    Settings settings;
    BuildInputs inputs;
    BuildOptions options;
    Toolchain toolchain;
    std::vector<Input> storm;
    double cpu_seconds = 1; // a call
};

/// The failure is one sentence: no such exercise, no compiler, a broken installation.
Outcome<std::unique_ptr<Ground>> prepare(const std::string& exercise, std::size_t inputs, std::uint64_t seed,
                                         const std::filesystem::path& cache);

struct Result {
    Verdict verdict = Verdict::SKIP; // of the levels; CE, JE or SKIP where they were not reached
    std::string reason;              // where it was rejected: "masks, case mask-axis"; of a JE its reason
    bool survives = false;           // accepted by the levels, and yet wrong on an input
    std::vector<std::string> input;  // that input, made small, a line a field; then what was wrong
};

/// Compiles `source`, runs the levels until the first failure, and where there is none asks the whole storm.
Result try_out(const Ground& ground, const std::filesystem::path& source);

} // namespace assay::mutate

#endif
