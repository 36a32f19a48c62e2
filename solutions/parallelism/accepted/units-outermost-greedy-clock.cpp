// Right: hidden units outermost, b2 / n on each rank, the all_reduce on a flat copy; bytes added up step by step;
// schedules by a greedy clock that lets each stage run a backward when one is ready, within its limit of live
// micro-batches.
#include "contract.hpp"

#include <cstddef>
#include <vector>

namespace parallelism {

namespace {

using Values = std::vector<float>;

/// b2 / n, then unit by unit; (rows, d) row-major.
Values own_sum(int n, tensor<const float, 2> x, tensor<const float, 2> w1, tensor<const float, 1> b1,
               tensor<const float, 2> w2, tensor<const float, 1> b2) {
    const std::ptrdiff_t rows = x.extent(0), d = b2.extent(0);
    Values y(static_cast<std::size_t>(rows * d));
    for (std::ptrdiff_t t = 0; t < rows; ++t)
        for (std::ptrdiff_t c = 0; c < d; ++c) y[t * d + c] = b2(c) / static_cast<float>(n);
    for (std::ptrdiff_t j = b1.extent(0); j-- > 0;)
        for (std::ptrdiff_t t = 0; t < rows; ++t) {
            float z = b1(j);
            for (std::ptrdiff_t i = x.extent(1); i-- > 0;) z += w1(i, j) * x(t, i);
            if (z <= 0) continue;
            for (std::ptrdiff_t c = 0; c < d; ++c) y[t * d + c] += z * (z * w2(j, c));
        }
    return y;
}

tensor<float, 1> flat(Values& values) {
    const std::ptrdiff_t extents[] = {static_cast<std::ptrdiff_t>(values.size())}, strides[] = {1};
    return {values.data(), extents, strides};
}

} // namespace

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t width = w1_part.extent(1), f = w1.extent(1), n = group.size();
    for (std::ptrdiff_t unit = 0; unit < width * n; ++unit) {
        if (unit / width != group.rank()) continue;
        const std::ptrdiff_t place = unit % width;
        b1_part(place) = unit >= f ? 0.0f : b1(unit);
        for (std::ptrdiff_t i = 0; i < w1.extent(0); ++i) w1_part(i, place) = unit >= f ? 0.0f : w1(i, unit);
        for (std::ptrdiff_t c = 0; c < w2.extent(1); ++c) w2_part(place, c) = unit >= f ? 0.0f : w2(unit, c);
    }
}

void forward(communicator& group, tensor<const float, 2> x, tensor<const float, 2> w1_part,
             tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
             tensor<float, 2> y) {
    Values sum = own_sum(group.size(), x, w1_part, b1_part, w2_part, b2);
    group.all_reduce(flat(sum));
    for (std::ptrdiff_t t = 0; t < y.extent(0); ++t)
        for (std::ptrdiff_t c = 0; c < y.extent(1); ++c) y(t, c) = sum[t * y.extent(1) + c];
}

void sequence(communicator& group, tensor<const float, 2> x_part, tensor<const float, 2> w1_part,
              tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
              tensor<float, 2> y_part) {
    // Flat vectors: rows of one rank lie together, so the axis of tokens is the vector's.
    const std::ptrdiff_t t = x_part.extent(0), d = x_part.extent(1), n = group.size();
    Values own, x(n * t * d), part(t * d);
    for (std::ptrdiff_t i = 0; i < t; ++i)
        for (std::ptrdiff_t c = 0; c < d; ++c) own.push_back(x_part(i, c));
    group.all_gather(flat(own), flat(x));
    const std::ptrdiff_t extents[] = {n * t, d}, strides[] = {d, 1};
    Values sum =
        own_sum(group.size(), tensor<const float, 2>(x.data(), extents, strides), w1_part, b1_part, w2_part, b2);
    group.reduce_scatter(flat(sum), flat(part));
    for (std::ptrdiff_t i = 0; i < t; ++i)
        for (std::ptrdiff_t c = 0; c < d; ++c) y_part(i, c) = part[i * d + c];
}

