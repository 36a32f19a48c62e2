// What an attempt at `attention_scaling` defines. README.md says what each item means.
//
// On invalid input a function returns `{}`: every item stays unset. Sizes are 64-bit, all arithmetic is float64.
#ifndef ATTENTION_SCALING_CONTRACT_HPP
#define ATTENTION_SCALING_CONTRACT_HPP

#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <cstdint>

namespace attention_scaling {

using assay::tensor;
using assay::unset;

// Level 1. q and k have d entries each, all independent, with mean 0 and these standard deviations.
struct features {
    std::int64_t d;          // >= 1
    double sigma_q, sigma_k; // >= 0, finite
};

struct moments {
    double product_variance = unset; // of one product q_i k_i
    double variance = unset;         // of q.k
    double scale = unset;            // the positive factor that gives scale * q.k a variance of 1
};

moments independent(features f);

// Level 2. The pairs (q_i, k_i) are independent of each other; within a pair the correlation is rho.
enum class law : std::int64_t {
    gaussian, // (q_i, k_i) jointly Gaussian
    signs,    // q_i = ±sigma_q, k_i = ±sigma_k, each sign as likely as the other
    uniform   // q_i uniform, k_i = sigma_k (rho q_i / sigma_q + sqrt(1 - rho^2) z_i), z_i independent of q_i
};

struct joint_features {
    std::int64_t d;          // >= 1
    double sigma_q, sigma_k; // >= 0, finite
    double rho;              // in [-1, 1]
    law distribution;
};

struct joint_moments {
    double mean = unset;             // of q.k
    double product_variance = unset; // of one product q_i k_i
    double variance = unset;         // of q.k
    double scale = unset;            // the positive factor that gives scale * q.k a variance of 1
};

joint_moments correlated(joint_features f);

// Level 3. logits (n), p (n), jacobian (n, n), all contiguous. n >= 1, logits finite.
struct sensitivity {
    double norm = unset;    // Frobenius norm of the Jacobian
    double entropy = unset; // of p, in nats
};

// Writes p = softmax(logits) and jacobian(i, j) = d p_i / d logit_j. On invalid input every element of both is NaN.
sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian);

// Level 4. One query before a standard set of `keys` keys, under three scales: none, 1/sqrt(d), 1/d.
struct comparison {
    double deviation_unscaled = unset; // standard deviation of the logits over the keys
    double largest_unscaled = unset;   // the largest weight
    double entropy_unscaled = unset;   // of the weights, in nats
    double norm_unscaled = unset;      // Frobenius norm of the softmax's Jacobian
    double deviation_by_root = unset;
    double largest_by_root = unset;
    double entropy_by_root = unset;
    double norm_by_root = unset;
    double deviation_by_d = unset;
    double largest_by_d = unset;
    double entropy_by_d = unset;
    double norm_by_d = unset;
};

comparison saturation(std::int64_t d, std::int64_t keys); // d >= 1, keys >= 2

// Bonus. As in level 2, jointly Gaussian: what training does to q.k under 1/sqrt(d) and under 1/d.
struct aligned_features {
    std::int64_t d;          // >= 1
    double sigma_q, sigma_k; // >= 0, finite
    double rho;              // in [-1, 1]
};

struct logits_after_training {
    double mean_by_root = unset;      // of q.k / sqrt(d)
    double deviation_by_root = unset; // its standard deviation
    double mean_by_d = unset;         // of q.k / d
    double deviation_by_d = unset;    // its standard deviation
    double crossing = unset;          // the d, a real number, at which |mean| equals the standard deviation
};

logits_after_training aligned(aligned_features f);

} // namespace attention_scaling

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(attention_scaling, features, d, sigma_q, sigma_k)                                                           \
    RECORD(attention_scaling, moments, product_variance, variance, scale)                                              \
    RECORD(attention_scaling, joint_features, d, sigma_q, sigma_k, rho, distribution)                                  \
    RECORD(attention_scaling, joint_moments, mean, product_variance, variance, scale)                                  \
    RECORD(attention_scaling, sensitivity, norm, entropy)                                                              \
    RECORD(attention_scaling, comparison, deviation_unscaled, largest_unscaled, entropy_unscaled, norm_unscaled,       \
           deviation_by_root, largest_by_root, entropy_by_root, norm_by_root, deviation_by_d, largest_by_d,            \
           entropy_by_d, norm_by_d)                                                                                    \
    RECORD(attention_scaling, aligned_features, d, sigma_q, sigma_k, rho)                                              \
    RECORD(attention_scaling, logits_after_training, mean_by_root, deviation_by_root, mean_by_d, deviation_by_d,       \
           crossing)

#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(attention_scaling, independent, "f")                                                                      \
    FUNCTION(attention_scaling, correlated, "f")                                                                       \
    FUNCTION(attention_scaling, softmax, "logits p jacobian")                                                          \
    FUNCTION(attention_scaling, saturation, "d keys")                                                                  \
    FUNCTION(attention_scaling, aligned, "f")

#endif
