// What an attempt at `long_attention` defines: what attention over long sequences costs, and five ways to compute it or
// something near it. README.md beside this file is the statement. A missing function fails only the levels that need
// it.
#ifndef ASSAY_LONG_ATTENTION_CONTRACT_HPP
#define ASSAY_LONG_ATTENTION_CONTRACT_HPP

#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <cstdint>

namespace long_attention {

using assay::tensor;
using assay::unset;

// Level costs. One attention layer over `tokens` tokens, causal but for low_rank, forward pass, all heads at once.
enum class method : std::int64_t { naive, blockwise, window, low_rank, linear, random_features };

/// Counts of at least 1. A method reads only what it needs: `block` blockwise (which it must divide `tokens` for),
/// `window`, `rank` low_rank, `features` random_features.
struct setup {
    std::int64_t tokens, heads;
    std::int64_t head_dim; // of queries, keys and values
    std::int64_t element_bytes;
    std::int64_t block, window, rank, features;
};

/// README.md has the formula of every item for every method.
struct cost {
    double pairs = unset;         // of a query and a key (or projected key) whose score is computed
    double flops_prepare = unset; // projections, feature maps
    double flops_scores = unset;  // q·k; linear: writing the state
    double flops_values = unset;  // weights times values; linear: reading the state
    double flops = unset;         // the three together
    double exps = unset;          // exponentials, which are no FLOPs
    double bytes = unset;         // B moved between memory and processor
    double peak = unset;          // B that live beside inputs and outputs
    double intensity = unset;     // FLOP/B
};
cost cost_of(method how, setup layer);

// Level crossover. Lengths from which on something is cheaper, for one head.
struct crossing {
    double naive_token = unset;    // FLOPs a token and token of length: naive takes naive_token * L² in all
    double low_rank_token = unset; // FLOPs a token
    double linear_token = unset;
    double random_token = unset;
    double low_rank_equal = unset; // the length, a real number, at which naive takes as many FLOPs
    double low_rank_first = unset; // the least whole length at which naive takes more
    double linear_equal = unset, linear_first = unset;
    double random_equal = unset, random_first = unset;
    double memory_equal = unset, memory_first = unset; // the same for `peak`: linear against naive
    double cache_equal = unset, cache_first = unset;   // the same for what decoding keeps: the state against k and v
};
/// Counts of at least 1.
crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features);

// The other levels. Every tensor is contiguous, row-major: element (h, i, d) of q lies at data()[(h * L + i) * D + d].
//   q, k (H, L, D) · v, out (H, L, Dv); H, L, D, Dv >= 1. Heads are independent of each other.

/// Level window: softmax attention with scale 1/sqrt(D); i attends j iff 0 <= i - j < window. window >= 1, may be above
/// L.
void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out);

/// Level linear: f(x) = elu(x) + 1 element by element, no scale.
///   out_i = sum_{j<=i} (f(q_i)·f(k_j)) v_j / (sum_{j<=i} f(q_i)·f(k_j) + eps).   1e-12 <= eps <= 1.
void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out);

/// Level random-features: the same with positive random features and no eps. omega (M, D), M >= 1;
///   f_m(x) = exp(omega_m·y - |y|²/2) with y = x / D^(1/4).
void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out);

/// Level low-rank: not causal. e, f (R, L), R >= 1, the same for all heads:
///   out = softmax(q (e k)ᵀ / sqrt(D)) (f v).
void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out);

/// Level global-tokens: as sliding_window, but i attends j iff j <= i and (i - j < window or j < globals).
/// window >= 1, globals >= 0; both may be above L.
void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                         std::int64_t window, std::int64_t globals, tensor<float, 3> out);

/// Level error: window_with_globals (the approximation) beside exact causal attention, in float64.
struct comparison {
    double pairs_exact = unset; // of all heads; causal: L (L + 1) / 2 a head
    double pairs_kept = unset;
    double share = unset;          // kept / exact
    double flops_saved = unset;    // 2 (D + Dv) a pair that is not computed
    double mean_mass = unset;      // of the exact weights that lie on kept keys, over all rows of all heads
    double least_mass = unset;     // the least over all rows
    double max_error = unset;      // the largest |approximation - exact| of all elements
    double relative_error = unset; // |approximation - exact| / |exact|, Euclidean norms over all elements
};
comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, std::int64_t window,
                   std::int64_t globals);

} // namespace long_attention

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(long_attention, setup, tokens, heads, head_dim, element_bytes, block, window, rank, features)               \
    RECORD(long_attention, cost, pairs, flops_prepare, flops_scores, flops_values, flops, exps, bytes, peak,           \
           intensity)                                                                                                  \
    RECORD(long_attention, crossing, naive_token, low_rank_token, linear_token, random_token, low_rank_equal,          \
           low_rank_first, linear_equal, linear_first, random_equal, random_first, memory_equal, memory_first,         \
           cache_equal, cache_first)                                                                                   \
    RECORD(long_attention, comparison, pairs_exact, pairs_kept, share, flops_saved, mean_mass, least_mass, max_error,  \
           relative_error)

// The list that judge and worker build their calls from: (namespace, function, parameter names).
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(long_attention, cost_of, "how layer")                                                                     \
    FUNCTION(long_attention, crossover, "head_dim rank features")                                                      \
    FUNCTION(long_attention, sliding_window, "q k v window out")                                                       \
    FUNCTION(long_attention, linear_attention, "q k v eps out")                                                        \
    FUNCTION(long_attention, random_features, "q k v omega out")                                                       \
    FUNCTION(long_attention, low_rank, "q k v e f out")                                                                \
    FUNCTION(long_attention, window_with_globals, "q k v window globals out")                                          \
    FUNCTION(long_attention, compare, "q k v window globals")

#endif
