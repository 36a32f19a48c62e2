// Wrong: all 34 are divided by the tensor group, always.
// Level: first-stage
#include "contract.hpp"

#include <algorithm>
#include <initializer_list>

namespace memory {

namespace {

constexpr double gib = 1 << 30;

bool all_at_least(std::int64_t least, std::initializer_list<std::int64_t> counts) {
    return std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count >= least; });
}

bool divides(std::int64_t part, std::int64_t whole) { return whole % part == 0; }

} // namespace

stage_bytes first_stage(plan run, recompute recomputed) {
    if (!all_at_least(1, {run.layers, run.d_model, run.heads, run.sequence, run.micro_batch, run.micro_batches,
                          run.tensor, run.pipeline, run.chunks}) ||
        !divides(run.tensor, run.heads) || !divides(run.tensor, run.d_model) ||
        (run.sequence_parallel && !divides(run.tensor, run.sequence)) || !divides(run.pipeline, run.layers) ||
        !divides(run.chunks, run.layers / run.pipeline) ||
        (run.chunks > 1 && !divides(run.pipeline, run.micro_batches)))
        return {};
    const auto d = static_cast<double>(run.d_model), s = static_cast<double>(run.sequence),
               b = static_cast<double>(run.micro_batch), n = static_cast<double>(run.micro_batches),
               t = static_cast<double>(run.tensor), p = static_cast<double>(run.pipeline),
               v = static_cast<double>(run.chunks), layers = static_cast<double>(run.layers) / p;
    const double sbh = s * b * d, whole = run.dropout ? 10 : 8, along = run.sequence_parallel ? t : 1;
    const double scores = (run.dropout ? 5 : 2) * static_cast<double>(run.heads) * s * s * b / t;
    stage_bytes r;
    r.parameters = 12 * d * d * layers / t;
    r.state = (run.fp32_gradients ? 18 : 16) * r.parameters;
    r.kept = recomputed == recompute::full
                 ? 2 * sbh / t
                 : ((whole + 24) / t) * sbh + (recomputed == recompute::selective ? 0 : scores);
    r.in_flight = run.chunks == 1 ? layers * std::min(n, p) : layers / v * std::min(n * v, p * v + p - 1);
    r.activations = r.kept * r.in_flight;
    r.total = r.state + r.activations;
    r.total_gib = r.total / gib;
    const double passes = 8 + (run.sequence_parallel ? 2 : 0) + (recomputed == recompute::full ? 4 : 0);
    r.sent_tensor = layers * passes * (t - 1) / t * 2 * sbh;
    r.sent_pipeline = run.pipeline == 1 ? 0 : 2 * v * 2 * sbh / along;
    return r;
}

} // namespace memory
