#include "catalogue/models.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/strict_table.hpp"

#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

constexpr double rounded_within = 0.01; // GPT-3's widths come to 174.6e9, published as 175e9

AttentionBias attention_bias(const std::string& name) {
    return name == "none" ? AttentionBias::none : name == "qkv" ? AttentionBias::qkv : AttentionBias::all;
}

QkNorm qk_norm(const std::string& name) {
    return name == "none" ? QkNorm::none : name == "head" ? QkNorm::head : QkNorm::width;
}

void read_published(const StrictTable& table, Model& model) {
    if (!table.has("parameters") && !table.has("parameters_are")) return;
    model.published = table.whole("parameters", 1, std::int64_t{1} << 60);
    model.published_exactly = table.one_of("parameters_are", {"exact", "rounded"}) == "exact";
    const std::int64_t counted = count_parameters(model).total();
    const double off = std::abs(static_cast<double>(counted) / static_cast<double>(model.published) - 1);
    if (model.published_exactly ? counted != model.published : !(off <= rounded_within))
        table.fault("parameters", fmt::format("is {}, but the widths come to {}; mend a width, or the count",
                                              model.published, counted));
}

Model read_model(const StrictTable& table) {
    if (!table.tables().empty())
        table.fault(table.tables().front().name(), "is a section inside a section; quote a name that holds dots, as in "
                                                   "[\"llama-3.2-1b\"]");
    table.only({"title", "source", "layers", "d_model", "hidden", "heads", "kv_heads", "head_dim", "vocabulary", "tied",
                "gated", "attention_bias", "ffn_bias", "norm", "norms_per_layer", "positions", "qk_norm", "parameters",
                "parameters_are"});
    Model m;
    m.name = table.name();
    m.title = table.text("title");
    m.source = table.text("source");
    // Bounds keep every product far from 2^63: layers 1e4 * (widths 1e6 * 1e7) = 1e17.
    m.layers = table.whole("layers", 1, 10'000);
    m.d_model = table.whole("d_model", 1, 1'000'000);
    m.hidden = table.whole("hidden", 1, 10'000'000);
    m.heads = table.whole("heads", 1, 10'000);
    m.kv_heads = table.whole("kv_heads", 1, 10'000);
    m.head_dim = table.whole("head_dim", 1, 1'000);
    m.vocabulary = table.whole("vocabulary", 1, 100'000'000);
    m.tied = table.truth("tied");
    m.gated = table.truth("gated");
    m.attention_bias = attention_bias(table.one_of("attention_bias", {"none", "qkv", "all"}));
    m.ffn_bias = table.truth("ffn_bias");
    m.layer_norm = table.one_of("norm", {"rms", "layer"}) == "layer";
    m.norms_per_layer = table.whole("norms_per_layer", 0, 16);
    m.positions = table.whole("positions", 0, 100'000'000);
    m.qk_norm = qk_norm(table.one_of("qk_norm", {"none", "head", "width"}));
    if (m.heads % m.kv_heads != 0)
        table.fault("kv_heads", fmt::format("must divide heads = {}, so that each serves as many query heads; it is {}",
                                            m.heads, m.kv_heads));
    read_published(table, m);
    return m;
}

} // namespace

ParameterCount count_parameters(const Model& m) {
    const std::int64_t q = m.heads * m.head_dim, kv = m.kv_heads * m.head_dim, d = m.d_model;
    const std::int64_t norm = d * (m.layer_norm ? 2 : 1);

    std::int64_t attention = d * q + 2 * d * kv + q * d;
    if (m.attention_bias != AttentionBias::none) attention += q + 2 * kv;
    if (m.attention_bias == AttentionBias::all) attention += d;
    if (m.qk_norm == QkNorm::head) attention += 2 * m.head_dim;
    if (m.qk_norm == QkNorm::width) attention += q + kv;

    const std::int64_t into = m.gated ? 2 : 1; // matrices from d to hidden
    const std::int64_t ffn = (into + 1) * d * m.hidden + (m.ffn_bias ? into * m.hidden + d : 0);

    ParameterCount count;
    count.embedding = m.vocabulary * d + m.positions * d;
    count.attention = m.layers * attention;
    count.ffn = m.layers * ffn;
    count.norms = (m.layers * m.norms_per_layer + 1) * norm;
    count.output = m.tied ? 0 : m.vocabulary * d;
    return count;
}

Outcome<std::vector<Model>> parse_models(std::string_view text, const std::string& file) {
    const Outcome<StrictTable> parsed = parse_strict(text, file);
    if (!parsed) return parsed.failure();
    try {
        parsed->only_tables("the model's name in brackets, as in [llama-3-8b]");
        std::vector<Model> models;
        for (const StrictTable& table : parsed->tables()) models.push_back(read_model(table));
        if (models.empty())
            return Failure{Verdict::JE, file + " holds no model: add a section, as in [llama-3-8b], with its widths"};
        return models;
    } catch (const TableFault& fault) {
        return Failure{Verdict::JE, fault.sentence};
    }
}

Outcome<std::vector<Model>> known_models() {
    const auto text = embedded("data/models.toml");
    if (!text) return Failure{Verdict::JE, "data/models.toml is missing from this build: build Assay again"};
    return parse_models(*text, "data/models.toml");
}

} // namespace assay
