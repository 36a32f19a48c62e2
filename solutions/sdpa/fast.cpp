// `sdpa` near the machine's limit: the products of a block of queries with a block of keys, weights and weighted sums
// while both lie in the cache, and no L x L matrix anywhere.
//
// Idea: FlashAttention-2 (Dao 2023, arXiv 2307.08691), section 3.1: an outer loop over blocks of queries that threads
// share, an inner one over blocks of keys; a running maximum a row, and what was summed relative to the old one is
// brought to the new one. A decode step (few queries, many keys) is split along the keys and joined: FlashDecoding (Dao
// et al. 2023).
//
// - Vectors stand along the queries. Keys and values are broadcast, so that maximum, sum and rescale are vertical: no
//   vector is ever reduced.
// - A tile is 3 vectors of queries (24 rows with AVX2, 48 with AVX-512) against 4 or 8 keys: fast/micro.hpp.
// - 128 keys a block: sums are loaded, rescaled and stored once a block, beside 128 products; the block's logits
//   (12 KiB with AVX2) leave room for a tile's queries in the first cache.
// - Keys and values are laid out once a head in the order in which they are read: fast/pack.hpp. Up to 8 tiles a task
//   read a block of them from the second cache.
// - exp2 of (logit - maximum) · c: the difference first, since its rounding is relative to itself; a logit of 2e9 times
//   c minus a product of that size would be off by 128.
// - 16-bit keys and values become floats a block at a time; scores and sums are floats. (vdpbf16ps would flush
//   subnormals and is not used.)
// - NaN behind a mask meets a weight of 0. Inputs are finite, so a row that is not finite at the end is done again,
//   plainly, over the keys it may attend (fast/plain.hpp); no other row pays for it.
// - Gradients: fast/backward.hpp, a stripe of queries against all its keys.
//
// Instruction sets are chosen at run time with Highway (AVX-512, AVX2; elsewhere what the compiler's flags allow). On
// x86 without AVX2 all rows are plain ones.

// Highway 1.0.3 takes AVX3_DL for the best that -march=native promises (Ice Lake and later), then leaves it out of its
// own list, and stops. AVX3 is all that is used here.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS HWY_AVX3_DL
#endif

#include "contract.hpp"
#include "fast/gradients.hpp"
#include "fast/job.hpp"
#include "fast/plain.hpp"
#include "fast/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <hwy/detect_targets.h>
#include <limits>
#include <memory>
#include <omp.h>
#include <vector>

// What <hwy/foreach_target.h> does. That header looks for the file to include from its own folder on, which an
// attempt's folder is not below.
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX2
#include "fast/target.hpp"
#define HWY_TARGET_TOGGLE
#endif
#if (HWY_TARGETS & HWY_AVX3) && HWY_STATIC_TARGET != HWY_AVX3
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX3
#include "fast/target.hpp"
#ifdef HWY_TARGET_TOGGLE
#undef HWY_TARGET_TOGGLE
#else
#define HWY_TARGET_TOGGLE
#endif
#endif
// An emulated vector is slower than a plain row, and a third of the compile.
#define FAST_HAS_STATIC (HWY_STATIC_TARGET != HWY_EMU128 && HWY_STATIC_TARGET != HWY_SCALAR)
#if FAST_HAS_STATIC
#undef HWY_TARGET
#define HWY_TARGET HWY_STATIC_TARGET
#include "fast/target.hpp"
#endif

