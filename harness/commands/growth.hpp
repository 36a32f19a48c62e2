// What is measured on longer and longer problems: an attempt's peak memory by every check, its time where it was asked
// for.
#ifndef ASSAY_COMMANDS_GROWTH_HPP
#define ASSAY_COMMANDS_GROWTH_HPP

#include "attempt/worker_attempt.hpp"
#include "commands/contestants.hpp"
#include "core/exercise.hpp"
#include "core/record.hpp"

#include <string>

namespace assay {

/// Enters the growth of each function whose level passes, or runs out of time or memory: the peak memory at the first
/// `at_once` lengths, with the seconds too where the level ran out of time, which is then why. Each length is a process
/// of its own that is asked twice.
void enter_memory_growth(const Exercise& exercise, const WorkerSetup& setup, Record& record);

/// Enters peak memory at all lengths, and the exponents of time, taking about so many seconds a function.
void enter_growth(const Exercise& exercise, const Program& program, double seconds, Record& record);

/// How many of the thresholds the exponents of these functions come down to, by their intervals' lower ends; 0 where
/// one has none.
int exponents_reached(const SpeedLevel& level, const std::vector<GrowthRecord>& growth);

} // namespace assay

#endif
