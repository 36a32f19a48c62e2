// What a careful first version gives in float32: the error beside which an attempt's own is shown.
#include "oracle.hpp"

#include <algorithm>

namespace assay::p_yes_judge {

namespace {

float log_sum(const std::vector<float>& x) {
    const float max = *std::max_element(x.begin(), x.end());
    if (max == -INFINITY) return max;
    float sum = 0;
    for (const float one : x) sum += std::exp(one - max);
    return max + std::log(sum);
}

} // namespace

Outputs plain(const Problem& problem) {
    if (problem.route != "score" && problem.route != "score_f16") return {};
    const Array& logits = problem.array("logits");
    const std::int64_t B = logits.extents[0], V = logits.extents[1];
    const char* const names[] = {"log_yes", "log_no", "p", "mass"};
    Outputs outputs;
    for (const char* name : names) outputs.arrays.emplace_back(name, Array::zeros(Dtype::f32, {B}));
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<float> row;
        for (std::int64_t v = 0; v < V; ++v) row.push_back(static_cast<float>(logits.at({b, v})));
        const float lse = log_sum(row);
        const auto group = [&](const char* name) {
            std::vector<float> l;
            for (const double id : problem.array(name).values()) l.push_back(row[static_cast<std::size_t>(id)] - lse);
            return log_sum(l);
        };
        const float yes = group("yes"), no = group("no");
        const float all[] = {yes, no, 1 / (1 + std::exp(no - yes)), std::exp(yes) + std::exp(no)};
        for (std::size_t i = 0; i < 4; ++i) outputs.arrays[i].second.set(Index{b}, static_cast<double>(all[i]));
    }
    return outputs;
}

} // namespace assay::p_yes_judge
