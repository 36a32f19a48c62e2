// The judge's side of the bench: a process that checks one attempt, or many of them together, as the commands do.
#ifndef ASSAY_TESTS_HOSTILE_JUDGE_HPP
#define ASSAY_TESTS_HOSTILE_JUDGE_HPP

#include "hostile/play.hpp"

#include <cstddef>
#include <vector>

namespace assay::hostile {

/// Checks one attempt: its record (JSON) goes to standard output, what a person is shown to standard error. Gives the
/// exit code of `assay check`.
int check_one(const Asked& asked, double cpu_seconds, bool second_look);

/// Checks all of them in this order on several threads at once, as `exercise verify` does, and prints each one's
/// verdict, a line each.
int check_many(const std::vector<Asked>& attempts, std::size_t threads);

} // namespace assay::hostile

#endif
