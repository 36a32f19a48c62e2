// Workloads: when requests arrive. The same seed gives the same times on every machine, which log() of the C library
// does not promise.
#ifndef ASSAY_SIMULATE_ARRIVALS_HPP
#define ASSAY_SIMULATE_ARRIVALS_HPP

#include "core/outcome.hpp"
#include "core/random.hpp"
#include "simulate/time.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

/// Exponential, mean 1, by comparisons alone (von Neumann, "Various techniques used in connection with random digits",
/// 1951): exact, and portable.
double exponential(Random& random);

/// `count` arrivals of a Poisson process with `rate` a second, in order, each rounded to the nanosecond.
std::vector<Time> poisson_arrivals(Random& random, double rate, std::int64_t count);

/// Bursts at Poisson times (`rate` a second), each of 1 to `largest` requests, `apart` from one another; `count` in
/// all, in order.
std::vector<Time> burst_arrivals(Random& random, double rate, std::int64_t largest, Time apart, std::int64_t count);

/// A trace: one arrival a line, its time in decimal seconds up to the first comma or space; empty lines and those
/// starting with # are left out. Exact to the nanosecond; the first arrival need not be at 0. The failure (SKIP) names
/// the line: not a number, negative, beyond a year, or earlier than the one before.
Outcome<std::vector<Time>> trace_arrivals(std::string_view text);

} // namespace assay

#endif
