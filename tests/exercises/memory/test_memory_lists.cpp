// The oracle of `memory` against a second derivation: tensors walked step by step, parameters listed matrix by matrix,
// shards counted element by element, the cache entry by entry.
#include "exercises/memory/ask.hpp"

#include <algorithm>
#include <map>

using namespace assay;
using namespace assay::memory_test;

namespace {

constexpr int draws = 200;

std::int64_t pick(Random& random, std::initializer_list<std::int64_t> from) {
    return from.begin()[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(from.size()) - 1))];
}

/// Adds up in bits, exactly.
struct Memory {
    std::map<std::string, std::int64_t> live;
    std::int64_t now() const {
        std::int64_t bits = 0;
        for (const auto& [name, size] : live) bits += size;
        return bits;
    }
    double bytes() const { return static_cast<double>(now()) / 8; }
};

/// The elements of a matrix, one by one.
std::int64_t elements(std::int64_t rows, std::int64_t columns) {
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) ++n;
    return n;
}

} // namespace

TEST_CASE("forward and backward, by allocating and freeing") {
    Random random(1, "matmul");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t m = random.integer(0, 40), k = random.integer(0, 40), n = random.integer(0, 40),
                           bits = pick(random, {1, 4, 12, 16, 32}), policy = random.integer(0, 2);
        const bool dx_first = random.chance(0.5);
        const std::int64_t x = bits * elements(m, k), w = bits * elements(k, n), y = bits * elements(m, n);
        Memory gpu;
        gpu.live = {{"X", x}, {"W", w}};
        gpu.live["Y"] = y;
        const Items forward("forward", product(m, k, n, bits));
        CHECK(forward["total"] == gpu.bytes());
        CHECK(forward["total_gib"] * gib == gpu.bytes());

        if (policy > 0) gpu.live.erase("Y");
        gpu.live["dY"] = y;
        std::map<std::string, double> during;
        const std::vector<std::string> steps =
            dx_first ? std::vector<std::string>{"dX", "dW"} : std::vector<std::string>{"dW", "dX"};
        for (std::size_t at = 0; at < 2; ++at) {
            gpu.live[steps[at]] = steps[at] == "dW" ? w : x;
            during[steps[at]] = gpu.bytes();
            if (policy == 2 && steps[at] == "dW") gpu.live.erase("X");
            if (policy > 0 && at == 1) gpu.live.erase("dY");
        }
        const Items backward("backward", with(product(m, k, n, bits), {{"policy", policy}, {"dx_first", dx_first}}));
        CHECK(backward["while_dw"] == during["dW"]);
        CHECK(backward["while_dx"] == during["dX"]);
        CHECK(backward["after"] == gpu.bytes());
        CHECK(backward["peak"] == std::max(during["dW"], during["dX"]));
    }
}

TEST_CASE("training state, by dealing each parameter's parts to the GPUs") {
    Random random(2, "state");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t parameters = random.integer(0, 3000), gpus = random.integer(1, 40),
                           stage = random.integer(0, 3);
        const bool wide = random.chance(0.5);
        const std::map<std::string, std::pair<int, std::int64_t>> parts{
            {"weights", {2, 3}}, {"gradients", {wide ? 4 : 2, 2}}, {"master", {4, 1}}, {"moments", {4 + 4, 1}}};
        const Items state("training_state",
                          {{"parameters", parameters}, {"gpus", gpus}, {"stage", stage}, {"fp32_gradients", wide}});
        double total = 0;
        for (const auto& [name, part] : parts) {
            std::vector<std::int64_t> held(static_cast<std::size_t>(gpus), 0);
            for (std::int64_t i = 0; i < parameters; ++i)
                for (std::int64_t gpu = 0; gpu < gpus; ++gpu)
                    if (stage < part.second || i % gpus == gpu) held[static_cast<std::size_t>(gpu)] += part.first;
            std::int64_t all = 0; // no GPU holds a fraction of an element: the share is their mean
            for (const std::int64_t one : held) all += one;
            const double mean = static_cast<double>(all) / static_cast<double>(gpus);
            CHECK(near(state[name], mean));
            total += mean;
        }
        CHECK(near(state["total"], total));
        CHECK(near(state["total_gb"] * 1e9, total));
    }
}

