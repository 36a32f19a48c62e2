// How the cases of `parallelism` are made.
#ifndef ASSAY_PARALLELISM_CASES_HPP
#define ASSAY_PARALLELISM_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::parallelism_judge {

/// Of a layer on ranks. `strided`: transposed and gapped views. `scale` multiplies b1 and b2.
struct Shape {
    std::int64_t ranks = 3, tokens = 5, d = 7, f = 12;
    bool strided = false;
    double scale = 1;
};

Problem shard_problem(const Shape& shape, Random random);
/// Route forward, or sequence: then `tokens` are those of one rank.
Problem layer_problem(const std::string& route, const Shape& shape, Random random);

std::vector<Case> shard_cases();
std::vector<Case> forward_cases();
std::vector<Case> sequence_cases();
std::vector<Case> traffic_cases();
std::vector<Case> bubble_cases();
std::vector<Case> schedule_cases();

/// Level schedules: asks for the order and plays it.
Outcome<Outputs> play_schedule(Caller& caller, const Problem& problem);

bool valid(const Problem& problem);
/// Over all routes.
Problem random_problem(std::uint64_t seed);

} // namespace assay::parallelism_judge

#endif
