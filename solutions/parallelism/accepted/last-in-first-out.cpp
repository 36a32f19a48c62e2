// Right: only the schedules differ from the usual. GPipe goes back from the last micro-batch to the first, and 1F1B
// takes micro-batches in reverse order on every stage: neither changes the makespan or what is live.
#include "contract.hpp"

#include <algorithm>
#include <vector>

namespace parallelism {

namespace {

/// rows of `whole` from `first` on, as many as `part` has; rows that are not there read 0.
template <class Whole, class Part> void cut(Whole whole, Part part, std::ptrdiff_t first, int axis) {
    for (std::ptrdiff_t i = 0; i < part.extent(0); ++i)
        for (std::ptrdiff_t j = 0; j < part.extent(1); ++j) {
            const std::ptrdiff_t row = i + (axis == 0 ? first : 0), column = j + (axis == 1 ? first : 0);
            part(i, j) = row < whole.extent(0) && column < whole.extent(1) ? whole(row, column) : 0.0f;
        }
}

template <class T> tensor<T, 2> as_column(tensor<T, 1> v) {
    const std::ptrdiff_t extents[] = {v.extent(0), 1}, strides[] = {v.stride(0), 0};
    return {v.data(), extents, strides};
}

/// y = h W2, h = max(x W1 + b1, 0)² held whole. Zeros of y first: (t, j, c) order streams through W2.
void product(tensor<const float, 2> x, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
             tensor<float, 2> y) {
    for (std::ptrdiff_t t = 0; t < y.extent(0); ++t) {
        for (std::ptrdiff_t c = 0; c < y.extent(1); ++c) y(t, c) = 0;
        for (std::ptrdiff_t j = 0; j < w1.extent(1); ++j) {
            float z = b1(j);
            for (std::ptrdiff_t i = 0; i < x.extent(1); ++i) z += x(t, i) * w1(i, j);
            const float h = z < 0 ? 0 : z * z;
            for (std::ptrdiff_t c = 0; c < y.extent(1); ++c) y(t, c) += h * w2(j, c);
        }
    }
}

} // namespace

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t first = group.rank() * w1_part.extent(1);
    cut(w1, w1_part, first, 1);
    cut(as_column(b1), as_column(b1_part), first, 0);
    cut(w2, w2_part, first, 0);
}

void forward(communicator& group, tensor<const float, 2> x, tensor<const float, 2> w1_part,
             tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
             tensor<float, 2> y) {
    product(x, w1_part, b1_part, w2_part, y);
    if (group.rank() == group.size() - 1)
        for (std::ptrdiff_t t = 0; t < y.extent(0); ++t)
            for (std::ptrdiff_t c = 0; c < y.extent(1); ++c) y(t, c) += b2(c);
    group.all_reduce(y);
}

void sequence(communicator& group, tensor<const float, 2> x_part, tensor<const float, 2> w1_part,
              tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
              tensor<float, 2> y_part) {
    const std::ptrdiff_t tokens = group.size() * x_part.extent(0), d = x_part.extent(1);
    std::vector<float> memory(2 * tokens * d);
    const std::ptrdiff_t extents[] = {tokens, d}, strides[] = {1, tokens}; // columns lie together
    const tensor<float, 2> x(memory.data(), extents, strides), y(memory.data() + tokens * d, extents, strides);
    group.all_gather(x_part, x, 0);
    product(x, w1_part, b1_part, w2_part, y);
    group.reduce_scatter(y, y_part, 0);
    for (std::ptrdiff_t t = 0; t < y_part.extent(0); ++t)
        for (std::ptrdiff_t c = 0; c < d; ++c) y_part(t, c) = y_part(t, c) + b2(c);
}

traffic count_traffic(layer l) {
    const auto bad = [](std::int64_t count) { return count < 1 || count > 9007199254740992; };
    if (bad(l.tokens) || bad(l.d_model) || bad(l.hidden) || bad(l.ranks) || bad(l.element_bytes)) return {};
    const double n = l.ranks, N = double(l.tokens) * l.d_model * l.element_bytes;
    const double H = double(l.tokens) * l.hidden * l.element_bytes;
    const double padded = double((l.hidden - 1) / l.ranks + 1);
    return {(padded * (2.0 * l.d_model + 1) + l.d_model) * l.element_bytes,
            N,
            2 * N * (n - 1) / n,
            N * (n - 1) / n,
            N * (n - 1) / n,
            2 * N * (n - 1) / n,
            N * (n - 1),
            (2 * H + N) * (n - 1) / n};
}

bubble count_bubble(pipeline q) {
    const auto count = [](std::int64_t value) { return value >= 0 && value <= 9007199254740992; };
    const auto time = [](double value) { return value > 0 && value - value == 0; };
    if (!count(q.stages) || !count(q.micro_batches) || !count(q.stage) || !count(q.activation_bytes)) return {};
    if (q.stage >= q.stages || q.micro_batches == 0 || !time(q.forward_time) || !time(q.backward_time)) return {};
    if (q.kind != schedule::gpipe && q.kind != schedule::one_f_one_b) return {};
    if (q.of != share::of_total && q.of != share::of_useful) return {};
    const double step = q.forward_time + q.backward_time;
    const std::int64_t live =
        q.kind == schedule::gpipe ? q.micro_batches : std::min(q.stages - q.stage, q.micro_batches);
    const double p1 = double(q.stages - 1), m = double(q.micro_batches);
    return {m * step,
            p1 * step,
            (m + p1) * step,
            q.of == share::of_total ? p1 / (m + p1) : p1 / m,
            live,
            double(live) * double(q.activation_bytes)};
}

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    for (std::int64_t s = 0; s < p; ++s) {
        if (kind == schedule::gpipe) {
            for (std::int64_t k = 0; k < m; ++k) {
                order(s, k) = k + 1;
                order(s, 2 * m - 1 - k) = -(k + 1);
            }
            continue;
        }
        const std::int64_t warm = std::min(p - s - 1, m);
        for (std::int64_t i = 0; i < 2 * m; ++i) {
            // Forwards done before step i, and backwards.
            const std::int64_t done = i < warm ? i : std::min(m, warm + (i - warm + 1) / 2), back = i - done;
            const bool goes_back = i >= warm && ((i - warm) % 2 == 1 || done == m);
            order(s, i) = goes_back ? -(m - back) : m - done;
        }
    }
}

} // namespace parallelism
