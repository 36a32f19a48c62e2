// How the cases of `long_attention` are made: numbers for the calculators, random tensors of a shape for the rest.
#ifndef ASSAY_LONG_ATTENTION_CASES_HPP
#define ASSAY_LONG_ATTENTION_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay::long_attention_judge {

enum Method : std::int64_t { by_naive, by_blocks, by_window, by_rank, by_elu, by_random }; // as in the contract

struct Setup {
    std::int64_t tokens, heads = 1, head_dim = 1, element_bytes = 1, block = 1, window = 1, rank = 1, features = 1;
};
Problem cost_problem(std::int64_t method, const Setup& setup);
Problem crossover_problem(std::int64_t head_dim, std::int64_t rank, std::int64_t features);

/// A problem of tensors in the making: q, k, v standard normal, other parameters as the route takes them: omega, e and
/// f standard normal (e and f over sqrt(L)), eps 1/4.
struct Draft {
    std::int64_t H, L, D, Dv;
    Random random;
    Array q, k, v;
    std::int64_t window = 1, globals = 0;
    double eps = 0.25;
    Array omega, e, f;

    Draft(std::array<std::int64_t, 4> shape, std::int64_t rows, std::uint64_t seed, std::string_view id,
          Dtype dtype = Dtype::f32);
    Problem problem(const std::string& route) const;
};

using Change = std::function<void(Draft&)>;

struct Shape {
    std::int64_t H, L, D, Dv;
    std::int64_t window = 1, globals = 0; // or:
    std::int64_t rows = 1;                // of omega, e and f
};

/// The problem of a case that the seed draws.
Problem drawn(const std::string& route, const Shape& shape, std::uint64_t seed, std::string_view id,
              const Change& change = {});
Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change = {},
               std::string stays = "");

/// array = rule(index, old value)
void change_each(Array& array, const std::function<double(const Index& at, double old)>& rule);

std::vector<Case> cost_cases();
std::vector<Case> crossover_cases();
std::vector<Case> window_cases();
std::vector<Case> linear_cases();
std::vector<Case> random_feature_cases();
std::vector<Case> low_rank_cases();
std::vector<Case> global_cases();
std::vector<Case> error_cases();

/// A small random valid problem over all routes.
Problem random_problem(std::uint64_t seed);

} // namespace assay::long_attention_judge

#endif
