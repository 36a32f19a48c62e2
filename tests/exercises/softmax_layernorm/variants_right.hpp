// Right: float32 throughout, in another order or with other operations.
#ifndef ASSAY_TESTS_SOFTMAX_LAYERNORM_VARIANTS_RIGHT_HPP
#define ASSAY_TESTS_SOFTMAX_LAYERNORM_VARIANTS_RIGHT_HPP

#include "exercises/softmax_layernorm/variants.hpp"

#include <fmt/format.h>

namespace assay::softmax_layernorm_test {

inline std::vector<Variant> right_softmax() {
    std::vector<Variant> all;
    for (const auto& [name, how] : divisions())
        for (const NamedSum& s : sums())
            all.push_back(
                {fmt::format("{}, {}", name, s.name), [how = how, s](Slot& t) { t.out = weights(t.x, how, s.sum); }});
    return all;
}

inline std::vector<Variant> right_log_softmax() {
    std::vector<Variant> all;
    for (const NamedSum& s : sums()) {
        all.push_back({fmt::format("x - m - log, {}", s.name), [s](Slot& t) {
                           const float m = largest(t.x);
                           const float log_sum =
                               std::log(s.sum(mapped(t.x, [&](std::size_t j) { return std::exp(t.x[j] - m); })));
                           t.out = mapped(t.x, [&](std::size_t j) { return t.x[j] - m - log_sum; });
                       }});
        all.push_back(
            {fmt::format("base 2, {}", s.name), [s](Slot& t) {
                 const float m = largest(t.x), base = 1.44269504f;
                 const float log_sum =
                     std::log2(s.sum(mapped(t.x, [&](std::size_t j) { return std::exp2((t.x[j] - m) * base); })));
                 t.out = mapped(t.x, [&](std::size_t j) { return ((t.x[j] - m) * base - log_sum) * 0.693147181f; });
             }});
    }
    return all;
}

inline void through_softmax(Slot& t, const Floats& y, float s, bool expanded) {
    t.out = mapped(t.x, [&](std::size_t j) { return expanded ? y[j] * t.dy[j] - y[j] * s : y[j] * (t.dy[j] - s); });
}

inline Floats products(const Floats& a, const Floats& b) {
    return mapped(a, [&](std::size_t j) { return a[j] * b[j]; });
}

inline std::vector<Variant> right_softmax_backward() {
    std::vector<Variant> all;
    for (const auto& [name, how] : divisions())
        for (const NamedSum& s : sums())
            for (const bool expanded : {false, true})
                all.push_back({fmt::format("{}, {}{}", name, s.name, expanded ? ", y dy - y s" : ""),
                               [how = how, s, expanded](Slot& t) {
                                   const Floats y = weights(t.x, how, s.sum);
                                   through_softmax(t, y, s.sum(products(y, t.dy)), expanded);
                               }});
    return all;
}

inline std::vector<Variant> right_layernorm() {
    std::vector<Variant> all;
    for (const auto& [name, how] : {std::pair{"two passes", Measure::two_pass},
                                    {"corrected mean", Measure::corrected},
                                    {"Welford", Measure::welford}})
        for (const NamedSum& s : sums()) {
            const auto add = [&, how = how](const char* last,
                                            std::function<float(const Moments32&, Slot&, std::size_t)> f) {
                all.push_back({fmt::format("{}, {}, {}", name, s.name, last), [how, s, f](Slot& t) {
                                   const Moments32 m = measured(t.x, t.eps, how, s.sum);
                                   t.out = mapped(t.x, [&](std::size_t j) { return f(m, t, j); });
                               }});
            };
            add("plain",
                [](const Moments32& m, Slot& t, std::size_t j) { return t.gamma[j] * (m.d[j] * m.r) + t.beta[j]; });
            add("gamma first",
                [](const Moments32& m, Slot& t, std::size_t j) { return t.gamma[j] * m.r * m.d[j] + t.beta[j]; });
            add("fma", [](const Moments32& m, Slot& t, std::size_t j) {
                return std::fma(t.gamma[j] * m.r, m.d[j], t.beta[j]);
            });
            add("x r - mean r", [](const Moments32& m, Slot& t, std::size_t j) {
                return t.gamma[j] * (t.x[j] * m.r - m.mean * m.r) + t.beta[j];
            });
        }
    return all;
}

inline float mean_of(const Floats& a, const Sum& sum) { return sum(a) / static_cast<float>(a.size()); }

/// dx from x̂ and r; `keep` rounds what the two reductions give.
inline void through_layernorm(Slot& t, const Floats& xhat, float r, const Sum& sum, int form, Keep keep = kept) {
    const Floats g = products(t.gamma, t.dy);
    const auto n = static_cast<float>(t.n());
    const float a = keep(mean_of(g, sum)), c = keep(mean_of(products(g, xhat), sum));
    t.out = mapped(t.x, [&](std::size_t j) {
        if (form == 0) return r * (g[j] - a - xhat[j] * c);
        if (form == 1) return r / n * (n * g[j] - n * a - xhat[j] * (n * c));
        return r * g[j] - r * (xhat[j] * c + a);
    });
}

inline std::vector<Variant> right_layernorm_backward() {
    std::vector<Variant> all;
    for (const auto& [name, how] : {std::pair{"two passes", Measure::two_pass},
                                    {"corrected mean", Measure::corrected},
                                    {"Welford", Measure::welford}})
        for (const NamedSum& s : sums()) {
            for (const int form : {0, 1, 2})
                all.push_back({fmt::format("{}, {}, form {}", name, s.name, form), [how = how, s, form](Slot& t) {
                                   const Moments32 m = measured(t.x, t.eps, how, s.sum);
                                   through_layernorm(t, mapped(t.x, [&](std::size_t j) { return m.d[j] * m.r; }), m.r,
                                                     s.sum, form);
                               }});
            all.push_back({fmt::format("{}, {}, as PyTorch's kernel", name, s.name), [how = how, s](Slot& t) {
                               const Moments32 m = measured(t.x, t.eps, how, s.sum);
                               const Floats g = products(t.gamma, t.dy);
                               const float ds = s.sum(products(g, t.x)), db = s.sum(g);
                               const float scale = 1 / static_cast<float>(t.n());
                               const float b = (db * m.mean - ds) * m.r * m.r * m.r * scale;
                               const float c = -b * m.mean - db * m.r * scale;
                               t.out = mapped(t.x, [&](std::size_t j) { return m.r * g[j] + b * t.x[j] + c; });
                           }});
            all.push_back({fmt::format("{}, {}, chain rule", name, s.name), [how = how, s](Slot& t) {
                               const Moments32 m = measured(t.x, t.eps, how, s.sum);
                               const auto n = static_cast<float>(t.n());
                               const Floats g = products(t.gamma, t.dy);
                               const float dvariance = s.sum(products(g, m.d)) * -0.5f * m.r * m.r * m.r;
                               const float dmean = -s.sum(g) * m.r - dvariance * 2 * s.sum(m.d) / n;
                               t.out = mapped(t.x, [&](std::size_t j) {
                                   return g[j] * m.r + dvariance * 2 * m.d[j] / n + dmean / n;
                               });
                           }});
        }
    return all;
}

} // namespace assay::softmax_layernorm_test

#endif
