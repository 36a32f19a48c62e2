// Published figures that the oracle of `memory` must give: parameters of models, ZeRO's table, Megatron's memory.
#include "exercises/memory/ask.hpp"

using namespace assay;
using namespace assay::memory_test;

namespace {

Value whole(std::int64_t count) { return count; }

Items state(std::int64_t stage, bool fp32_gradients) {
    return Items(
        "training_state",
        {{"parameters", whole(7500000000)}, {"gpus", whole(64)}, {"stage", stage}, {"fp32_gradients", fp32_gradients}});
}

/// Whether `value` is `published` when rounded to as many decimals.
bool rounds_to(double value, double published, int decimals) {
    const double scale = std::pow(10, decimals);
    return std::fabs(value - published) * scale <= 0.5 + 1e-9;
}

struct Published {
    const char* name;
    std::int64_t layers, d_model, heads, kv_heads, head_dim, hidden, vocab;
    std::int64_t positions, norms;
    bool gated, tied, norm_bias, qk_norm, qkv_bias, dense_bias;
    std::int64_t parameters;
};

// Shapes from each model's config.json, counts from the safetensors metadata of its page at huggingface.co (google/,
// meta-llama/, mistralai/, Qwen/, openai-community/). GPT-2's counts are those of its weights; its paper gives 117M to
// 1542M, which are not.
constexpr Published published[] = {
    {"Llama-3-8B", 32, 4096, 32, 8, 128, 14336, 128256, 0, 2, true, false, false, false, false, false, 8030261248},
    {"Llama-3-70B", 80, 8192, 64, 8, 128, 28672, 128256, 0, 2, true, false, false, false, false, false, 70553706496},
    {"Llama-2-7B", 32, 4096, 32, 32, 128, 11008, 32000, 0, 2, true, false, false, false, false, false, 6738415616},
    {"Mistral-7B", 32, 4096, 32, 8, 128, 14336, 32000, 0, 2, true, false, false, false, false, false, 7241732096},
    {"Gemma-2B", 18, 2048, 8, 1, 256, 16384, 256000, 0, 2, true, true, false, false, false, false, 2506172416},
    {"Gemma-7B", 28, 3072, 16, 16, 256, 24576, 256000, 0, 2, true, true, false, false, false, false, 8537680896},
    {"Gemma-2-9B", 42, 3584, 16, 8, 256, 14336, 256000, 0, 4, true, true, false, false, false, false, 9241705984},
    {"Qwen2.5-0.5B", 24, 896, 14, 2, 64, 4864, 151936, 0, 2, true, true, false, false, true, false, 494032768},
    {"Qwen2.5-7B", 28, 3584, 28, 4, 128, 18944, 152064, 0, 2, true, false, false, false, true, false, 7615616512},
    {"Qwen3-0.6B", 28, 1024, 16, 8, 128, 3072, 151936, 0, 2, true, true, false, true, false, false, 596049920},
    {"GPT-2", 12, 768, 12, 12, 64, 3072, 50257, 1024, 2, false, true, true, false, true, true, 124439808},
    {"GPT-2 medium", 24, 1024, 16, 16, 64, 4096, 50257, 1024, 2, false, true, true, false, true, true, 354823168},
    {"GPT-2 large", 36, 1280, 20, 20, 64, 5120, 50257, 1024, 2, false, true, true, false, true, true, 774030080},
    {"GPT-2 XL", 48, 1600, 25, 25, 64, 6400, 50257, 1024, 2, false, true, true, false, true, true, 1557611200},
};

struct Megatron {
    const char* name;
    std::int64_t layers, d_model, heads, micro_batch, micro_batches, pipeline, chunks;
    double state, baseline, selective; // GiB
};

// Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models" (arXiv 2205.05198), figure 1, as
// written out by the validation of Calculon (Isaev et al., SC 2023; calculon-ai/calculon, calculon/llm/validation.py
// and validation/seqsel/fig1): three figures for each of four models. Sequences of 2048, 8 tensor-parallel GPUs, 18
// bytes of state a parameter, matrices of the layers alone. Baseline: no recompute and no sequence parallelism;
// selective: both.
constexpr Megatron megatron[] = {
    {"22B", 48, 6144, 64, 4, 1, 1, 1, 45.5625, 59.25, 9.5625},
    {"175B", 96, 12288, 96, 1, 64, 8, 3, 45.5625, 66.84375, 12.3515625},
    {"530B", 105, 20480, 128, 1, 280, 35, 3, 31.640625, 114.0234375, 23.076171875},
    {"1T", 128, 25600, 160, 1, 512, 64, 1, 32.958984375, 131.25, 26.5625},
};

Items stage_of(const Megatron& model, bool sequence_parallel, std::int64_t recomputed) {
    return Items("first_stage", {{"layers", model.layers},
                                 {"d_model", model.d_model},
                                 {"heads", model.heads},
                                 {"sequence", whole(2048)},
                                 {"micro_batch", model.micro_batch},
                                 {"micro_batches", model.micro_batches},
                                 {"tensor", whole(8)},
                                 {"pipeline", model.pipeline},
                                 {"chunks", model.chunks},
                                 {"sequence_parallel", sequence_parallel},
                                 {"dropout", true},
                                 {"fp32_gradients", true},
                                 {"recomputed", recomputed}});
}

} // namespace