TEST_CASE("parameters, tensor by tensor") {
    Random random(3, "parameters");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t layers = random.integer(0, 5), d = random.integer(1, 30), kv_heads = random.integer(1, 4),
                           heads = kv_heads * random.integer(1, 4), dim = random.integer(1, 9),
                           hidden = random.integer(0, 60), vocab = random.integer(0, 70),
                           positions = random.integer(0, 20), norms = random.integer(0, 4),
                           bits = pick(random, {4, 8, 16, 32});
        const auto flag = [&] { return random.chance(0.5); };
        const bool gated = flag(), tied = flag(), final_norm = flag(), norm_bias = flag(), qk_norm = flag(),
                   qkv_bias = flag(), dense_bias = flag();
        std::vector<std::pair<std::string, std::int64_t>> tensors;
        const auto matrix = [&](const std::string& name, std::int64_t in, std::int64_t out, bool bias) {
            tensors.emplace_back(name + ".weight", elements(out, in));
            if (bias) tensors.emplace_back(name + ".bias", out);
        };
        const auto norm = [&](const std::string& name) {
            tensors.emplace_back(name + ".norm.weight", d);
            if (norm_bias) tensors.emplace_back(name + ".norm.bias", d);
        };
        tensors.emplace_back("embedding", elements(vocab, d));
        if (positions > 0) tensors.emplace_back("position", elements(positions, d));
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const std::string prefix = "layers." + std::to_string(layer) + ".";
            matrix(prefix + "q", d, heads * dim, qkv_bias);
            matrix(prefix + "k", d, kv_heads * dim, qkv_bias);
            matrix(prefix + "v", d, kv_heads * dim, qkv_bias);
            matrix(prefix + "o", heads * dim, d, dense_bias);
            matrix(prefix + "ffn.up", d, hidden, dense_bias);
            if (gated) matrix(prefix + "ffn.gate", d, hidden, dense_bias);
            matrix(prefix + "ffn.down", hidden, d, dense_bias);
            for (std::int64_t i = 0; i < norms; ++i) norm(prefix + std::to_string(i));
            if (qk_norm) tensors.emplace_back(prefix + "q.norm.weight", dim);
            if (qk_norm) tensors.emplace_back(prefix + "k.norm.weight", dim);
        }
        if (final_norm) norm("final");
        if (!tied) tensors.emplace_back("head", elements(vocab, d));
        const auto sum = [&](const std::string& start, const std::string& middle, const std::string& end) {
            double all = 0;
            for (const auto& [name, size] : tensors)
                if (name.rfind(start, 0) == 0 && name.find(middle) != std::string::npos && name.size() >= end.size() &&
                    name.compare(name.size() - end.size(), end.size(), end) == 0)
                    all += static_cast<double>(size);
            return all;
        };
        const Items count("parameters", {{"layers", layers},
                                         {"d_model", d},
                                         {"heads", heads},
                                         {"kv_heads", kv_heads},
                                         {"head_dim", dim},
                                         {"hidden", hidden},
                                         {"vocab", vocab},
                                         {"positions", positions},
                                         {"norms", norms},
                                         {"gated", gated},
                                         {"tied", tied},
                                         {"final_norm", final_norm},
                                         {"norm_bias", norm_bias},
                                         {"qk_norm", qk_norm},
                                         {"qkv_bias", qkv_bias},
                                         {"dense_bias", dense_bias},
                                         {"bits", bits}});
        CHECK(count["embedding"] == sum("embedding", "", ""));
        CHECK(count["position"] == sum("position", "", ""));
        CHECK(count["total"] == sum("", "", ""));
        CHECK(near(count["total_gib"] * gib * 8, sum("", "", "") * static_cast<double>(bits)));
        if (layers == 0) continue;
        const std::string first = "layers.0.";
        CHECK(count["norms"] == sum(first, "norm", ""));
        CHECK(count["biases"] == sum(first, "", ".bias") - sum(first, "norm.bias", ""));
        CHECK(count["ffn"] == sum(first, "ffn", ".weight"));
        CHECK(count["attention"] ==
              sum(first, "", ".weight") - sum(first, "ffn", ".weight") - sum(first, "norm", ".weight"));
        CHECK(count["layer"] == sum(first, "", ""));
    }
}

TEST_CASE("the key-value cache, entry by entry") {
    Random random(4, "cache");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t layers = random.integer(0, 6), kv_heads = random.integer(1, 4),
                           heads = kv_heads * random.integer(1, 5), dim = random.integer(1, 12),
                           batch = random.integer(0, 5), tokens = random.integer(0, 30),
                           bits = pick(random, {4, 8, 16, 32});
        std::int64_t token_in_layer = 0, token = 0, sequence = 0, total = 0; // bits
        for (std::int64_t b = 0; b < std::max<std::int64_t>(batch, 1); ++b)
            for (std::int64_t t = 0; t < std::max<std::int64_t>(tokens, 1); ++t)
                for (std::int64_t l = 0; l < std::max<std::int64_t>(layers, 1); ++l)
                    for (std::int64_t h = 0; h < kv_heads; ++h)
                        for (const char* kind : {"key", "value"}) {
                            const std::int64_t entry = bits * elements(*kind == 'k' ? 1 : dim, *kind == 'k' ? dim : 1);
                            const bool cached = l < layers;
                            if (b == 0 && t == 0 && l == 0) token_in_layer += entry;
                            if (b == 0 && t == 0 && cached) token += entry;
                            if (b == 0 && t < tokens && cached) sequence += entry;
                            if (b < batch && t < tokens && cached) total += entry;
                        }
        const Items cache("kv_cache", {{"layers", layers},
                                       {"d_model", random.integer(1, 99)},
                                       {"heads", heads},
                                       {"kv_heads", kv_heads},
                                       {"head_dim", dim},
                                       {"batch", batch},
                                       {"tokens", tokens},
                                       {"bits", bits}});
        CHECK(cache["token_in_layer"] * 8 == static_cast<double>(token_in_layer));
        CHECK(cache["token"] * 8 == static_cast<double>(token));
        CHECK(cache["sequence"] * 8 == static_cast<double>(sequence));
        CHECK(cache["total"] * 8 == static_cast<double>(total));
    }
}
