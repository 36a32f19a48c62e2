// How the cases of `memory` are made: a route and the values of its fields.
#ifndef ASSAY_MEMORY_CASES_HPP
#define ASSAY_MEMORY_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::memory_judge {

struct Product {
    std::int64_t m, k, n, bits = 16;
};
struct Model {
    std::int64_t layers, d_model, heads, kv_heads, head_dim, hidden, vocab, positions = 0, norms = 2;
    bool gated = true, tied = false, final_norm = true, norm_bias = false, qk_norm = false, qkv_bias = false,
         dense_bias = false;
};
struct Cache {
    std::int64_t layers, d_model, heads, kv_heads, head_dim, batch, tokens, bits = 16;
};
struct Stack {
    std::int64_t layers, batch, sequence, d_model, heads;
};
struct Plan {
    std::int64_t layers, d_model, heads, sequence, micro_batch = 1, micro_batches = 1, tensor = 1, pipeline = 1,
                                                   chunks = 1;
    bool sequence_parallel = false, dropout = true, fp32_gradients = true;
};
struct Demand {
    std::int64_t layers, d_model, hidden, bytes_per_parameter, node;
    double memory_gib;
};

// The contract's enumerations, by their numbers.
enum Policy : std::int64_t { keep_all, free_y, free_x };
enum Recompute : std::int64_t { recompute_none, recompute_selective, recompute_full };
enum Split : std::int64_t { by_column, by_row, by_pipeline };

// Problems of the nine routes.
Problem forward_of(const Product& product);
Problem backward_of(const Product& product, std::int64_t policy, bool dx_first);
Problem state_of(std::int64_t parameters, std::int64_t gpus, std::int64_t stage, bool fp32_gradients);
Problem parameters_of(const Model& model, std::int64_t bits);
Problem cache_of(const Cache& cache);
Problem activations_of(const Stack& stack, bool dropout, std::int64_t recomputed);
Problem split_of(const Product& product, std::int64_t by, std::int64_t gpus);
Problem stage_of(const Plan& plan, std::int64_t recomputed);
Problem fit_of(const Demand& demand);

Case make_case(std::string id, std::string why, Problem problem, std::string stays = "");

std::vector<Case> forward_cases();
std::vector<Case> backward_cases();
std::vector<Case> state_cases();
std::vector<Case> parameter_cases();
std::vector<Case> cache_cases();
std::vector<Case> activation_cases();
std::vector<Case> split_cases();
std::vector<Case> stage_cases();
std::vector<Case> fit_cases();

/// A random problem over all routes: small, ordinary and huge numbers, and some out of their range.
Problem random_problem(std::uint64_t seed);

} // namespace assay::memory_judge

#endif
