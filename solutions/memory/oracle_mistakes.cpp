// The wrong answers that `memory` can name, each at the first level that can reject it.
#include "oracle.hpp"

namespace assay::memory_judge {

namespace {

Mistake mistake(std::string id, std::string sentence, std::vector<std::string> levels,
                std::vector<std::string> twins = {}) {
    return {std::move(id), std::move(sentence), std::move(levels), std::move(twins)};
}

void matmul(std::vector<Mistake>& all) {
    const std::string forward = "forward", backward = "backward";
    all.push_back(mistake("gb-for-gib", "taking 1e9 bytes for a GiB (it is 2^30)", {forward}));
    all.push_back(mistake("bits-for-bytes", "counting bits as bytes", {forward}));
    all.push_back(
        mistake("bytes-truncated", "dividing bits by 8 in whole numbers (4 bits are half a byte)", {forward}));
    all.push_back(mistake("element-size-assumed", "taking an element's size for granted, whatever `bits` says",
                          {forward, forward}));
    all.push_back(mistake("output-forgotten", "leaving the output Y out of the total", {forward}));
    all.push_back(
        mistake("product-wraps", "multiplying counts in integers too narrow for the product", {forward, forward}));
    all.push_back(mistake("unchecked", "computing with input that is out of its range", {forward}));
    all.push_back(mistake("y-kept", "counting Y as live, which has been freed", {backward}));
    all.push_back(mistake("x-kept", "keeping X after dW is there, where it may be freed", {backward}));
    all.push_back(mistake("callers-x-freed", "freeing X, which is the caller's", {backward}));
    all.push_back(mistake("dy-forgotten", "leaving out the incoming gradient dY", {backward}));
    all.push_back(mistake("dw-forgotten", "leaving out the weights' gradient dW", {backward}));
    all.push_back(mistake("dx-forgotten", "leaving out the input's gradient dX", {backward}));
    all.push_back(mistake("dy-kept", "keeping dY after its last use", {backward}));
    all.push_back(mistake("order-ignored", "computing dW before dX, whatever `dx_first` says", {backward}));
    all.push_back(mistake("ever-live", "adding up all that ever lives, not what lives at the same time", {backward}));
}

void state(std::vector<Mistake>& all) {
    const std::string level = "training-state";
    all.push_back(mistake("gib-for-gb", "taking 2^30 bytes for a GB (it is 1e9)", {level}));
    all.push_back(mistake("master-forgotten", "leaving out the float32 master weights", {level}));
    all.push_back(mistake("one-moment", "counting one of Adam's two moments", {level}));
    all.push_back(mistake("moments-16-bit", "keeping Adam's moments in 16 bits", {level}, {"one-moment"}));
    all.push_back(mistake("fp32-gradients-ignored", "counting 2 bytes a gradient where it has 4", {level}));
    all.push_back(mistake("zero1-shards-gradients", "sharding the gradients at ZeRO stage 1", {level}));
    all.push_back(mistake("zero2-keeps-gradients", "leaving the gradients whole at ZeRO stage 2", {level}));
    all.push_back(mistake("zero2-shards-weights", "sharding the weights at ZeRO stage 2", {level}));
    all.push_back(mistake("zero3-keeps-weights", "leaving the weights whole at ZeRO stage 3", {level}));
    all.push_back(mistake("stages-off-by-one", "taking ZeRO stage n for stage n - 1", {level}));
    all.push_back(mistake("share-rounded", "rounding a GPU's share of the parameters to whole ones", {level, level}));
}

void transformer(std::vector<Mistake>& all) {
    const std::string level = "parameters", cache = "kv-cache", activations = "activations";
    all.push_back(mistake("gqa-ignored", "giving every query head keys and values of its own", {level}));
    all.push_back(mistake("head-dim-assumed", "taking d_model / heads for head_dim", {level}));
    all.push_back(mistake("layers-forgotten", "counting one layer for all", {level}));
    all.push_back(mistake("tied-twice", "counting tied embeddings twice", {level}));
    all.push_back(mistake("head-forgotten", "leaving out an output head that is not tied", {level}));
    all.push_back(mistake("gate-forgotten", "giving a gated feed-forward layer two matrices", {level}));
    all.push_back(mistake("hidden-assumed", "taking 4 d_model for the feed-forward width", {level}));
    all.push_back(mistake("output-projection-forgotten", "leaving out attention's output projection", {level}));
    all.push_back(mistake("qkv-bias-forgotten", "leaving out the biases of q, k and v", {level}));
    all.push_back(mistake("dense-bias-forgotten",
                          "leaving out the biases of the output projection and the feed-forward layer", {level}));
    all.push_back(mistake("norms-forgotten", "leaving out the norms over d_model", {level}));
    all.push_back(mistake("final-norm-forgotten", "leaving out the norm after the last layer", {level}));
    all.push_back(mistake("norm-bias-forgotten", "giving a norm a gain alone where it has a bias too", {level}));
    all.push_back(mistake("qk-norm-forgotten", "leaving out the norms of queries and keys", {level}));
    all.push_back(mistake("positions-forgotten", "leaving out the position embedding", {level}));
    all.push_back(mistake("kv-once", "caching keys or values, not both", {cache}));
    all.push_back(mistake("query-cached", "caching queries beside keys and values", {cache}));
    all.push_back(mistake("batch-forgotten", "counting one sequence for the batch", {cache}));
    all.push_back(mistake("dropout-assumed", "counting dropout's bytes where there is no dropout", {activations}));
    all.push_back(mistake("masks-two-bytes", "giving a dropout mask 2 bytes an element (it has 1)", {activations}));
    all.push_back(mistake("attention-heads-forgotten", "counting one head's scores for all heads", {activations}));
    all.push_back(
        mistake("bytes-twice", "multiplying by 2 bytes once more (34 and 5 are bytes already)", {activations}));
    all.push_back(mistake("selective-ignored", "keeping the scores that selective recompute drops", {activations}));
    all.push_back(mistake("selective-recomputes-attention",
                          "dropping all of attention under selective recompute (it drops the scores alone)",
                          {activations}));
}

void sharding(std::vector<Mistake>& all) {
    const std::string matmul = "split-matmul", level = "first-stage", fit = "least-gpus";
    all.push_back(mistake("column-splits-input", "splitting X where W is split by columns", {matmul}));
    all.push_back(mistake("partial-sums-split", "splitting Y where W is split by rows (each GPU has a sum of all of Y)",
                          {matmul}));
    all.push_back(mistake("gather-as-reduce", "sending an all-reduce where an all-gather will do", {matmul}));
    all.push_back(
        mistake("all-reduce-once", "counting an all-reduce as one pass round the ring (it takes two)", {matmul}));
    all.push_back(mistake("pipeline-splits-matmul", "splitting one matmul over pipeline stages", {matmul}));
    all.push_back(mistake("state-by-tensor-alone", "leaving all layers on every pipeline stage", {level}));
    all.push_back(mistake("activations-by-pipeline", "dividing activations by the number of pipeline stages", {level}));
    all.push_back(mistake("all-micro-batches", "holding the activations of all micro-batches at once", {level}));
    all.push_back(
        mistake("interleaving-ignored", "counting 1F1B's micro-batches where its chunks are interleaved", {level}));
    all.push_back(mistake("norms-split",
                          "dividing norms and block inputs by the tensor group without sequence parallelism", {level}));
    all.push_back(mistake("sequence-parallel-ignored",
                          "keeping norms and block inputs whole under sequence parallelism", {level}));
    all.push_back(mistake("scores-whole", "keeping the scores of all heads on every GPU of a tensor group", {level}));
    all.push_back(mistake("backward-forgotten", "leaving out what the backward pass sends", {level}));
    all.push_back(
        mistake("regather-forgotten", "leaving out the gathers of split inputs in the backward pass", {level}));
    all.push_back(mistake("any-ranks", "splitting a matrix over GPUs that do not divide its width", {fit}));
    all.push_back(mistake("node-ignored", "sharing a matrix among more GPUs than `node`", {fit}));
    all.push_back(mistake("gpus-rounded-down", "rounding a number of GPUs down", {fit}));
    all.push_back(mistake("exact-fit-refused", "refusing what fits exactly", {fit}));
}

} // namespace

std::vector<Mistake> mistakes() {
    std::vector<Mistake> all;
    matmul(all);
    state(all);
    transformer(all);
    sharding(all);
    return all;
}

} // namespace assay::memory_judge
