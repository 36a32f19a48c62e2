// How the cases of `batching` are made.
#ifndef ASSAY_BATCHING_CASES_HPP
#define ASSAY_BATCHING_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"
#include "simulate/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::batching_judge {

/// Times in milliseconds, or in nanoseconds where said.
struct Run {
    std::int64_t max_batch, timeout, queue, batch_time;
    std::vector<std::int64_t> arrivals;
    bool in_nanoseconds = false;
};

/// What level 4 adds. Nobody is poison and nothing dies where the lists are empty.
struct Faults {
    std::int64_t token_budget, token_time;
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> poison; // requests
    std::vector<std::int64_t> deaths; // batches
};

Case fixed(std::string id, std::string why, Problem problem, std::string stays = "");

Problem plan_problem(const std::vector<std::int64_t>& service);
Problem batcher_problem(const Run& run);
Problem faults_problem(const Run& run, const Faults& faults);
Problem load_test_problem(const Run& run);
Problem best_timeout_problem(const Run& run, const std::vector<std::int64_t>& timeouts, std::int64_t slo);
Problem compare_problem(const std::vector<std::int64_t>& lengths, std::int64_t slots);

/// `count` arrivals in ns, mostly Poisson, with one moment at which an arrival falls on the very instant of the timer
/// while the batch is one short of full.
Run long_day(Random& random, std::int64_t count);

std::vector<Case> capacity_cases();
std::vector<Case> batcher_cases();
std::vector<Case> slo_cases();
std::vector<Case> faults_cases();
std::vector<Case> per_step_cases();

/// Over all routes.
Problem random_problem(std::uint64_t seed);
Problem random_batcher_problem(Random& random);
Problem random_faults_problem(Random& random);

} // namespace assay::batching_judge

#endif