traffic count_traffic(layer l) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const std::int64_t counts[] = {l.tokens, l.d_model, l.hidden, l.ranks, l.element_bytes};
    for (const std::int64_t count : counts)
        if (count < 1 || count > most) return {};
    const double T = double(l.tokens), d = double(l.d_model), f = double(l.hidden), n = double(l.ranks),
                 e = double(l.element_bytes);
    double width = double(l.hidden / l.ranks);
    if (l.hidden % l.ranks != 0) width += 1;
    traffic bytes;
    bytes.weights = (d * width + width + width * d + d) * e;
    bytes.activations = T * d * e;
    // In each of n - 1 steps a rank passes one of n pieces on.
    const double piece = T * d * e / n, wide_piece = T * f * e / n;
    bytes.reduce_scatter = bytes.all_gather = piece * (n - 1);
    bytes.all_reduce = bytes.reduce_scatter + bytes.all_gather;
    bytes.sequence = bytes.all_gather + bytes.reduce_scatter;
    bytes.gathered_sums = T * d * e * (n - 1); // pieces are whole (T, d) tensors here
    bytes.rows_first = wide_piece * (n - 1) + wide_piece * (n - 1) + piece * (n - 1);
    return bytes;
}

bubble count_bubble(pipeline plan) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const bool counts = plan.stages >= 1 && plan.stages <= most && plan.micro_batches >= 1 &&
                        plan.micro_batches <= most && plan.stage >= 0 && plan.stage < plan.stages &&
                        plan.activation_bytes >= 0 && plan.activation_bytes <= most;
    const double infinity = __builtin_inf();
    const bool times = plan.forward_time > 0 && plan.forward_time < infinity && plan.backward_time > 0 &&
                       plan.backward_time < infinity;
    if (!counts || !times) return {};
    bubble b;
    switch (plan.kind) {
    case schedule::gpipe: b.peak_live = plan.micro_batches; break;
    case schedule::one_f_one_b:
        b.peak_live = plan.stages - plan.stage;
        if (b.peak_live > plan.micro_batches) b.peak_live = plan.micro_batches;
        break;
    default: return {};
    }
    const double fill = double(plan.stages - 1) * plan.forward_time,
                 drain = double(plan.stages - 1) * plan.backward_time;
    const double useful = double(plan.micro_batches) * (plan.forward_time + plan.backward_time);
    switch (plan.of) {
    case share::of_total: b.fraction = (fill + drain) / (fill + useful + drain); break;
    case share::of_useful: b.fraction = (fill + drain) / useful; break;
    default: return {};
    }
    b.useful = useful;
    b.idle = fill + drain;
    b.makespan = fill + useful + drain;
    b.peak_bytes = double(b.peak_live) * double(plan.activation_bytes);
    return b;
}

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    const std::int64_t never = 1LL << 60;
    using Times = std::vector<std::vector<std::int64_t>>;
    Times forward_end(p, std::vector<std::int64_t>(m, never)), backward_end = forward_end;
    std::vector<std::int64_t> forwards(p, 0), backwards(p, 0), busy(p, 0);
    for (std::int64_t clock = 0, left = 2 * p * m; left > 0; ++clock)
        for (std::int64_t s = 0; s < p; ++s) {
            if (busy[s] > clock) continue;
            const std::int64_t f = forwards[s], b = backwards[s];
            const std::int64_t limit = kind == schedule::gpipe ? m : p - s;
            const bool may_go_back = b < f && (kind == schedule::one_f_one_b || f == m);
            const bool back_ready = may_go_back && (s + 1 == p ? forward_end[s][b] : backward_end[s + 1][b]) <= clock;
            const bool forth_ready = f < m && f - b < limit && (s == 0 || forward_end[s - 1][f] <= clock);
            if (back_ready) {
                order(s, f + b) = -(b + 1);
                busy[s] = backward_end[s][b] = clock + 2;
                ++backwards[s];
                --left;
            } else if (forth_ready) {
                order(s, f + b) = f + 1;
                busy[s] = forward_end[s][f] = clock + 1;
                ++forwards[s];
                --left;
            }
        }
}

} // namespace parallelism
