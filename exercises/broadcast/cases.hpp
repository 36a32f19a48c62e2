// The cases of each level, and how a problem of each route is put together.
#ifndef ASSAY_BROADCAST_CASES_HPP
#define ASSAY_BROADCAST_CASES_HPP

#include "core/exercise.hpp"

#include <cstdint>
#include <vector>

namespace assay::broadcast_judge {

Problem plan_problem(double size_gb, double link_gbps, std::int64_t receivers, std::int64_t chunks);
Problem swarm_problem(double size_gb, double source_gbps, const std::vector<double>& upload_gbps,
                      const std::vector<double>& download_gbps);
Problem best_problem(double size_gb, double link_gbps, std::int64_t receivers, double latency_ms);
Problem rack_problem(double size_gb, double link_gbps, std::int64_t racks, std::int64_t workers,
                     double oversubscription, std::int64_t chunks);

/// A case that is always the same problem.
Case fixed(std::string id, std::string why, Problem problem, std::string stays = "");

std::vector<Case> closed_form_cases();
std::vector<Case> best_chunk_cases();
std::vector<Case> rack_cases();

/// A random problem of any route, edges and invalid input among them.
Problem random_problem(std::uint64_t seed);

} // namespace assay::broadcast_judge

#endif
