// The cases of each level, and how a problem of each route is put together.
#ifndef ASSAY_BROADCAST_CASES_HPP
#define ASSAY_BROADCAST_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <cstdint>
#include <vector>

namespace assay::broadcast_judge {

Problem plan_problem(double size_gb, double link_gbps, std::int64_t receivers, std::int64_t chunks);
Problem swarm_problem(double size_gb, double source_gbps, const std::vector<double>& upload_gbps,
                      const std::vector<double>& download_gbps);
Problem best_problem(double size_gb, double link_gbps, std::int64_t receivers, double latency_ms);
Problem rack_problem(double size_gb, double link_gbps, std::int64_t racks, std::int64_t workers,
                     double oversubscription, std::int64_t chunks);
Problem plan_run(std::int64_t receivers, std::int64_t chunks, std::int64_t rack_size, std::int64_t uplink);
/// `draws` seeds who dies when, and which sends fail; restart_after 0 = none.
Problem fault_run(std::int64_t receivers, std::int64_t chunks, std::int64_t corrupt_percent, std::int64_t deaths,
                  std::int64_t restart_after, std::int64_t draws);

/// A case that is always the same problem.
Case fixed(std::string id, std::string why, Problem problem, std::string stays = "");

std::vector<Case> closed_form_cases();
std::vector<Case> best_chunk_cases();
std::vector<Case> rack_cases();
std::vector<Case> run_cases();
std::vector<Case> fault_cases();

/// A random problem of any route, edges and invalid input among them.
Problem random_problem(std::uint64_t seed);
/// A small run of level 4 or 5.
Problem random_run(Random& random);

} // namespace assay::broadcast_judge

#endif
