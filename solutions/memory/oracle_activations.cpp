// Activations of GPT blocks that wait for the backward pass, after Korthikanti et al., "Reducing Activation
// Recomputation in Large Transformer Models", MLSys 2023 (arXiv 2205.05198), section 4 and table 2.
#include "oracle.hpp"
#include "oracle_block.hpp"

namespace assay::memory_judge {

Truths activations(const Problem& problem, const Slips& on) {
    const double batch = on("batch-forgotten") ? 1 : count(problem, "batch"), s = count(problem, "sequence");
    const double sbh = batch * s * count(problem, "d_model");
    const Block block = block_of(problem.flag("dropout"), on);
    const double heads = on("attention-heads-forgotten") ? 1 : count(problem, "heads");
    const double unit = on("bytes-twice") ? 2 : 1;
    const double attention = unit * block.attention * sbh, ffn = unit * block.ffn * sbh, norms = unit * 4 * sbh;
    const double scores = unit * block.scores * heads * s * s * batch;
    const double layer = attention + scores + ffn + norms;
    double kept = layer;
    switch (recompute_of(problem, on)) {
    case 1: kept = on("selective-recomputes-attention") ? ffn + norms : attention + ffn + norms; break;
    case 2: kept = unit * 2 * sbh; break;
    default: break;
    }
    const double total = kept * (on("layers-forgotten") ? 1 : count(problem, "layers"));
    return answered(Items()
                        .number("attention", attention, "B")
                        .number("scores", scores, "B")
                        .number("ffn", ffn, "B")
                        .number("norms", norms, "B")
                        .number("layer", layer, "B")
                        .number("kept", kept, "B")
                        .number("total", total, "B")
                        .number("total_gib", in_gib(total, on), "GiB"),
                    all_at_least(problem, 1, {"d_model", "heads"}) &&
                        all_at_least(problem, 0, {"layers", "batch", "sequence"}),
                    on);
}

} // namespace assay::memory_judge
