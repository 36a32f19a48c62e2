// The backward pass shared out among threads: every head's rows in parts, what they add to dk and dv joined in the
// order of the parts. How many parts there are hangs on the shape alone, so that any number of threads gives the same
// bits.
#ifndef SDPA_FAST_GRADIENTS_HPP
#define SDPA_FAST_GRADIENTS_HPP

#include "job.hpp"
#include "plain.hpp"
#include "prepare.hpp"

#include <algorithm>

namespace fast {

inline void backward_all(const Job& job, const Kernels& use) {
    const Index rows = job.rows(), heads = job.B * job.Hkv;
    if (heads == 0) return;
    // Each part costs memory of the size of its head's dk and dv: no more of them than threads have use for.
    constexpr Index tasks_wanted = 16;
    const Index most = std::max<Index>(1, rows / (4 * use.stripe));
    const Index wanted = std::clamp<Index>((tasks_wanted + heads - 1) / heads, 1, most);
    const Index length = std::max<Index>(1, ((rows + wanted - 1) / wanted + use.stripe - 1) / use.stripe) * use.stripe;
    const Index parts = std::max<Index>(1, (rows + length - 1) / length);
    const auto apart = static_cast<Index>(use.partial_floats(job));
    const auto partials = aligned_floats(static_cast<std::size_t>(heads * parts * apart));
    const bool alone = heads * rows * job.Lk * (job.D + job.Dv) < 100'000;
    constexpr Index keys_a_task = 64;
    const Index key_tasks = (job.Lk + keys_a_task - 1) / keys_a_task;
#pragma omp parallel if (!alone)
    {
        const auto scratch = aligned_floats(use.backward_floats(job, length));
#pragma omp for schedule(dynamic, 1)
        for (Index t = 0; t < heads * parts; ++t) {
            // Under a causal mask the last rows see most: they come first.
            const Index head = t % heads, part = parts - 1 - t / heads, first = part * length;
            use.backward(job,
                         {head / job.Hkv, head % job.Hkv, first, std::min(length, rows - first), 0, job.Lk,
                          partials.get() + (head * parts + part) * apart},
                         scratch.get());
        }
#pragma omp for schedule(static)
        for (Index t = 0; t < heads * key_tasks; ++t) {
            const Index head = t / key_tasks, begin = t % key_tasks * keys_a_task;
            use.join(job, {head / job.Hkv, head % job.Hkv, 0, 0, begin, std::min(begin + keys_a_task, job.Lk), nullptr},
                     partials.get() + head * parts * apart, parts);
        }
    }
}

/// Where there is no kernel: row by row, a head's rows one after another.
inline void plain_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                           const Pattern& pattern, float scale, tensor<const float, 4> dout, tensor<float, 4> dq,
                           tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index group = q.extent(1) / k.extent(1);
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
    for (Index b = 0; b < k.extent(0); ++b)
        for (Index kv = 0; kv < k.extent(1); ++kv) {
            for (Index j = 0; j < k.extent(2); ++j) {
                for (Index x = 0; x < k.extent(3); ++x) dk(b, kv, j, x) = 0;
                for (Index x = 0; x < v.extent(3); ++x) dv(b, kv, j, x) = 0;
            }
            for (Index h = kv * group; h < (kv + 1) * group; ++h)
                for (Index i = 0; i < q.extent(2); ++i)
                    plain_row_backward(q, k, v, pattern, scale, dout, dq, dk, dv, b, h, i);
        }
}

} // namespace fast

#endif
