// Wrong: some quantity that the contract keeps in float32 is kept in less.
#ifndef ASSAY_TESTS_SOFTMAX_LAYERNORM_VARIANTS_WRONG_HPP
#define ASSAY_TESTS_SOFTMAX_LAYERNORM_VARIANTS_WRONG_HPP

#include "exercises/softmax_layernorm/variants_right.hpp"

namespace assay::softmax_layernorm_test {

inline std::vector<Variant> wrong_softmax() {
    const auto with_sum = [](Keep keep) {
        return [keep](Slot& t) {
            t.out = weights(t.x, Divide::quotient, [keep](const Floats& a) { return sum_forward(a, keep); });
        };
    };
    const auto with_logits = [](Keep keep) {
        return [keep](Slot& t) {
            const float m = largest(t.x);
            const Floats d = mapped(t.x, [&](std::size_t j) { return keep(t.x[j] - m); });
            t.out = weights(d, Divide::quotient, sum_backward);
        };
    };
    return {{"sum in half", with_sum(in_half)},
            {"sum in bfloat16", with_sum(in_bfloat16)},
            {"x - m in half", with_logits(in_half)},
            {"x - m in bfloat16", with_logits(in_bfloat16)}};
}

inline std::vector<Variant> wrong_log_softmax() {
    const auto with_sum = [](Keep keep) {
        return [keep](Slot& t) {
            const float m = largest(t.x);
            const float sum = sum_forward(mapped(t.x, [&](std::size_t j) { return std::exp(t.x[j] - m); }), keep);
            t.out = mapped(t.x, [&](std::size_t j) { return t.x[j] - m - std::log(sum); });
        };
    };
    return {{"sum in half", with_sum(in_half)}, {"sum in bfloat16", with_sum(in_bfloat16)}};
}

inline std::vector<Variant> wrong_softmax_backward() {
    const auto with_dot = [](Keep keep) {
        return [keep](Slot& t) {
            const Floats y = weights(t.x, Divide::quotient, sum_backward);
            through_softmax(t, y, sum_forward(products(y, t.dy), keep), false);
        };
    };
    return {{"dot in half", with_dot(in_half)}, {"dot in bfloat16", with_dot(in_bfloat16)}};
}

inline std::vector<Variant> wrong_layernorm() {
    const auto with_sums = [](Keep keep) {
        return [keep](Slot& t) {
            const Moments32 m =
                measured(t.x, t.eps, Measure::two_pass, [keep](const Floats& a) { return sum_forward(a, keep); });
            t.out = mapped(t.x, [&](std::size_t j) { return t.gamma[j] * (m.d[j] * m.r) + t.beta[j]; });
        };
    };
    return {{"sums in half", with_sums(in_half)}, {"sums in bfloat16", with_sums(in_bfloat16)}};
}

inline std::vector<Variant> wrong_layernorm_backward() {
    const auto with_means = [](Keep keep) {
        return [keep](Slot& t) {
            const Moments32 m = measured(t.x, t.eps, Measure::two_pass, sum_backward);
            through_layernorm(t, mapped(t.x, [&](std::size_t j) { return m.d[j] * m.r; }), m.r, sum_backward, 0, keep);
        };
    };
    return {{"means in half", with_means(in_half)}, {"means in bfloat16", with_means(in_bfloat16)}};
}

} // namespace assay::softmax_layernorm_test

#endif
