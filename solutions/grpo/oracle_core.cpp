// GRPO in long double. Where the bounds come from (first order, worst case; u = 2^-53):
//   mean        G additions and a division: Δμ = u (G + 1) mean |r|.
//   deviation   r - mean: Δμ + u |d|. Where a mean lies far above the spread, Δμ is what remains of it.
//   variance    squares, sum, division: u (G + 4) of the sum of r², which admits the mean of squares less the square of
//               the mean as well as two passes and Welford; and G Δμ². Half of that, relative, reaches the deviation.
//   ratio       exp turns the absolute error of its argument into a relative one. The argument is one subtraction,
//               u |d|, or three roundings for those who go by powers of 2; exp itself, or a quotient of two: 8 u more.
//   k3          exp(d) - d - 1 cancels near 0: its error is that of its parts, u (e^d (3 |d| + 8) + 3 (e^d + |d| + 1)).
//   aggregate   a sum of `count` terms in any order, then divisions: u (count + T + N + 8) of the sum of sizes.
#include "oracle_core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::grpo_judge {

namespace {

using real = long double;
constexpr real u = 0x1p-53L;

real clamp(real x, real low, real high) { return std::max(low, std::min(x, high)); }

/// The rewards of one group, from `first` on.
void one_group(const double* first, const GroupRule& rule, double* value, double* bound) {
    const auto size = static_cast<std::size_t>(rule.group_size);
    const auto G = static_cast<real>(size), divisor = G - static_cast<real>(rule.ddof);
    const auto [least, most] = std::minmax_element(first, first + size);
    real mean = 0, mean_size = 0, squares = 0, sum_of_squares = 0;
    for (std::size_t i = 0; i < size; ++i) mean += static_cast<real>(first[i]) / G;
    for (std::size_t i = 0; i < size; ++i) {
        const auto r = static_cast<real>(first[i]);
        mean_size += std::fabs(r) / G;
        squares += (r - mean) * (r - mean);
        sum_of_squares += r * r;
    }
    const real mean_error = size == 1 ? 0 : u * (G + 1) * mean_size;
    if (*least == *most) { // by the formula itself, a mean's rounding divided by eps
        const real stray = !rule.scale ? mean_error : rule.eps > 0 ? 2 * mean_error / rule.eps : 0;
        std::fill_n(value, size, 0.0);
        std::fill_n(bound, size, static_cast<double>(stray));
        return;
    }
    const real deviation = std::sqrt(squares / divisor), whole = deviation + static_cast<real>(rule.eps);
    const real q = (2 * u * (G + 4) * sum_of_squares + G * mean_error * mean_error) / squares;
    const real relative = (q / 2 * (1 + q) + 2 * u) * deviation / whole;
    for (std::size_t i = 0; i < size; ++i) {
        const real d = static_cast<real>(first[i]) - mean, error = mean_error + 2 * u * std::fabs(d);
        value[i] = static_cast<double>(rule.scale ? d / whole : d);
        bound[i] =
            static_cast<double>(rule.scale ? (error + std::fabs(d) * (relative + 3 * u)) / whole * (1 + q) : error);
    }
}

} // namespace

Bounded advantages(const std::vector<double>& rewards, const GroupRule& rule) {
    Bounded result(rewards.size());
    const auto size = static_cast<std::size_t>(rule.group_size);
    for (std::size_t first = 0; first + size <= rewards.size(); first += size)
        one_group(rewards.data() + first, rule, result.value.data() + first, result.bound.data() + first);
    return result;
}

