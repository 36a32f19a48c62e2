// Levels parameters, kv-cache and activations: a transformer.
#include "cases.hpp"
#include "cases_seeded.hpp"

namespace assay::memory_judge {

std::vector<Case> parameter_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Model& model, std::int64_t bits,
                         std::string stays = "") {
        cases.push_back(make_case(std::move(id), std::move(why), parameters_of(model, bits), std::move(stays)));
    };
    const std::string published = "a published count";
    Model grouped{.layers = 3, .d_model = 10, .heads = 6, .kv_heads = 2, .head_dim = 4, .hidden = 14, .vocab = 11};
    add("grouped", "GQA, a gate, head_dim not d_model / heads, an output head of its own", grouped, 16);
    Model gelu{.layers = 2,
               .d_model = 12,
               .heads = 3,
               .kv_heads = 3,
               .head_dim = 4,
               .hidden = 31,
               .vocab = 17,
               .positions = 9,
               .gated = false,
               .tied = true,
               .norm_bias = true,
               .qkv_bias = true,
               .dense_bias = true};
    add("biases", "two feed-forward matrices, biases everywhere, positions, tied embeddings", gelu, 32);
    Model normed{.layers = 5,
                 .d_model = 12,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_dim = 7,
                 .hidden = 20,
                 .vocab = 13,
                 .norms = 4,
                 .tied = true,
                 .qk_norm = true,
                 .qkv_bias = true};
    add("qk-norm", "four norms a layer, norms of queries and keys, biases of q, k, v alone", normed, 8);
    Model bare = grouped;
    bare.norms = 0;
    bare.final_norm = false;
    add("bare", "no norm at all", bare, 4, "counts of 0 and flags that are off");
    Model gated_biases = grouped;
    gated_biases.dense_bias = true;
    add("gated-biases", "biases on the gate too", gated_biases, 16, "three feed-forward biases, none on q, k, v");
    Model llama{
        .layers = 32, .d_model = 4096, .heads = 32, .kv_heads = 8, .head_dim = 128, .hidden = 14336, .vocab = 128256};
    add("llama-3-8b", "8,030,261,248 parameters", llama, 16, published);
    Model gemma{.layers = 28,
                .d_model = 3072,
                .heads = 16,
                .kv_heads = 16,
                .head_dim = 256,
                .hidden = 24576,
                .vocab = 256000,
                .tied = true};
    add("gemma-7b", "8,537,680,896 parameters: 16 heads of 256 on a width of 3072", gemma, 16, published);
    Model empty = grouped;
    empty.layers = 0;
    empty.vocab = 0;
    add("no-layers", "0 layers and no vocabulary: the final norm is left", empty, 16, "0 is a count like another");
    Model huge{.layers = 1000003,
               .d_model = 4000000007,
               .heads = 6,
               .kv_heads = 3,
               .head_dim = 5000000029,
               .hidden = 7000000001,
               .vocab = 9000000011};
    add("parameters-past-64-bit", "matrices of more than 2^63 parameters", huge, 16, "products overflow");
    Model uneven = grouped;
    uneven.kv_heads = 4;
    add("uneven-groups", "6 heads on 4 are out of range", uneven, 16, "heads must be a multiple of kv_heads");
    Model headless = grouped;
    headless.kv_heads = 0;
    add("no-kv-heads", "0 key and value heads are out of range", headless, 16, "dividing by them is a crash");
    Model negative = grouped;
    negative.positions = -1;
    add("negative-positions", "-1 positions are out of range", negative, 16, "the lower edge of what may be 0");
    cases.push_back(seeded("parameters-seeded", parameters_drawn));
    return cases;
}

std::vector<Case> cache_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Cache& cache, std::string stays = "") {
        cases.push_back(make_case(std::move(id), std::move(why), cache_of(cache), std::move(stays)));
    };
    add("seven-by-77", "7 sequences of 77 tokens, 2 of 6 heads cached, head_dim not d_model / heads",
        {.layers = 5, .d_model = 48, .heads = 6, .kv_heads = 2, .head_dim = 16, .batch = 7, .tokens = 77});
    add("multi-query", "one head cached, 8 bits an element",
        {.layers = 3, .d_model = 80, .heads = 5, .kv_heads = 1, .head_dim = 24, .batch = 3, .tokens = 11, .bits = 8},
        "one cached head is where most is saved");
    add("four-bit-cache", "an odd number of elements of half a byte",
        {.layers = 3, .d_model = 35, .heads = 5, .kv_heads = 5, .head_dim = 7, .batch = 1, .tokens = 9, .bits = 4},
        "bits that are no whole byte");
    add("no-tokens", "an empty cache has 0 bytes; a token's are what they are",
        {.layers = 5, .d_model = 48, .heads = 6, .kv_heads = 2, .head_dim = 16, .batch = 7, .tokens = 0},
        "0 is a count like another");
    add("cache-past-64-bit", "more bytes than a 64-bit integer counts",
        {.layers = 126,
         .d_model = 16384,
         .heads = 128,
         .kv_heads = 8,
         .head_dim = 128,
         .batch = 1000003,
         .tokens = 900000000000},
        "a product of seven counts");
    add("negative-batch", "a batch of -7 is out of range",
        {.layers = 5, .d_model = 48, .heads = 6, .kv_heads = 2, .head_dim = 16, .batch = -7, .tokens = 77},
        "the check belongs to every function");
    add("no-head-dim", "head_dim 0 is out of range",
        {.layers = 5, .d_model = 48, .heads = 6, .kv_heads = 2, .head_dim = 0, .batch = 7, .tokens = 77},
        "the lower edge of `head_dim`");
    cases.push_back(seeded("cache-seeded", cache_drawn));
    return cases;
}

std::vector<Case> activation_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Stack& stack, bool dropout, std::int64_t recomputed,
                         std::string stays = "") {
        cases.push_back(
            make_case(std::move(id), std::move(why), activations_of(stack, dropout, recomputed), std::move(stays)));
    };
    const Stack small{.layers = 3, .batch = 2, .sequence = 5, .d_model = 14, .heads = 7};
    add("dropout", "sbh(34 + 5as/h) a layer", small, true, recompute_none);
    add("no-dropout", "sbh(32 + 2as/h) a layer", small, false, recompute_none);
    add("selective", "the scores are dropped, all else is kept", small, true, recompute_selective);
    add("full", "the layer's input alone is kept", small, true, recompute_full, "2sbh, dropout or not");
    add("selective-no-dropout", "32sbh a layer", small, false, recompute_selective, "two switches at once");
    add("gpt-3-layer", "96 heads on 2048 tokens: scores are 5as/h = 80 of 114", {96, 1, 2048, 12288, 96}, true,
        recompute_none, "the size at which the formula was published");
    add("heads-not-dividing", "5 heads on a width of 14: the formula needs no head_dim", {2, 3, 6, 14, 5}, true,
        recompute_none, "an integer d_model / heads loses here");
    add("no-sequence", "a sequence of 0 tokens keeps nothing", {3, 2, 0, 14, 7}, true, recompute_none,
        "0 is a count like another");
    add("scores-past-64-bit", "sequence² alone passes 2^63", {3, 2, 4000000007, 14, 7}, false, recompute_none,
        "a square overflows first");
    add("no-heads", "0 heads are out of range", {3, 2, 5, 14, 0}, true, recompute_selective,
        "out of range although scores are not kept");
    cases.push_back(seeded("activations-seeded", activations_drawn));
    return cases;
}

} // namespace assay::memory_judge
