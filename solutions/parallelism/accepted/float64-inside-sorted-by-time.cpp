// Right: clears the parts and copies what exists; sums in float64; b2 joins rank 0's partial sum; chunks in long
// double; schedules by sorting operations by time.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace parallelism {

namespace {

tensor<float, 2> view(std::vector<float>& values, std::ptrdiff_t rows, std::ptrdiff_t columns) {
    const std::ptrdiff_t extents[] = {rows, columns}, strides[] = {columns, 1};
    return {values.data(), extents, strides};
}

void layer_of(int rank, tensor<const float, 2> x, tensor<const float, 2> w1, tensor<const float, 1> b1,
              tensor<const float, 2> w2, tensor<const float, 1> b2, tensor<float, 2> out) {
    for (std::ptrdiff_t t = 0; t < x.extent(0); ++t)
        for (std::ptrdiff_t c = 0; c < w2.extent(1); ++c) {
            double y = rank == 0 ? b2(c) : 0.0;
            for (std::ptrdiff_t j = 0; j < b1.extent(0); ++j) {
                double z = b1(j);
                for (std::ptrdiff_t i = 0; i < x.extent(1); ++i) z += static_cast<double>(x(t, i)) * w1(i, j);
                if (z > 0) y += z * z * w2(j, c);
            }
            out(t, c) = static_cast<float>(y);
        }
}

} // namespace

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t d = w1.extent(0), f = w1.extent(1), n = group.size(), width = (f + n - 1) / n;
    for (std::ptrdiff_t j = 0; j < width; ++j) {
        b1_part(j) = 0;
        for (std::ptrdiff_t i = 0; i < d; ++i) w1_part(i, j) = w2_part(j, i) = 0;
    }
    const std::ptrdiff_t first = std::min(f, group.rank() * width), last = std::min(f, first + width);
    for (std::ptrdiff_t unit = first; unit < last; ++unit) {
        b1_part(unit - first) = b1(unit);
        for (std::ptrdiff_t i = 0; i < d; ++i) {
            w1_part(i, unit - first) = w1(i, unit);
            w2_part(unit - first, i) = w2(unit, i);
        }
    }
}

void forward(communicator& group, tensor<const float, 2> x, tensor<const float, 2> w1_part,
             tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
             tensor<float, 2> y) {
    std::vector<float> sums(y.size());
    const auto whole = view(sums, y.extent(0), y.extent(1));
    layer_of(group.rank(), x, w1_part, b1_part, w2_part, b2, whole);
    if (group.size() > 1) group.all_reduce(whole);
    for (std::ptrdiff_t t = 0; t < y.extent(0); ++t)
        for (std::ptrdiff_t c = 0; c < y.extent(1); ++c) y(t, c) = whole(t, c);
}

void sequence(communicator& group, tensor<const float, 2> x_part, tensor<const float, 2> w1_part,
              tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
              tensor<float, 2> y_part) {
    if (group.size() == 1) return layer_of(0, x_part, w1_part, b1_part, w2_part, b2, y_part);
    const std::ptrdiff_t tokens = group.size() * x_part.extent(0), d = x_part.extent(1);
    std::vector<float> gathered(tokens * d), sums(tokens * d);
    group.all_gather(x_part, view(gathered, tokens, d), 0);
    layer_of(group.rank(), view(gathered, tokens, d), w1_part, b1_part, w2_part, b2, view(sums, tokens, d));
    group.reduce_scatter(view(sums, tokens, d), y_part, 0);
}

traffic count_traffic(layer l) {
    const std::int64_t most = 9007199254740992;
    if (std::min({l.tokens, l.d_model, l.hidden, l.ranks, l.element_bytes}) < 1) return {};
    if (std::max({l.tokens, l.d_model, l.hidden, l.ranks, l.element_bytes}) > most) return {};
    // Chunk by chunk: a tensor of N bytes goes round the ring in n chunks, of which a rank sends n - 1.
    using real = long double;
    const real n = static_cast<real>(l.ranks), elements = static_cast<real>(l.tokens) * static_cast<real>(l.d_model);
    const real chunk = elements / n * static_cast<real>(l.element_bytes);
    const real hidden_chunk =
        static_cast<real>(l.tokens) * static_cast<real>(l.hidden) / n * static_cast<real>(l.element_bytes);
    const real gather = (n - 1) * chunk;
    const std::int64_t blocks = l.hidden / l.ranks + (l.hidden % l.ranks > 0);
    const real per_unit = 2 * static_cast<real>(l.d_model) + 1;
    return {static_cast<double>((per_unit * static_cast<real>(blocks) + static_cast<real>(l.d_model)) *
                                static_cast<real>(l.element_bytes)),
            static_cast<double>(n * chunk),
            static_cast<double>(gather + gather),
            static_cast<double>(gather),
            static_cast<double>(gather),
            static_cast<double>(gather + gather),
            static_cast<double>(n * gather),
            static_cast<double>(2 * (n - 1) * hidden_chunk + gather)};
}

bubble count_bubble(pipeline plan) {
    const std::int64_t most = 9007199254740992, kind = static_cast<std::int64_t>(plan.kind),
                       of = static_cast<std::int64_t>(plan.of);
    if (plan.stages < 1 || plan.stages > most || plan.micro_batches < 1 || plan.micro_batches > most) return {};
    if (plan.stage < 0 || plan.stage >= plan.stages || plan.activation_bytes < 0 || plan.activation_bytes > most)
        return {};
    if (!(plan.forward_time > 0) || !(plan.backward_time > 0)) return {};
    if (std::isinf(plan.forward_time) || std::isinf(plan.backward_time)) return {};
    if (kind != 0 && kind != 1) return {};
    if (of != 0 && of != 1) return {};
    // From the makespan down: what is not useful is idle.
    const double p = static_cast<double>(plan.stages), m = static_cast<double>(plan.micro_batches);
    bubble b;
    b.makespan = (m + p - 1) * plan.forward_time + (m + p - 1) * plan.backward_time;
    b.useful = m * plan.forward_time + m * plan.backward_time;
    b.idle = (p - 1) * plan.forward_time + (p - 1) * plan.backward_time;
    b.fraction = of == 0 ? (p - 1) / (m + p - 1) : (p - 1) / m;
    const std::int64_t behind = plan.stages - plan.stage;
    b.peak_live = kind == 0 || plan.micro_batches < behind ? plan.micro_batches : behind;
    b.peak_bytes =
        static_cast<double>(static_cast<long double>(b.peak_live) * static_cast<long double>(plan.activation_bytes));
    return b;
}

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    // Backward k at time 2 k + 1. A forward of the warm-up comes before all of them, in its turn; a later one just
    // before the backward that it is paired with. Sorted by time that is the row.
    for (std::int64_t s = 0; s < p; ++s) {
        std::vector<std::pair<std::int64_t, std::int64_t>> timed; // (time, operation)
        for (std::int64_t k = 0; k < m; ++k) {
            const std::int64_t pair = kind == schedule::gpipe ? -1 : k - (p - s) + 1; // the backward it goes before
            timed.emplace_back(pair < 0 ? k - 4 * (m + p) : 2 * pair, k + 1);
            timed.emplace_back(2 * k + 1, -(k + 1));
        }
        std::sort(timed.begin(), timed.end());
        for (std::size_t i = 0; i < timed.size(); ++i) order(s, i) = timed[i].second;
    }
}

} // namespace parallelism
