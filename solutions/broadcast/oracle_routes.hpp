// What the routes of the oracle share: units, domains, and the three pipelined plans as numbers of slots.
#ifndef ASSAY_BROADCAST_ORACLE_ROUTES_HPP
#define ASSAY_BROADCAST_ORACLE_ROUTES_HPP

#include "core/exercise.hpp"

#include <cstdint>

namespace assay::broadcast_judge {

inline constexpr double least = 1e-9, most = 1e12; // GB and Gbit/s
inline constexpr std::int64_t most_count = 1'000'000'000'000'000;

inline bool within(double x, double low, double high) { return x >= low && x <= high; } // false for NaN
inline bool within(std::int64_t x, std::int64_t low, std::int64_t high) { return x >= low && x <= high; }
inline double number(const Problem& problem, std::string_view name) { return problem.number_or(name, 0); }

/// B of so many GB; B/s of so many Gbit/s.
double bytes_of(double gigabytes, const Slips& on);
double rate_of(double gigabits, const Slips& on);

/// floor(log2 x), x >= 1.
int log2_floor(std::int64_t x);

/// A plan in which k chunks take pace·k + extra slots.
struct Pipeline {
    std::int64_t pace = 1;
    std::int64_t extra = 0;
    /// Slots until the last node has the first chunk.
    std::int64_t first() const { return pace + extra; }
};
struct Pipelines {
    Pipeline chain, tree, optimum;
};
/// For N receivers, with the mistakes that change the count of slots whatever k is.
Pipelines pipelines(std::int64_t receivers, const Slips& on);

/// N with the source counted wrongly.
std::int64_t receivers_of(const Problem& problem, const Slips& on);

Truths plan_times(const Problem& problem, const Slips& on);
Truths swarm_bound(const Problem& problem, const Slips& on);
Truths best_chunks(const Problem& problem, const Slips& on);
Truths rack_plans(const Problem& problem, const Slips& on);

/// Whether float64 finds the best number of chunks of each plan: at most 10^5, and either a tie or more than 1e-12 of
/// the least time away from its neighbours. True where the input is invalid, and nothing is to be found.
bool stands_out(const Problem& problem);

/// Whether the limit by upload, a quotient of sums, is more than rounding away from the others. True for invalid input.
bool upload_stands_out(const Problem& problem);

} // namespace assay::broadcast_judge

#endif
