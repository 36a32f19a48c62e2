// The truth of `long_attention`, the error bound of every number, and each named mistake as a switch.
#ifndef ASSAY_LONG_ATTENTION_ORACLE_HPP
#define ASSAY_LONG_ATTENTION_ORACLE_HPP

#include "core/exercise.hpp"

#include <optional>
#include <vector>

namespace assay::long_attention_judge {

/// The exercise's oracle. Calculators, `compare` among them, take any number of mistakes at once; a tensor gets one.
/// Nothing where a mistake cannot be made on the problem, where its value hangs on the way of computing, for two in a
/// tensor, and for any on sequences above `longest_with_mistakes`.
std::optional<Truths> oracle(const Problem& problem, const Slips& on);

/// Every mistake that the oracle can make.
std::vector<Mistake> mistakes();

/// Fields that are there and fit each other, and what the contract asks of them.
bool valid(const Problem& problem);

/// A careful float32 implementation of the routes that return tensors, for error figures.
Outputs plain(const Problem& problem);

/// Beyond, a case is there for its length alone: every mistake shows on shorter ones, and would cost seconds here.
inline constexpr std::int64_t longest_with_mistakes = 4096;

/// The answers by route.
Truths costs(const Problem& problem, const Slips& on);
Truths crossover(const Problem& problem, const Slips& on);
std::optional<Truths> sliding(const Problem& problem, const Slips& on); // window_with_globals too
std::optional<Truths> linear(const Problem& problem, const Slips& on);
std::optional<Truths> random_feature(const Problem& problem, const Slips& on);
std::optional<Truths> low_rank(const Problem& problem, const Slips& on);
std::optional<Truths> compared(const Problem& problem, const Slips& on);

/// FLOPs a token of attention through `features` features, per head; `mapped` where they are random ones.
double state_flops(double head_dim, double features, bool mapped, const Slips& on);
/// Elements that it keeps per head beside inputs and outputs.
double state_elements(double head_dim, double features, const Slips& on);

/// A quotient whose whole part is asked for is whole in exact arithmetic, or far from it.
bool is_decided(double above, double below);

} // namespace assay::long_attention_judge

#endif
