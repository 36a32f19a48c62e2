// Sums probabilities, then takes the logarithm.
// Level: extremes
#include "contract.hpp"

#include <cmath>
#include <vector>

namespace p_yes {

template <class Stored> void rows(tensor<const Stored, 2> logits, tensor<const std::int32_t, 1> yes,
                                  tensor<const std::int32_t, 1> no, tensor<float, 1> log_yes, tensor<float, 1> log_no,
                                  tensor<float, 1> p, tensor<float, 1> mass) {
    for (int b = 0; b < logits.extent(0); ++b) {
        float largest = -INFINITY, sum = 0;
        for (int v = 0; v < logits.extent(1); ++v) largest = std::fmax(largest, float(logits(b, v)));
        for (int v = 0; v < logits.extent(1); ++v) sum += std::exp(float(logits(b, v)) - largest);
        float of_yes = 0, of_no = 0;
        for (int i = 0; i < yes.extent(0); ++i) of_yes += std::exp(float(logits(b, yes(i))) - largest) / sum;
        for (int i = 0; i < no.extent(0); ++i) of_no += std::exp(float(logits(b, no(i))) - largest) / sum;
        log_yes(b) = std::log(of_yes);
        log_no(b) = std::log(of_no);
        p(b) = of_yes / (of_yes + of_no);
        mass(b) = of_yes + of_no;
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
