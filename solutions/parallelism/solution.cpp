// The model answer.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace parallelism {

namespace {

/// A matrix of the rank's own.
struct matrix {
    std::ptrdiff_t rows, columns;
    std::vector<float> values;
    matrix(std::ptrdiff_t r, std::ptrdiff_t c) : rows(r), columns(c), values(r * c) {}
    tensor<float, 2> view() {
        const std::ptrdiff_t extents[] = {rows, columns}, strides[] = {columns, 1};
        return {values.data(), extents, strides};
    }
};

/// out = act(x W1 + b1) W2 of this rank's hidden units: a summand of y, without b2.
void partial_sum(tensor<const float, 2> x, tensor<const float, 2> w1, tensor<const float, 1> b1,
                 tensor<const float, 2> w2, tensor<float, 2> out) {
    std::vector<float> h(w1.extent(1));
    for (std::ptrdiff_t t = 0; t < x.extent(0); ++t) {
        for (std::ptrdiff_t j = 0; j < w1.extent(1); ++j) {
            float z = 0;
            for (std::ptrdiff_t i = 0; i < w1.extent(0); ++i) z += x(t, i) * w1(i, j);
            z = std::max(z + b1(j), 0.0f);
            h[j] = z * z;
        }
        for (std::ptrdiff_t c = 0; c < w2.extent(1); ++c) {
            float sum = 0;
            for (std::ptrdiff_t j = 0; j < w2.extent(0); ++j) sum += h[j] * w2(j, c);
            out(t, c) = sum;
        }
    }
}

/// Once, behind the reduction.
void add_bias(tensor<float, 2> y, tensor<const float, 1> b2) {
    for (std::ptrdiff_t t = 0; t < y.extent(0); ++t)
        for (std::ptrdiff_t c = 0; c < y.extent(1); ++c) y(t, c) += b2(c);
}

bool is_count(std::int64_t value, std::int64_t least) { return value >= least && value <= (std::int64_t{1} << 53); }

bool is_time(double value) { return value > 0 && std::isfinite(value); }

} // namespace

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t width = b1_part.extent(0);
    for (std::ptrdiff_t j = 0; j < width; ++j) {
        const std::ptrdiff_t unit = group.rank() * width + j;
        const bool exists = unit < b1.extent(0);
        for (std::ptrdiff_t i = 0; i < w1.extent(0); ++i) w1_part(i, j) = exists ? w1(i, unit) : 0;
        b1_part(j) = exists ? b1(unit) : 0;
        for (std::ptrdiff_t c = 0; c < w2.extent(1); ++c) w2_part(j, c) = exists ? w2(unit, c) : 0;
    }
}

void forward(communicator& group, tensor<const float, 2> x, tensor<const float, 2> w1_part,
             tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
             tensor<float, 2> y) {
    partial_sum(x, w1_part, b1_part, w2_part, y);
    group.all_reduce(y);
    add_bias(y, b2);
}

void sequence(communicator& group, tensor<const float, 2> x_part, tensor<const float, 2> w1_part,
              tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
              tensor<float, 2> y_part) {
    matrix x(group.size() * x_part.extent(0), x_part.extent(1));
    group.all_gather(x_part, x.view(), 0);
    matrix sums(x.rows, x.columns);
    partial_sum(x.view(), w1_part, b1_part, w2_part, sums.view());
    group.reduce_scatter(sums.view(), y_part, 0);
    add_bias(y_part, b2);
}

traffic count_traffic(layer ffn) {
    for (const std::int64_t count : {ffn.tokens, ffn.d_model, ffn.hidden, ffn.ranks, ffn.element_bytes})
        if (!is_count(count, 1)) return {};
    const auto T = static_cast<double>(ffn.tokens), d = static_cast<double>(ffn.d_model);
    const auto n = static_cast<double>(ffn.ranks), e = static_cast<double>(ffn.element_bytes);
    const auto width = static_cast<double>((ffn.hidden + ffn.ranks - 1) / ffn.ranks);
    const double once_round = (n - 1) / n; // of a tensor, in a gather or a scatter
    traffic bytes;
    bytes.weights = e * (2 * d * width + width + d);
    bytes.activations = e * T * d;
    bytes.all_reduce = 2 * once_round * bytes.activations;
    bytes.all_gather = once_round * bytes.activations;
    bytes.reduce_scatter = once_round * bytes.activations;
    bytes.sequence = bytes.all_gather + bytes.reduce_scatter;
    bytes.gathered_sums = once_round * n * bytes.activations;
    bytes.rows_first = 2 * once_round * e * T * static_cast<double>(ffn.hidden) + bytes.all_gather;
    return bytes;
}

bubble count_bubble(pipeline plan) {
    const std::int64_t p = plan.stages, m = plan.micro_batches, s = plan.stage;
    const bool one_f_one_b = plan.kind == schedule::one_f_one_b, of_useful = plan.of == share::of_useful;
    if (!is_count(p, 1) || !is_count(m, 1) || s < 0 || s >= p || !is_count(plan.activation_bytes, 0)) return {};
    if (!is_time(plan.forward_time) || !is_time(plan.backward_time)) return {};
    if (!one_f_one_b && plan.kind != schedule::gpipe) return {};
    if (!of_useful && plan.of != share::of_total) return {};
    const double step = plan.forward_time + plan.backward_time;
    bubble b;
    b.useful = static_cast<double>(m) * step;
    b.idle = static_cast<double>(p - 1) * step;
    b.makespan = b.useful + b.idle;
    b.fraction = b.idle / (of_useful ? b.useful : b.makespan);
    b.peak_live = one_f_one_b ? std::min(m, p - s) : m;
    b.peak_bytes = static_cast<double>(b.peak_live) * static_cast<double>(plan.activation_bytes);
    return b;
}

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    for (std::int64_t s = 0; s < p; ++s) {
        const std::int64_t ahead = kind == schedule::gpipe ? m : std::min(m, p - s); // live at once
        std::int64_t at = 0;
        for (std::int64_t k = 1; k <= ahead; ++k) order(s, at++) = k;
        for (std::int64_t k = 1; k <= m; ++k) {
            order(s, at++) = -k;
            if (ahead + k <= m) order(s, at++) = ahead + k;
        }
    }
}

} // namespace parallelism