Objective objective(double lp_new, double lp_old, const double* lp_ref, double advantage, const LossRule& rule) {
    const auto limit = static_cast<real>(rule.log_ratio_limit), A = static_cast<real>(advantage);
    const real log_ratio = static_cast<real>(lp_new) - static_cast<real>(lp_old);
    const real d = clamp(log_ratio, -limit, limit), r = std::exp(d);
    const real low = 1 - static_cast<real>(rule.clip_low), high = 1 + static_cast<real>(rule.clip_high);
    const bool clipped = A > 0 ? r > high : A < 0 && r < low;

    Objective one;
    one.policy = (clipped ? clamp(r, low, high) : r) * A;
    const real stray = u * (3 * std::fabs(d) + 8);
    one.value_error = std::fabs(one.policy) * (clipped ? 4 * u : stray + 2 * u);
    if (!clipped && std::fabs(log_ratio) <= limit) {
        one.slope = r * A;
        one.slope_error = r * std::fabs(A) * (stray + 8 * u);
    }
    const auto beta = static_cast<real>(rule.beta);
    if (lp_ref != nullptr && beta != 0) {
        const real difference = static_cast<real>(*lp_ref) - static_cast<real>(lp_new);
        const real k = clamp(difference, -limit, limit), e = std::exp(k);
        const real part = u * e * (3 * std::fabs(k) + 8);
        one.kl = std::expm1(k) - k;
        one.value_error += beta * (part + 3 * u * (e + std::fabs(k) + 1));
        if (std::fabs(difference) <= limit) {
            one.slope += beta * std::expm1(k); // d(-k3) / d lp_new = e^k - 1
            one.slope_error += beta * (part + 8 * u * (e + 1));
        }
    }
    one.value = one.policy - beta * one.kl;
    one.value_error += 3 * u * (std::fabs(one.policy) + beta * one.kl);
    return one;
}

std::vector<long double> weights(const Tokens& tokens, const LossRule& rule) {
    std::vector<real> result(tokens.mask.size());
    const auto N = static_cast<real>(tokens.N);
    const auto all = static_cast<real>(std::count_if(tokens.mask.begin(), tokens.mask.end(), [](char m) { return m; }));
    for (std::size_t n = 0; n < tokens.N; ++n) {
        const auto first = tokens.mask.begin() + static_cast<std::ptrdiff_t>(n * tokens.T);
        const auto own = static_cast<real>(
            std::count_if(first, first + static_cast<std::ptrdiff_t>(tokens.T), [](char m) { return m; }));
        const real divisor = rule.how == Aggregation::sequence_mean ? N * own
                             : rule.how == Aggregation::token_mean  ? all
                                                                    : N * static_cast<real>(rule.longest);
        for (std::size_t i = n * tokens.T; i < (n + 1) * tokens.T; ++i)
            if (tokens.mask[i] != 0) result[i] = 1 / divisor;
    }
    return result;
}

LossAnswer loss(const Tokens& tokens, const LossRule& rule) {
    const std::vector<real> weight = weights(tokens, rule);
    LossAnswer answer{Bounded(tokens.mask.size()), Bounded(tokens.mask.size()), 0, 0};
    real sum = 0, error = 0, size = 0, count = 0;
    for (std::size_t i = 0; i < tokens.mask.size(); ++i) {
        if (tokens.mask[i] == 0) continue;
        const double* lp_ref = tokens.has_kl(rule) ? &tokens.lp_ref[i] : nullptr;
        const Objective one = objective(tokens.lp_new[i], tokens.old(i), lp_ref, tokens.A(i), rule);
        answer.terms.value[i] = static_cast<double>(one.value);
        answer.terms.bound[i] = static_cast<double>(one.value_error);
        answer.gradient.value[i] = static_cast<double>(-weight[i] * one.slope);
        answer.gradient.bound[i] = static_cast<double>(weight[i] * one.slope_error);
        sum += weight[i] * one.value;
        error += weight[i] * one.value_error;
        size += weight[i] * (std::fabs(one.policy) + static_cast<real>(rule.beta) * one.kl);
        count += 1;
    }
    answer.loss = static_cast<double>(-sum);
    answer.loss_bound = static_cast<double>(error + u * (count + static_cast<real>(tokens.T + tokens.N) + 8) * size);
    return answer;
}

double distance_from_edges(const Tokens& tokens, const LossRule& rule) {
    double least = std::numeric_limits<double>::infinity();
    const auto keep = [&](double distance) { least = std::min(least, std::fabs(distance)); };
    const auto keep_log = [&](double d) { keep(std::fabs(d) - rule.log_ratio_limit); };
    for (std::size_t i = 0; i < tokens.mask.size(); ++i) {
        if (tokens.mask[i] == 0) continue;
        const double d = tokens.lp_new[i] - tokens.old(i);
        const double r = std::exp(std::max(-rule.log_ratio_limit, std::min(d, rule.log_ratio_limit)));
        keep(r - (1 - rule.clip_low));
        keep(r - (1 + rule.clip_high));
        keep_log(d);
        if (tokens.has_kl(rule)) keep_log(tokens.lp_ref[i] - tokens.lp_new[i]);
    }
    return least;
}

} // namespace assay::grpo_judge
