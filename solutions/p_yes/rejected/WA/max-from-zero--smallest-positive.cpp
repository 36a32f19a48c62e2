// numeric_limits<float>::min() is the smallest positive number, not the lowest.
// Level: extremes
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
        float max = std::numeric_limits<float>::min(), sum = 0;
        for (float one : all) max = std::max(max, one);
        for (float one : all) sum += std::exp(one - max);
        const float normaliser = max + std::log(sum);
        for (int i = 0; i < yes.extent(0); ++i) in_yes.push_back(all[yes(i)]);
        for (int i = 0; i < no.extent(0); ++i) in_no.push_back(all[no(i)]);
        const float ly = log_sum_exp(in_yes) - normaliser, ln = log_sum_exp(in_no) - normaliser;
        log_yes(b) = ly;
        log_no(b) = ln;
        p(b) = 1 / (1 + std::exp(ln - ly));
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
