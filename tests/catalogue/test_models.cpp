// models.toml: the widths come to the published parameter counts, and how a fault in such a file is told.
#include "catalogue/models.hpp"
#include "catch.hpp"

#include <map>

using namespace assay;

namespace {

const std::string good = R"(["mine-1.5"]
title = "Mine"
source = "its card"
layers = 2
d_model = 8
hidden = 24
heads = 4
kv_heads = 2
head_dim = 3
vocabulary = 100
tied = false
gated = true
attention_bias = "none"
ffn_bias = false
norm = "rms"
norms_per_layer = 2
positions = 0
qk_norm = "none"
)";

std::string with(const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::int64_t total(const std::string& text) {
    const auto models = parse_models(text, "my.toml");
    if (!models) FAIL(models.failure().reason);
    return count_parameters(models->front()).total();
}

std::string fault(const std::string& from, const std::string& to) {
    const auto models = parse_models(with(from, to), "my.toml");
    REQUIRE_FALSE(models.ok());
    return models.failure().reason;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

// From each model's safetensors index (total_size / 2) or model page, not from our file.
TEST_CASE("the widths come to the published counts, to the parameter") {
    const std::map<std::string, std::int64_t> published{
        {"gpt-2", 124'439'808},          {"gpt-2-xl", 1'557'611'200},         {"pythia-6.9b", 6'857'302'016},
        {"llama-2-7b", 6'738'415'616},   {"llama-2-13b", 13'015'864'320},     {"llama-3-8b", 8'030'261'248},
        {"llama-3-70b", 70'553'706'496}, {"llama-3.1-405b", 405'853'388'800}, {"llama-3.2-1b", 1'235'814'400},
        {"mistral-7b", 7'241'732'096},   {"gemma-2b", 2'506'172'416},         {"gemma-7b", 8'537'680'896},
        {"gemma-2-9b", 9'241'705'984},   {"qwen2.5-0.5b", 494'032'768},       {"qwen2.5-7b", 7'615'616'512},
        {"qwen2.5-72b", 72'706'203'648}, {"qwen3-0.6b", 596'049'920},         {"qwen3-8b", 8'190'735'360},
        {"olmo-2-7b", 7'298'617'344},    {"phi-3-mini", 3'821'079'552}};
    const auto models = known_models();
    if (!models) FAIL(models.failure().reason);
    std::size_t exact = 0;
    for (const Model& model : *models) {
        CAPTURE(model.name);
        const std::int64_t count = count_parameters(model).total();
        if (model.name == "gpt-3-175b") {
            REQUIRE_FALSE(model.published_exactly);
            REQUIRE(count == 174'604'259'328); // "175.0B" in the paper's table
            continue;
        }
        REQUIRE(published.count(model.name) == 1);
        REQUIRE(count == published.at(model.name));
        ++exact;
    }
    REQUIRE(exact == published.size());
}

TEST_CASE("each kind of parameter is counted") {
    // Layer: q 8*12, k and v 8*6 each, o 12*8, three matrices 8*24, two norms of 8. Then the last norm, two embeddings.
    const std::int64_t plain = 2 * (96 + 96 + 96 + 576 + 16) + 8 + 2 * 800;
    REQUIRE(total(good) == plain);
    REQUIRE(total(with("tied = false", "tied = true")) == plain - 800);
    REQUIRE(total(with("gated = true", "gated = false")) == plain - 2 * 192);
    REQUIRE(total(with("kv_heads = 2", "kv_heads = 4")) == plain + 2 * 96);
    REQUIRE(total(with("attention_bias = \"none\"", "attention_bias = \"qkv\"")) == plain + 2 * 24);
    REQUIRE(total(with("attention_bias = \"none\"", "attention_bias = \"all\"")) == plain + 2 * 32);
    REQUIRE(total(with("ffn_bias = false", "ffn_bias = true")) == plain + 2 * (48 + 8));
    REQUIRE(total(with("norm = \"rms\"", "norm = \"layer\"")) == plain + 2 * 16 + 8);
    REQUIRE(total(with("norms_per_layer = 2", "norms_per_layer = 4")) == plain + 2 * 16);
    REQUIRE(total(with("positions = 0", "positions = 10")) == plain + 80);
    REQUIRE(total(with("qk_norm = \"none\"", "qk_norm = \"head\"")) == plain + 2 * 6);
    REQUIRE(total(with("qk_norm = \"none\"", "qk_norm = \"width\"")) == plain + 2 * 18);
}

TEST_CASE("a count that the widths do not come to is told") {
    const std::string end = "qk_norm = \"none\"\n";
    REQUIRE(parse_models(good + "parameters = 3368\nparameters_are = \"exact\"\n", "f").ok());
    REQUIRE(parse_models(good + "parameters = 3350\nparameters_are = \"rounded\"\n", "f").ok());
    REQUIRE(parse_models(good + "parameters = 3369\nparameters_are = \"exact\"\n", "my.toml").failure().reason ==
            "my.toml, line 19: 'mine-1.5.parameters' is 3369, but the widths come to 3368; mend a width, or the count");
    REQUIRE_FALSE(parse_models(good + "parameters = 3300\nparameters_are = \"rounded\"\n", "f").ok());
    REQUIRE(has(parse_models(good + "parameters = 3368\n", "f").failure().reason, "parameters_are' is missing"));
}

TEST_CASE("a fault names file, line and key of a model") {
    REQUIRE(
        fault("heads = 4", "heads = 3") ==
        "my.toml, line 8: 'mine-1.5.kv_heads' must divide heads = 3, so that each serves as many query heads; it is 2");
    REQUIRE(fault("layers = 2", "layers = -2") ==
            "my.toml, line 4: 'mine-1.5.layers' must be a whole number from 1 to 10000; it is -2");
    REQUIRE(has(fault("layers = 2", "layers = 2.5"), "'mine-1.5.layers' must be a whole number"));
    REQUIRE(has(fault("layers = 2", "layers = nan"), "'mine-1.5.layers' must be a whole number"));
    REQUIRE(has(fault("layers = 2\n", ""), "line 1: 'mine-1.5.layers' is missing: it must be a whole number"));
    REQUIRE(has(fault("tied = false", "tied = 0"), "line 11: 'mine-1.5.tied' must be true or false"));
    REQUIRE(has(fault("hidden", "hiden"), "line 6: 'mine-1.5.hiden' is not a key known here; did you mean hidden?"));
    REQUIRE(has(fault("\"rms\"", "\"batch\""), "'mine-1.5.norm' must be \"rms\" or \"layer\"; it is \"batch\""));
    REQUIRE(has(fault("[\"mine-1.5\"]", "[mine-1.5]"), "quote a name that holds dots"));
    REQUIRE(has(parse_models("", "my.toml").failure().reason, "my.toml holds no model"));
}
