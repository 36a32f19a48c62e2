// One slice in float64 with the bound of every element, right or with a mistake in it.
#ifndef ASSAY_SOFTMAX_LAYERNORM_ORACLE_SLICES_HPP
#define ASSAY_SOFTMAX_LAYERNORM_ORACLE_SLICES_HPP

#include "oracle_slips.hpp"

#include <limits>
#include <vector>

namespace assay::softmax_layernorm_judge {

inline constexpr double unit_roundoff = 0x1p-24; // u of float32
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Values {
    std::vector<double> value, bound;

    void add(double v, double b) {
        value.push_back(v);
        bound.push_back(b);
    }
};

/// `top`: the largest element of the whole tensor, for max_of_tensor.
Values softmax_slice(std::vector<double> z, const Switch& as, double top);
Values log_softmax_slice(std::vector<double> z, const Switch& as, double top);
Values softmax_backward_slice(const std::vector<double>& z, const std::vector<double>& dy, const Switch& as,
                              double top);

/// x less its mean, and what it is multiplied by.
struct Statistics {
    std::vector<double> d; // x - mean
    double r = 0;          // 1 / sqrt(variance + eps)
    double mean_error = 0; // Δμ
    double r_error = 0;    // ρ, relative

    double normalised(std::size_t i) const { return d[i] * r; }
    /// E: what x̂ = d r may be off by.
    double error(std::size_t i) const;
};
Statistics statistics_of(const std::vector<double>& x, double eps, const Switch& as);

/// gamma, beta: one a element of the slice.
Values layernorm_slice(const Statistics& stats, const std::vector<double>& gamma, const std::vector<double>& beta,
                       const Switch& as);
/// dx alone. x is for mistakes.
Values layernorm_backward_slice(const Statistics& stats, const std::vector<double>& gamma,
                                const std::vector<double>& dy, const Switch& as);

/// Added to every bound: subnormal numbers on the way may be flushed to 0.
inline double flushed(double n, double factor) { return 0x1p-126 * (n + 4) * (1 + factor); }

} // namespace assay::softmax_layernorm_judge

#endif