namespace fast {
namespace {

Kernels best_kernels() {
#if (HWY_TARGETS & HWY_AVX3) && HWY_STATIC_TARGET != HWY_AVX3
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
        return N_AVX3::kernels();
#endif
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return N_AVX2::kernels();
#endif
#if FAST_HAS_STATIC
    return HWY_STATIC_DISPATCH(kernels)();
#else
    return {};
#endif
}

/// Rows [0, rows) of every key/value head in tasks of one or more tiles. Returns which rows are to be done again,
/// (B, Hkv, rows).
std::unique_ptr<bool[]> attend_all(const Job& job, const Kernels& use, bool alone) {
    const Index rows = job.rows(), threads = alone ? 1 : omp_get_max_threads();
    // Keys and values are read, and values packed, once a task: many rows make little of it. But the last task must not
    // leave a thread idle for long, and every thread needs one.
    Index count = use.tile * most_tiles;
    const auto tasks_of = [&](Index task_rows) { return job.B * job.Hkv * ((rows + task_rows - 1) / task_rows); };
    while (count > 4 * use.tile && tasks_of(count) < 32 * threads) count -= use.tile;
    while (count > use.tile && tasks_of(count) < 8 * threads) count -= use.tile;
    const Index a_head = (rows + count - 1) / count, tasks = job.B * job.Hkv * a_head;
    std::unique_ptr<bool[]> unsure(new bool[static_cast<std::size_t>(job.B * job.Hkv * rows)]);
    // Laid out once for all tasks of a head, where it has several.
    const Index blocks = a_head > 1 ? (job.Lk + use.block - 1) / use.block : 0;
    const auto packed_head = static_cast<Index>(use.packed_floats(job));
    const auto packed = aligned_floats(static_cast<std::size_t>(blocks > 0 ? job.B * job.Hkv * packed_head : 0));
#pragma omp parallel if (!alone)
    {
        const auto scratch = aligned_floats(use.attend_floats(job, count));
#pragma omp for schedule(static)
        for (Index t = 0; t < job.B * job.Hkv * blocks; ++t) {
            const Index head = t / blocks, begin = t % blocks * use.block;
            const Task task{head / job.Hkv, head % job.Hkv, 0, 0, begin, std::min(begin + use.block, job.Lk), nullptr};
            use.pack(job, task, packed.get() + head * packed_head, scratch.get());
        }
#pragma omp for schedule(dynamic, 1)
        for (Index t = 0; t < tasks; ++t) {
            // Under a causal mask the last rows are the longest; without one they may be few. The shortest task comes
            // last.
            const Index head = t / a_head, chunk = job.causal ? a_head - 1 - t % a_head : t % a_head;
            const Index first = chunk * count;
            const Task task{head / job.Hkv,
                            head % job.Hkv,
                            first,
                            std::min(count, rows - first),
                            0,
                            job.Lk,
                            nullptr,
                            blocks > 0 ? packed.get() + head * packed_head : nullptr};
            use.attend(job, task, scratch.get(), unsure.get() + head * rows + first);
        }
    }
    return unsure;
}

/// Each head's keys in parts, so that all threads read; then the parts are joined (FlashDecoding).
template <class Out>
std::unique_ptr<bool[]> decode_all(const Job& job, const Kernels& use, bool alone, tensor<Out, 4> out) {
    const Index rows = job.rows(), heads = job.B * job.Hkv, threads = alone ? 1 : omp_get_max_threads();
    const Index parts = std::clamp<Index>(4 * threads / heads, 1, std::max<Index>(1, job.Lk / 512));
    const Index length = (job.Lk + parts - 1) / parts, width = job.Dv + 2;
    std::vector<float> partial(static_cast<std::size_t>(heads * parts * rows * width));
    const auto partial_of = [&](Index head, Index part, Index row) {
        return partial.data() + ((head * parts + part) * rows + row) * width;
    };
#pragma omp parallel if (!alone)
    {
        const auto scratch = aligned_floats(use.decode_floats(job));
#pragma omp for schedule(dynamic, 1)
        for (Index t = 0; t < heads * parts; ++t) {
            const Index head = t / parts, part = t % parts;
            const Task task{head / job.Hkv,
                            head % job.Hkv,
                            0,
                            rows,
                            std::min(part * length, job.Lk),
                            std::min((part + 1) * length, job.Lk),
                            partial_of(head, part, 0)};
            use.decode(job, task, scratch.get());
        }
    }
    std::unique_ptr<bool[]> unsure(new bool[static_cast<std::size_t>(heads * rows)]);
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < rows; ++row) {
            float max = -std::numeric_limits<float>::infinity(), total = 0, not_finite = 0;
            for (Index part = 0; part < parts; ++part) max = std::max(max, partial_of(head, part, row)[0]);
            std::vector<float> sum(static_cast<std::size_t>(job.Dv));
            const float size = job.scale == 0 ? 1.0f : std::abs(job.scale);
            for (Index part = 0; part < parts; ++part) {
                const float* state = partial_of(head, part, row);
                if (state[1] == 0) continue;
                const float keep = std::exp((state[0] - max) * size);
                total += keep * state[1];
                for (Index x = 0; x < job.Dv; ++x) sum[static_cast<std::size_t>(x)] += keep * state[2 + x];
            }
            for (Index x = 0; x < job.Dv; ++x) {
                const float value = total == 0 ? 0.0f : sum[static_cast<std::size_t>(x)] / total;
                not_finite += value * 0;
                out(head / job.Hkv, job.head(head % job.Hkv, row), job.query(row), x) = Out(value);
            }
            unsure[static_cast<std::size_t>(head * rows + row)] = !(not_finite == 0);
        }
    return unsure;
}

template <class In, class Out> void attend_any(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                                               tensor<Out, 4> out) {
    static const Kernels use = best_kernels();
    if (q.extent(0) == 0 || q.extent(1) == 0 || q.extent(2) == 0) return;
    Job job = job_of(q, k, v, mask, causal, scale);
    job.out = view_of(out), job.out_storage = storage_of<Out>();
    // Below some 20 µs of work, waking threads costs more than they do.
    const bool alone = job.B * job.Hq * job.Lq * job.Lk * (job.D + job.Dv) < 200'000;
    if (use.attend == nullptr) {
#pragma omp parallel for collapse(3) schedule(dynamic, 8) if (!alone)
        for (Index b = 0; b < job.B; ++b)
            for (Index h = 0; h < job.Hq; ++h)
                for (Index i = 0; i < job.Lq; ++i) plain_row(q, k, v, {mask, causal}, job.scale, out, b, h, i);
        return;
    }
    const std::unique_ptr<bool[]> unsure =
        job.rows() <= 4 ? decode_all(job, use, alone, out) : attend_all(job, use, alone);
    for (Index n = 0; n < job.B * job.Hkv * job.rows(); ++n)
        if (unsure[static_cast<std::size_t>(n)]) {
            const Index head = n / job.rows(), row = n % job.rows();
            plain_row(q, k, v, {mask, causal}, job.scale, out, head / job.Hkv, job.head(head % job.Hkv, row),
                      job.query(row));
        }
}

} // namespace
} // namespace fast

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    fast::attend_any(q, k, v, mask, causal, scale, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    fast::attend_any(q, k, v, mask, causal, scale, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    fast::attend_any(q, k, v, mask, causal, scale, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    fast::attend_any(q, k, v, mask, causal, scale, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    fast::attend_any(q, k, v, mask, causal, scale, out);
}

void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    static const fast::Kernels use = fast::best_kernels();
    fast::Job job = fast::job_of(q, k, v, mask, causal, scale);
    job.dout = fast::view_of(dout), job.dq = fast::view_of(dq), job.dk = fast::view_of(dk), job.dv = fast::view_of(dv);
    if (use.backward != nullptr)
        fast::backward_all(job, use);
    else
        fast::plain_backward(q, k, v, {mask, causal}, job.scale, dout, dq, dk, dv);
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / std::sqrt(static_cast<float>(q.extent(3))));
#pragma omp parallel for collapse(3) schedule(dynamic, 16)
    for (fast::Index b = 0; b < q.extent(0); ++b)
        for (fast::Index h = 0; h < q.extent(1); ++h)
            for (fast::Index i = 0; i < q.extent(2); ++i)
                fast::plain_row(q, k, v, {mask, causal, slopes, window}, factor, out, b, h, i);
}

void begin(tensor<float, 2> state) { fast::begin(state); }

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    fast::absorb(state, q, k, v, mask, scale);
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) { fast::merge(into, from); }

void finish(tensor<const float, 2> state, tensor<float, 2> out) { fast::finish(state, out); }

} // namespace sdpa
