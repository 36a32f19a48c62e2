// A GPU of the first pipeline stage: its training state, the activations it holds at the worst moment, what it sends.
#include "oracle.hpp"
#include "oracle_block.hpp"

#include <algorithm>

namespace assay::memory_judge {

namespace {

bool is_plan(const Problem& problem) {
    if (!all_at_least(
            problem, 1,
            {"layers", "d_model", "heads", "sequence", "micro_batch", "micro_batches", "tensor", "pipeline", "chunks"}))
        return false;
    const auto divides = [&](const char* part, const char* whole) {
        return problem.integer(whole) % problem.integer(part) == 0;
    };
    return divides("tensor", "heads") && divides("tensor", "d_model") &&
           (!problem.flag("sequence_parallel") || divides("tensor", "sequence")) && divides("pipeline", "layers") &&
           problem.integer("layers") / problem.integer("pipeline") % problem.integer("chunks") == 0 &&
           (problem.integer("chunks") == 1 || divides("pipeline", "micro_batches"));
}

/// Bytes of a layer and micro-batch that a GPU keeps, in the paper's terms: 10 parts of 34 lie whole on each GPU of a
/// tensor group (4 of the norms, 2 and 2 of the inputs of attention and FFN, 2 dropout masks), 24 are split.
double kept_of(const Problem& problem, double tensor, const Slips& on) {
    const double s = count(problem, "sequence"), b = count(problem, "micro_batch");
    const double sbh = s * b * count(problem, "d_model");
    const Block block = block_of(problem.flag("dropout"), on);
    const double all = block.attention + block.ffn + 4, split = 24;
    const bool along = (problem.flag("sequence_parallel") && !on("sequence-parallel-ignored")) || on("norms-split");
    const double linear = along ? all / tensor : all - split + split / tensor;
    const double heads = on("attention-heads-forgotten") ? 1 : count(problem, "heads");
    const double scores = block.scores * heads * s * s * b / (on("scores-whole") ? 1 : tensor);
    switch (recompute_of(problem, on)) {
    case 1: return linear * sbh;
    case 2: return 2 * sbh / (along ? tensor : 1);
    default: return linear * sbh + scores;
    }
}

/// Chunks of layers whose activations the first stage holds at the worst moment.
double chunks_in_flight(const Problem& problem, const Slips& on) {
    const double stages = count(problem, "pipeline"), chunks = count(problem, "chunks"),
                 batches = count(problem, "micro_batches");
    if (on("activations-by-pipeline")) return chunks;
    if (on("all-micro-batches")) return chunks * batches;
    if (chunks > 1 && !on("interleaving-ignored")) return std::min(chunks * batches, chunks * stages + stages - 1);
    return chunks * std::min(batches, stages);
}

} // namespace

Truths first_stage(const Problem& problem, const Slips& on) {
    const double tensor = count(problem, "tensor"), stages = count(problem, "pipeline"),
                 chunks = count(problem, "chunks"), layers = count(problem, "layers"), d = count(problem, "d_model");
    const double held = on("state-by-tensor-alone") ? layers : layers / stages;
    const double parameters = 12 * d * d * held / tensor;
    const bool wide = problem.flag("fp32_gradients") && !on("fp32-gradients-ignored");
    const double moments = (on("one-moment") ? 1 : 2) * (on("moments-16-bit") ? 2 : 4),
                 master = on("master-forgotten") ? 0 : 4;
    const double state = parameters * (2 + (wide ? 4 : 2) + master + moments);
    const double kept = kept_of(problem, tensor, on);
    const double in_flight = chunks_in_flight(problem, on) * layers / (stages * chunks);
    const double activations = kept * in_flight;

    // In passes round the ring of the tensor group, each (t - 1)/t of a micro-batch's 2sbh. Forward: two all-reduces,
    // or all-gather and reduce-scatter twice; the same backward; twice more to gather what lies split by the sequence.
    const bool along = problem.flag("sequence_parallel") && !on("sequence-parallel-ignored");
    const double forward = on("all-reduce-once") && !along ? 2 : 4;
    double passes = on("backward-forgotten") ? forward : 2 * forward;
    if (along && !on("backward-forgotten") && !on("regather-forgotten")) passes += 2;
    if (problem.integer("recomputed") == 2 && !on("backward-forgotten")) passes += forward;
    const double message = 2 * count(problem, "sequence") * count(problem, "micro_batch") * d;
    const double sent_tensor = layers / stages * passes * (tensor - 1) / tensor * message;
    double sent_pipeline = stages > 1 ? 2 * chunks * message / (along ? tensor : 1) : 0;
    if (on("backward-forgotten")) sent_pipeline /= 2;
    const double total = state + activations;
    return answered(Items()
                        .number("parameters", parameters)
                        .number("state", state, "B")
                        .number("kept", kept, "B")
                        .number("in_flight", in_flight)
                        .number("activations", activations, "B")
                        .number("total", total, "B")
                        .number("total_gib", in_gib(total, on), "GiB")
                        .number("sent_tensor", sent_tensor, "B")
                        .number("sent_pipeline", sent_pipeline, "B"),
                    is_plan(problem), on);
}

} // namespace assay::memory_judge
