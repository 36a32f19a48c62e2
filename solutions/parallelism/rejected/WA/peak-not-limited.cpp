// Wrong: p - s, also where there are fewer micro-batches.
// Level: bubble
#include "contract.hpp"

#include <cmath>

namespace parallelism {

bubble count_bubble(pipeline plan) {
    const std::int64_t p = plan.stages, m = plan.micro_batches, s = plan.stage, most = std::int64_t{1} << 53;
    const bool one_f_one_b = plan.kind == schedule::one_f_one_b, of_useful = plan.of == share::of_useful;
    if (p < 1 || p > most || m < 1 || m > most || s < 0 || s >= p) return {};
    if (plan.activation_bytes < 0 || plan.activation_bytes > most) return {};
    if (!(plan.forward_time > 0) || !(plan.backward_time > 0)) return {};
    if (std::isinf(plan.forward_time) || std::isinf(plan.backward_time)) return {};
    if ((!one_f_one_b && plan.kind != schedule::gpipe) || (!of_useful && plan.of != share::of_total)) return {};
    const double both = plan.forward_time + plan.backward_time;
    bubble b;
    b.useful = static_cast<double>(m) * both;
    b.idle = static_cast<double>(p - 1) * both;
    b.makespan = b.useful + b.idle;
    b.fraction = b.idle / (of_useful ? b.useful : b.makespan);
    b.peak_live = one_f_one_b ? p - s : m;
    b.peak_bytes = static_cast<double>(b.peak_live) * static_cast<double>(plan.activation_bytes);
    return b;
}

} // namespace parallelism
