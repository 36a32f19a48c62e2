// What the variants are made of: one slice of each function in float32, by one way or another of summing, dividing and
// measuring.
#ifndef ASSAY_TESTS_SOFTMAX_LAYERNORM_VARIANTS_HPP
#define ASSAY_TESTS_SOFTMAX_LAYERNORM_VARIANTS_HPP

#include <algorithm>
#include <assay/half.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace assay::softmax_layernorm_test {

using Floats = std::vector<float>;

/// What a variant is given, and what it fills: y or dx, n elements.
struct Slot {
    Floats x, dy, gamma, beta;
    float eps = 1e-5f;
    Floats out;
    std::size_t n() const { return x.size(); }
};

struct Variant {
    std::string name;
    std::function<void(Slot&)> run;
};

inline float in_half(float x) { return static_cast<float>(half(x)); }
inline float in_bfloat16(float x) { return static_cast<float>(bfloat16(x)); }
inline float kept(float x) { return x; }

using Keep = float (*)(float); // rounds a partial sum

inline float sum_forward(const Floats& a, Keep keep = kept) {
    float sum = 0;
    for (const float one : a) sum = keep(sum + one);
    return sum;
}
inline float sum_backward(const Floats& a) {
    float sum = 0;
    for (std::size_t j = a.size(); j-- > 0;) sum += a[j];
    return sum;
}
inline float sum_pairwise(const Floats& a, std::size_t from, std::size_t to) {
    if (to - from <= 1) return to == from ? 0 : a[from];
    const std::size_t middle = from + (to - from) / 2;
    return sum_pairwise(a, from, middle) + sum_pairwise(a, middle, to);
}
inline float sum_lanes(const Floats& a) { // as eight SIMD lanes do
    Floats lanes(8);
    for (std::size_t j = 0; j < a.size(); ++j) lanes[j % 8] += a[j];
    return sum_forward(lanes);
}
using Sum = std::function<float(const Floats&)>;

struct NamedSum {
    const char* name;
    Sum sum;
};
inline std::vector<NamedSum> sums() {
    return {{"forward", [](const Floats& a) { return sum_forward(a); }},
            {"backward", sum_backward},
            {"pairwise", [](const Floats& a) { return sum_pairwise(a, 0, a.size()); }},
            {"eight lanes", sum_lanes}};
}

inline Floats mapped(const Floats& a, const std::function<float(std::size_t)>& f) {
    Floats b(a.size());
    for (std::size_t j = 0; j < a.size(); ++j) b[j] = f(j);
    return b;
}
inline float largest(const Floats& a) { return *std::max_element(a.begin(), a.end()); }

/// Weights of softmax, by one way of summing and one of dividing.
enum class Divide { quotient, reciprocal, subtract_log, base_two, online };
inline Floats weights(const Floats& x, Divide divide, const Sum& sum) {
    const float m = largest(x);
    if (divide == Divide::online) {
        float running = -std::numeric_limits<float>::infinity(), total = 0;
        for (const float one : x) {
            const float next = std::max(running, one);
            total = total * std::exp(running - next) + std::exp(one - next);
            running = next;
        }
        return mapped(x, [&](std::size_t j) { return std::exp(x[j] - running) / total; });
    }
    if (divide == Divide::base_two) {
        const Floats e = mapped(x, [&](std::size_t j) { return std::exp2((x[j] - m) * 1.44269504f); });
        const float total = sum(e);
        return mapped(x, [&](std::size_t j) { return e[j] / total; });
    }
    const Floats e = mapped(x, [&](std::size_t j) { return std::exp(x[j] - m); });
    const float total = sum(e);
    if (divide == Divide::subtract_log) {
        const float log_total = std::log(total);
        return mapped(x, [&](std::size_t j) { return std::exp(x[j] - m - log_total); });
    }
    const float inverse = 1 / total;
    return mapped(x, [&](std::size_t j) { return divide == Divide::quotient ? e[j] / total : e[j] * inverse; });
}

inline const std::vector<std::pair<const char*, Divide>>& divisions() {
    static const std::vector<std::pair<const char*, Divide>> all{{"quotient", Divide::quotient},
                                                                 {"reciprocal", Divide::reciprocal},
                                                                 {"less log", Divide::subtract_log},
                                                                 {"base 2", Divide::base_two},
                                                                 {"online", Divide::online}};
    return all;
}

/// Mean and deviations, and 1 / sqrt(variance + eps).
struct Moments32 {
    float mean = 0, r = 0;
    Floats d;
};
enum class Measure { two_pass, corrected, welford };
inline Moments32 measured(const Floats& x, float eps, Measure how, const Sum& sum) {
    const auto n = static_cast<float>(x.size());
    Moments32 m;
    float squares = 0;
    if (how == Measure::welford) {
        float count = 0;
        for (const float one : x) {
            count += 1;
            const float before = one - m.mean;
            m.mean += before / count;
            squares += before * (one - m.mean);
        }
    } else {
        m.mean = sum(x) / n;
        if (how == Measure::corrected) m.mean += sum(mapped(x, [&](std::size_t j) { return x[j] - m.mean; })) / n;
        squares = sum(mapped(x, [&](std::size_t j) { return (x[j] - m.mean) * (x[j] - m.mean); }));
    }
    m.d = mapped(x, [&](std::size_t j) { return x[j] - m.mean; });
    m.r = 1 / std::sqrt(squares / n + eps);
    return m;
}

} // namespace assay::softmax_layernorm_test

#endif
