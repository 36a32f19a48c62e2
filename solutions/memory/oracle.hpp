// Float64 truth of `memory`: bytes and parameters item by item, with each named mistake as a switch.
#ifndef ASSAY_MEMORY_ORACLE_HPP
#define ASSAY_MEMORY_ORACLE_HPP

#include "core/exercise.hpp"
#include "core/items.hpp"

#include <string>
#include <vector>

namespace assay::memory_judge {

inline constexpr double gib = 1024.0 * 1024.0 * 1024.0;

std::vector<Mistake> mistakes();
/// Any mistakes switched on; a mistake that cannot show on the problem's route leaves it right.
Truths oracle(const Problem& problem, const Slips& on);
/// Whether the problem has the fields of its route, and no whole number of GPUs hangs on a rounding.
bool valid(const Problem& problem);

// One a route, in the contract's order.
Truths forward(const Problem& problem, const Slips& on);
Truths backward(const Problem& problem, const Slips& on);
Truths training_state(const Problem& problem, const Slips& on);
Truths parameters(const Problem& problem, const Slips& on);
Truths kv_cache(const Problem& problem, const Slips& on);
Truths activations(const Problem& problem, const Slips& on);
Truths split_matmul(const Problem& problem, const Slips& on);
Truths first_stage(const Problem& problem, const Slips& on);
Truths least_gpus(const Problem& problem, const Slips& on);

/// A count among the problem's fields as a real number, so that products may pass 2^63.
inline double count(const Problem& problem, const char* name) { return static_cast<double>(problem.integer(name)); }

/// Whether all of these are at least `least`.
bool all_at_least(const Problem& problem, std::int64_t least, std::initializer_list<const char*> names);

/// Bytes of an element of this many bits.
double bytes_of(std::int64_t bits, const Slips& on);
/// Elements of a matrix.
double elements(std::int64_t rows, std::int64_t columns, const Slips& on);
/// In GiB.
double in_gib(double bytes, const Slips& on);
/// Parts of `whole` that fit into `room` are floor(room / part).
double how_many_fit(double room, double part, const Slips& on);

/// The truths as they are, or all items unset where the input was invalid.
Truths answered(Items items, bool in_domain, const Slips& on);

} // namespace assay::memory_judge

#endif
