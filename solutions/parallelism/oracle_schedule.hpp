// Pipeline schedules: written, right and wrong, and played.
#ifndef ASSAY_PARALLELISM_ORACLE_SCHEDULE_HPP
#define ASSAY_PARALLELISM_ORACLE_SCHEDULE_HPP

#include "core/problem.hpp"
#include "core/slips.hpp"

#include <cstdint>
#include <vector>

namespace assay::parallelism_judge {

inline constexpr std::int64_t forward_units = 1, backward_units = 2;

/// One row a stage: k + 1 the forward of micro-batch k, -(k + 1) its backward.
using Orders = std::vector<std::vector<std::int64_t>>;

/// What is wrong with an order first. By stage, then by step, `entry` and `backward_early` are looked for; only where
/// there are none is it played, which may end with stages that wait for one another.
enum class Fault : std::int64_t { none, entry, backward_early, waits };
inline constexpr const char* fault_legend =
    "0 none, 1 an entry is no operation or stands a second time, 2 a backward stands before its own forward, "
    "3 an operation waits for ever for another stage";

struct Played {
    Fault fault = Fault::none;
    std::int64_t stage = -1, step = -1; // of the fault
    double makespan = 0, fraction = 0;  // units; idle share of the makespan
    std::vector<std::int64_t> peak;     // live micro-batches, a stage each
};

/// Each stage works through its row, an operation starting when the stage is free and what it needs is there.
Played play(const Orders& orders, std::int64_t micro_batches);

/// The schedule with these mistakes. kind: 0 GPipe, 1 1F1B.
Orders write_orders(std::int64_t kind, std::int64_t stages, std::int64_t micro_batches, const Slips& on);

/// The outputs of level schedules that a played order gives. One with a fault never ends: its makespan is infinite, all
/// of it is bubble, and its peaks stand at 0.
Truths outcome_of(const Played& played);

} // namespace assay::parallelism_judge

#endif
