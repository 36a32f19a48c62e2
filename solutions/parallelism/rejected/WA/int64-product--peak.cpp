// Wrong: the product of peak and bytes wraps.
// Level: bubble
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace parallelism {

namespace {

/// What a product of std::int64_t gives on every machine we know, without the undefined behaviour.
double product(std::int64_t a, std::int64_t b, std::int64_t c) {
    const auto u = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    return static_cast<double>(static_cast<std::int64_t>(u(a) * u(b) * u(c)));
}

} // namespace

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
    b.peak_live = one_f_one_b ? std::min(m, p - s) : m;
    b.peak_bytes = product(b.peak_live, plan.activation_bytes, 1);
    return b;
}

} // namespace parallelism
