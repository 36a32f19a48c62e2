// Your attempt at `p_yes`. README.md beside this file says what is asked; contract.hpp has the exact items.
//
// Everything here compiles and runs, and sets nothing, which is wrong from level 1 on. Any standard header is welcome.
#include "contract.hpp"

namespace p_yes {

// Levels 1 and 2: log_yes, log_no, p and mass of each row, in float32.
void score(tensor<const float, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
           tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    // logits(b, v) is row b, token v; logits.extent(0) rows, logits.extent(1) tokens; yes(i) is a token's id.
}

// Level 2: the same on float16 logits; static_cast<float>(logits(b, v)) reads one.
void score_f16(tensor<const half, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
               tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {}

// Level 3: one row in float64, and the state that says what was wrong with the question.
reading checked(tensor<const double, 1> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no) {
    return {};
}

// Level 4: which ids stand for which label.
tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids) {
    // pieces(i, 0), pieces(i, 1), ... are the code points of piece i; a 0 ends it, or the row does.
    return {};
}

// Level 5: fit a temperature, and Platt's slope and intercept, by log-loss.
calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights) {
    return {};
}

// Level 5: calibration error in bins (lo, hi], and the decision for two costs.
assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes) {
    return {};
}

} // namespace p_yes
