// How the cases of `roofline` are made.
#ifndef ASSAY_ROOFLINE_CASES_HPP
#define ASSAY_ROOFLINE_CASES_HPP

#include "core/exercise.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::roofline_judge {

/// A data sheet: dense and sparse TFLOP/s for 16-bit elements, TB/s, GB/s of both directions.
struct Chip {
    double dense, sparse, memory, link;
};
inline constexpr Chip h100{989, 1979, 3.35, 900}, a100{312, 624, 2.039, 600}, h200{989, 1979, 4.8, 900},
    b200{2250, 4500, 8, 1800}, l40s{362.05, 733, 0.864, 64}; // SXM; L40S on PCIe 4

/// A problem in the making. A route asks those of the fields that its function takes.
struct Draft {
    std::int64_t tokens = 300, d_model = 5120, hidden = 13824, gpus = 6;
    Chip chip = h100;
    std::int64_t gpus_per_node = 8;
    double network_gbit = 400, link_latency = 1.1e-6, network_latency = 5.3e-6;
    std::int64_t bytes_per_element = 2;
    bool gated = false, fused = false;
    double share = 0.045;

    Problem problem(std::string route) const;
};

using Change = std::function<void(Draft&)>;

/// A case of `route`: the default draft, changed.
Case make_case(std::string route, std::string id, std::string why, Change change, std::string stays = "");
/// One whose numbers are drawn from the seed.
Case drawn_case(std::string route, std::string id);

/// The inputs outside the domain that `route` may be given, a case each; `first` kills the mistake, the others stay.
struct Wrong {
    std::string id, what;
    Change change;
};
std::vector<Case> invalid_cases(const std::string& route, const std::string& prefix, const std::vector<Wrong>& wrongs);

std::vector<Case> counts_cases();
std::vector<Case> crossover_cases();
std::vector<Case> refined_cases();
std::vector<Case> inverse_cases();
std::vector<Case> in_switch_cases();

/// A random problem over the whole domain, invalid input included.
Problem random_problem(std::uint64_t seed);
/// The same of one route and with valid input only.
Problem random_problem_of(const std::string& route, std::uint64_t seed);

} // namespace assay::roofline_judge

#endif
