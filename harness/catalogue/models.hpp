// data/models.toml: transformer language models by their widths, and the parameters that these come to.
#ifndef ASSAY_CATALOGUE_MODELS_HPP
#define ASSAY_CATALOGUE_MODELS_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class AttentionBias { none, qkv, all };
enum class QkNorm { none, head, width };

struct Model {
    std::string name; // "llama-3-8b"
    std::string title;
    std::string source;
    std::int64_t layers = 0;
    std::int64_t d_model = 0;
    std::int64_t hidden = 0; // of the feed-forward network
    std::int64_t heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0; // heads * head_dim need not be d_model
    std::int64_t vocabulary = 0;
    bool tied = false;  // the output layer is the embedding matrix
    bool gated = false; // three matrices in the feed-forward network
    AttentionBias attention_bias = AttentionBias::none;
    bool ffn_bias = false;
    bool layer_norm = false; // weight and bias a channel; else RMSNorm, a weight
    std::int64_t norms_per_layer = 2;
    std::int64_t positions = 0; // rows of a learned position embedding; 0 = rotary
    QkNorm qk_norm = QkNorm::none;
    std::int64_t published = 0; // parameters, as published; 0 = not given
    bool published_exactly = false;
};

/// Where a model's parameters stand.
struct ParameterCount {
    std::int64_t embedding = 0; // tokens and learned positions
    std::int64_t attention = 0; // all layers
    std::int64_t ffn = 0;       // all layers
    std::int64_t norms = 0;     // all layers' and the last one; not those of q and k, which are attention's
    std::int64_t output = 0;    // 0 where it is tied
    std::int64_t total() const { return embedding + attention + ffn + norms + output; }
};

/// Exact: the loader bounds the widths so that nothing overflows.
ParameterCount count_parameters(const Model& model);

/// Reads a file of data/models.toml's form. Failure: one sentence with file, line, key, and how to mend it; also where
/// the widths do not come to the published count.
Outcome<std::vector<Model>> parse_models(std::string_view text, const std::string& file);

/// The models that were compiled in.
Outcome<std::vector<Model>> known_models();

} // namespace assay

#endif