TEST_CASE("65536 cubed in bf16: 8 GiB each, 24 in all; backward 48, 40, 32 GiB") {
    const Values cube = product(65536, 65536, 65536, 16);
    const Items forward("forward", cube);
    for (const char* tensor : {"x", "w", "y"}) CHECK(forward[tensor] == 8 * gib);
    CHECK(forward["total_gib"] == 24);
    const double peaks[] = {48, 40, 32};
    for (std::int64_t policy = 0; policy < 3; ++policy)
        CHECK(Items("backward", with(cube, {{"policy", policy}, {"dx_first", false}}))["peak_gib"] == peaks[policy]);
    CHECK(Items("backward", with(cube, {{"policy", whole(2)}, {"dx_first", true}}))["peak_gib"] == 40);
}

TEST_CASE("ZeRO's table: 7.5e9 parameters on 64 GPUs") {
    // Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models" (SC 2020), figure 1.
    const double table[] = {120, 31.4, 16.6, 1.9};
    // 2 + 4 + 12 bytes in place of 2 + 2 + 12, by the same division.
    const double eighteen[] = {135, 46.41, 16.88, 2.11};
    for (std::int64_t stage = 0; stage < 4; ++stage) {
        CHECK(rounds_to(state(stage, false)["total_gb"], table[stage], 1));
        CHECK(rounds_to(state(stage, true)["total_gb"], eighteen[stage], 2));
    }
    CHECK(state(0, false)["total"] == 16 * 7.5e9);
    CHECK(state(0, true)["total"] == 18 * 7.5e9);
}

TEST_CASE("published models have as many parameters as they have") {
    for (const Published& m : published) {
        INFO(m.name);
        const Items count("parameters", {{"layers", m.layers},
                                         {"d_model", m.d_model},
                                         {"heads", m.heads},
                                         {"kv_heads", m.kv_heads},
                                         {"head_dim", m.head_dim},
                                         {"hidden", m.hidden},
                                         {"vocab", m.vocab},
                                         {"positions", m.positions},
                                         {"norms", m.norms},
                                         {"gated", m.gated},
                                         {"tied", m.tied},
                                         {"final_norm", true},
                                         {"norm_bias", m.norm_bias},
                                         {"qk_norm", m.qk_norm},
                                         {"qkv_bias", m.qkv_bias},
                                         {"dense_bias", m.dense_bias},
                                         {"bits", whole(16)}});
        CHECK(count["total"] == static_cast<double>(m.parameters));
        CHECK(count["total_gib"] == static_cast<double>(2 * m.parameters) / gib);
    }
}

TEST_CASE("the twelve memory figures of Megatron that Calculon's validation reproduces") {
    for (const Megatron& model : megatron) {
        INFO(model.name);
        const Items baseline = stage_of(model, false, 0), selective = stage_of(model, true, 1);
        CHECK(near(baseline["state"] / gib, model.state));
        CHECK(near(selective["state"] / gib, model.state));
        CHECK(near(baseline["activations"] / gib, model.baseline));
        CHECK(near(selective["activations"] / gib, model.selective));
    }
}

TEST_CASE("a GPT-3 layer's scores are 80 of 114") {
    // The paper's section 4.1: for GPT-3 5as/h = 80.
    const Items gpt3("activations", {{"layers", whole(96)},
                                     {"batch", whole(1)},
                                     {"sequence", whole(2048)},
                                     {"d_model", whole(12288)},
                                     {"heads", whole(96)},
                                     {"dropout", true},
                                     {"recomputed", whole(0)}});
    CHECK(gpt3["scores"] * 114 == gpt3["layer"] * 80);
    CHECK(gpt3["layer"] == 2048.0 * 12288 * 114);
}

TEST_CASE("Llama-3-8B caches 128 KiB a token") {
    // 2 tensors of 8 heads of 128, 2 bytes each, in 32 layers.
    const Items cache("kv_cache", {{"layers", whole(32)},
                                   {"d_model", whole(4096)},
                                   {"heads", whole(32)},
                                   {"kv_heads", whole(8)},
                                   {"head_dim", whole(128)},
                                   {"batch", whole(1)},
                                   {"tokens", whole(8192)},
                                   {"bits", whole(16)}});
    CHECK(cache["token"] == 128 * 1024);
    CHECK(cache["total_gib"] == 1);
}
