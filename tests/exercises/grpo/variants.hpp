// Right ways to compute advantages, terms, loss and gradient that differ in every rounding, in a precision T: plain
// loops without Var. In double they must stay within the bounds, in float they must not.
#ifndef ASSAY_TESTS_GRPO_VARIANTS_HPP
#define ASSAY_TESTS_GRPO_VARIANTS_HPP

#include "exercises/grpo/grpo.hpp"

#include <algorithm>

namespace assay::grpo_test {

/// How the variance is computed.
enum class Spread { two_passes, squares, welford, pairs };
inline constexpr Spread spreads[] = {Spread::two_passes, Spread::squares, Spread::welford, Spread::pairs};

template <class T> T square_sum(const std::vector<T>& r, T mean, Spread how) {
    const T G = static_cast<T>(r.size());
    T sum = 0, running = 0, count = 0;
    for (std::size_t i = 0; i < r.size(); ++i) switch (how) {
        case Spread::two_passes: sum += (r[i] - mean) * (r[i] - mean); break;
        case Spread::squares: sum += r[i] * r[i]; break;
        case Spread::welford: {
            count += 1;
            const T before = r[i] - running;
            running += before / count;
            sum += before * (r[i] - running);
            break;
        }
        case Spread::pairs:
            for (std::size_t j = 0; j < i; ++j) sum += (r[i] - r[j]) * (r[i] - r[j]) / G;
            break;
        }
    return how == Spread::squares ? std::max(sum - G * mean * mean, T(0)) : sum;
}

template <class T> Numbers advantages_by(const Problem& problem, Spread how, bool backwards) {
    const Numbers rewards = problem.array("rewards").values();
    const auto G = static_cast<std::size_t>(problem.integer("group_size"));
    const auto eps = static_cast<T>(problem.number_or("eps", 0)), ddof = static_cast<T>(problem.integer("ddof"));
    Numbers result;
    for (std::size_t first = 0; first < rewards.size(); first += G) {
        std::vector<T> r;
        for (std::size_t i = 0; i < G; ++i) r.push_back(static_cast<T>(rewards[first + i]));
        const auto [least, most] = std::minmax_element(r.begin(), r.end());
        T sum = 0;
        for (std::size_t i = 0; i < G; ++i) sum += r[backwards ? G - 1 - i : i];
        const T mean = sum / static_cast<T>(G), deviation = std::sqrt(square_sum(r, mean, how) / (T(G) - ddof));
        for (const T one : r) {
            const T scaled = problem.flag("scale") ? (one - mean) / (deviation + eps) : one - mean;
            result.push_back(*least == *most ? 0 : static_cast<double>(scaled));
        }
    }
    return result;
}

/// How exp(a - b) is computed, and k3.
enum class Power { plain, quotient, base_two };
enum class Estimate { plain, expm1, by_log };
enum class Order { plain, backwards, weights_first };

struct Way {
    Power power;
    Estimate estimate;
    Order order;
};

template <class T> T power_of(T difference, Power how) {
    if (how == Power::base_two) return std::exp2(difference * static_cast<T>(1.4426950408889634074L));
    return std::exp(difference);
}

template <class T> T k3_of(T d, Estimate how) {
    if (how == Estimate::expm1) return std::expm1(d) - d;
    const T q = std::exp(d);
    return how == Estimate::by_log ? q - std::log(q) - 1 : q - (d + 1);
}

struct Loss {
    Numbers terms, gradient;
    double loss = 0;
};

template <class T> Loss loss_by(const Batch& b, const Way& way) {
    const auto limit = static_cast<T>(b.limit);
    const auto clamped = [&](T x) { return std::max(-limit, std::min(x, limit)); };
    const auto width = static_cast<std::size_t>(b.T), N = static_cast<std::size_t>(b.N);
    const auto all = static_cast<T>(std::count(b.mask.begin(), b.mask.end(), 1.0));
    Loss result{Numbers(b.mask.size()), Numbers(b.mask.size()), 0};
    T total = 0;
    for (std::size_t row = 0; row < N; ++row) {
        const std::size_t n = way.order == Order::backwards ? N - 1 - row : row;
        const auto first = b.mask.begin() + static_cast<std::ptrdiff_t>(n * width);
        const auto length = static_cast<T>(std::count(first, first + b.T, 1.0));
        const T divisor = b.how == 0   ? static_cast<T>(N) * length
                          : b.how == 1 ? all
                                       : static_cast<T>(N) * static_cast<T>(b.longest);
        T own = 0;
        for (std::size_t column = 0; column < width; ++column) {
            const std::size_t i = n * width + (way.order == Order::backwards ? width - 1 - column : column);
            if (b.mask[i] == 0) continue;
            const T lp = static_cast<T>(b.lp_new[i]), A = static_cast<T>(b.advantage[n]);
            const T old = b.lp_old.empty() ? lp : static_cast<T>(b.lp_old[i]), d = lp - old;
            const bool quotient = way.power == Power::quotient && std::fabs(d) <= limit && std::min(lp, old) > -50;
            const T r = quotient ? std::exp(lp) / std::exp(old) : power_of(clamped(d), way.power);
            const T c = std::max(1 - static_cast<T>(b.clip_low), std::min(r, 1 + static_cast<T>(b.clip_high)));
            T term = std::min(r * A, c * A), slope = r * A <= c * A && std::fabs(d) <= limit ? r * A : 0;
            if (!b.lp_ref.empty() && b.beta != 0) {
                const T k = static_cast<T>(b.lp_ref[i]) - lp, beta = static_cast<T>(b.beta);
                term -= beta * k3_of(clamped(k), way.estimate);
                if (std::fabs(k) <= limit) slope += beta * (std::exp(k) - 1);
            }
            result.terms[i] = static_cast<double>(term);
            result.gradient[i] = static_cast<double>(-slope / divisor);
            own += way.order == Order::weights_first ? term / divisor : term;
        }
        if (length > 0) total += way.order == Order::weights_first ? own : own / divisor;
    }
    result.loss = static_cast<double>(-total);
    return result;
}

} // namespace assay::grpo_test

#endif
