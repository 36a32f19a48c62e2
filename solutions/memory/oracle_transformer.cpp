// A transformer's parameters, and its key-value cache.
#include "oracle.hpp"

#include <cmath>

namespace assay::memory_judge {

namespace {

struct Heads {
    double width;    // of all query heads
    double kv_width; // of all key heads, and of all value heads
};

Heads heads_of(const Problem& problem, const Slips& on) {
    const double heads = count(problem, "heads");
    double dim = count(problem, "head_dim");
    if (on("head-dim-assumed")) dim = std::floor(count(problem, "d_model") / heads);
    return {heads * dim, (on("gqa-ignored") ? heads : count(problem, "kv_heads")) * dim};
}

bool is_attention(const Problem& problem) {
    return all_at_least(problem, 1, {"d_model", "heads", "kv_heads", "head_dim", "bits"}) &&
           problem.integer("heads") % problem.integer("kv_heads") == 0;
}

double layers_of(const Problem& problem, const Slips& on) {
    return on("layers-forgotten") ? 1 : count(problem, "layers");
}

} // namespace

Truths parameters(const Problem& problem, const Slips& on) {
    const auto flag = [&](const char* name, const char* forgotten) { return problem.flag(name) && !on(forgotten); };
    const Heads heads = heads_of(problem, on);
    const double d = count(problem, "d_model"), layers = layers_of(problem, on);
    const double hidden = on("hidden-assumed") ? 4 * d : count(problem, "hidden");
    const double embedding = count(problem, "vocab") * d;
    const double position = on("positions-forgotten") ? 0 : count(problem, "positions") * d;

    const double outward = on("output-projection-forgotten") ? 0 : heads.width * d;
    const double attention = d * heads.width + 2 * d * heads.kv_width + outward;
    const bool gated = flag("gated", "gate-forgotten");
    const double ffn = (gated ? 3 : 2) * d * hidden;

    double biases = flag("qkv_bias", "qkv-bias-forgotten") ? heads.width + 2 * heads.kv_width : 0;
    if (flag("dense_bias", "dense-bias-forgotten")) biases += d + (gated ? 2 : 1) * hidden + d;

    const double norm = flag("norm_bias", "norm-bias-forgotten") ? 2 * d : d;
    double norms = count(problem, "norms") * norm;
    if (flag("qk_norm", "qk-norm-forgotten")) norms += 2 * count(problem, "head_dim");
    if (on("norms-forgotten")) norms = 0;
    const double last = flag("final_norm", "final-norm-forgotten") && !on("norms-forgotten") ? norm : 0;

    const double layer = attention + ffn + biases + norms;
    const double tables = problem.flag("tied") && !on("tied-twice") ? embedding : 2 * embedding;
    const double untied = !problem.flag("tied") && on("head-forgotten") ? embedding : tables;
    const double total = untied + position + layers * layer + last;
    return answered(
        Items()
            .number("embedding", embedding)
            .number("position", position)
            .number("attention", attention)
            .number("ffn", ffn)
            .number("biases", biases)
            .number("norms", norms)
            .number("layer", layer)
            .number("total", total)
            .number("total_gib", in_gib(total * bytes_of(problem.integer("bits"), on), on), "GiB"),
        is_attention(problem) && all_at_least(problem, 0, {"layers", "hidden", "vocab", "positions", "norms"}), on);
}

Truths kv_cache(const Problem& problem, const Slips& on) {
    const Heads heads = heads_of(problem, on);
    const double tensors = (on("kv-once") ? 1 : 2) * heads.kv_width + (on("query-cached") ? heads.width : 0);
    const double in_layer = tensors * bytes_of(problem.integer("bits"), on);
    const double token = in_layer * layers_of(problem, on);
    const double sequence = token * count(problem, "tokens");
    const double total = sequence * (on("batch-forgotten") ? 1 : count(problem, "batch"));
    return answered(Items()
                        .number("token_in_layer", in_layer, "B")
                        .number("token", token, "B")
                        .number("sequence", sequence, "B")
                        .number("total", total, "B")
                        .number("total_gib", in_gib(total, on), "GiB"),
                    is_attention(problem) && all_at_least(problem, 0, {"layers", "batch", "tokens"}), on);
}

} // namespace assay::memory_judge
