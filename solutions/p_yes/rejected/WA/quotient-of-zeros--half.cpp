// 0/0 is caught, and answered with a guess.
// Level: extremes
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace p_yes {

namespace {

float log_sum_exp(const std::vector<float>& x) {
    float max = x[0], sum = 0;
    for (float one : x) max = std::max(max, one);
    if (max == -INFINITY) return max;
    for (float one : x) sum += std::exp(one - max);
    return max + std::log(sum);
}

} // namespace

template <class Stored> void rows(tensor<const Stored, 2> logits, tensor<const std::int32_t, 1> yes,
                                  tensor<const std::int32_t, 1> no, tensor<float, 1> log_yes, tensor<float, 1> log_no,
                                  tensor<float, 1> p, tensor<float, 1> mass) {
    for (int b = 0; b < logits.extent(0); ++b) {
        std::vector<float> all, in_yes, in_no;
        for (int v = 0; v < logits.extent(1); ++v) all.push_back(logits(b, v));
        const float normaliser = log_sum_exp(all);
        for (int i = 0; i < yes.extent(0); ++i) in_yes.push_back(all[yes(i)] - normaliser);
        for (int i = 0; i < no.extent(0); ++i) in_no.push_back(all[no(i)] - normaliser);
        const float ly = log_sum_exp(in_yes), ln = log_sum_exp(in_no);
        log_yes(b) = ly;
        log_no(b) = ln;
        const float both = std::exp(ly) + std::exp(ln);
        p(b) = both > 0 ? std::exp(ly) / both : 0.5f;
        mass(b) = std::exp(ly) + std::exp(ln);
    }
}

void score(tensor<const float, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
           tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    rows(logits, yes, no, log_yes, log_no, p, mass);
}

void score_f16(tensor<const half, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
               tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    rows(logits, yes, no, log_yes, log_no, p, mass);
}

} // namespace p_yes
