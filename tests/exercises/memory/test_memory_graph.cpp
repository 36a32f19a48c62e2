// The oracle of `memory` against a GPT block walked operation by operation: what each keeps for its backward pass, how
// it lies on a tensor group, and a pipeline schedule played forward by forward.
#include "exercises/memory/ask.hpp"
#include "exercises/memory/ring.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace assay;
using namespace assay::memory_test;

namespace {

constexpr int draws = 200;

/// A tensor of the block: bytes, whose it is, and whether a tensor group splits it by heads or columns.
struct Tensor {
    std::int64_t bytes;
    std::string part; // attention, scores, ffn, norms
    bool split;
};

struct Block {
    std::map<std::string, Tensor> tensors;
    std::set<std::string> kept; // by some operation, for its backward pass

    void keep(const std::string& name) {
        REQUIRE(tensors.count(name) == 1);
        kept.insert(name);
    }
};

/// Runs the block forward. Linear maps, norms and GELU keep their inputs, a matmul of two activations keeps both,
/// softmax keeps its output, dropout its mask (1 byte an element); everything else has 2 bytes.
Block run_block(std::int64_t s, std::int64_t b, std::int64_t h, std::int64_t a, bool dropout) {
    Block block;
    auto& t = block.tensors;
    std::int64_t wide = 0, square = 0;
    for (std::int64_t token = 0; token < s * b; ++token) wide += h;
    for (std::int64_t sequence = 0; sequence < b; ++sequence)
        for (std::int64_t head = 0; head < a; ++head) square += s * s;
    t["x"] = {2 * wide, "norms", false};
    t["normed 1"] = {2 * wide, "attention", false};
    for (const char* name : {"q", "k", "v", "context"}) t[name] = {2 * wide, "attention", true};
    t["scores"] = {2 * square, "scores", true};
    t["weights"] = {2 * square, "scores", true};
    t["weights' mask"] = {square, "scores", true};
    t["dropped weights"] = {2 * square, "scores", true};
    t["attention's mask"] = {wide, "attention", false};
    t["middle"] = {2 * wide, "norms", false};
    t["normed 2"] = {2 * wide, "ffn", false};
    t["up"] = {2 * 4 * wide, "ffn", true};
    t["activated"] = {2 * 4 * wide, "ffn", true};
    t["ffn's mask"] = {wide, "ffn", false};

    block.keep("x");        // first norm
    block.keep("normed 1"); // q, k, v
    block.keep("q");        // q kᵀ
    block.keep("k");
    block.keep("weights"); // softmax
    if (dropout) block.keep("weights' mask");
    block.keep(dropout ? "dropped weights" : "weights"); // weights v
    block.keep("v");
    block.keep("context"); // projection
    if (dropout) block.keep("attention's mask");
    block.keep("middle");    // second norm
    block.keep("normed 2");  // first feed-forward matrix
    block.keep("up");        // GELU
    block.keep("activated"); // second feed-forward matrix
    if (dropout) block.keep("ffn's mask");
    return block;
}

double kept_bytes(const Block& block, const std::string& part) {
    std::int64_t bytes = 0;
    for (const std::string& name : block.kept)
        if (part.empty() || block.tensors.at(name).part == part) bytes += block.tensors.at(name).bytes;
    return static_cast<double>(bytes);
}

/// Drops what is computed again.
void recompute(Block& block, std::int64_t how) {
    std::set<std::string> left;
    for (const std::string& name : block.kept)
        if (how == 0 || (how == 1 && block.tensors.at(name).part != "scores") || name == "x") left.insert(name);
    block.kept = left;
}

/// The first stage's schedule in 1F1B or its interleaved form (Narayanan et al., SC 2021, arXiv 2104.04473): warm-up
/// forwards, then one forward and one backward in turn. Gives the most forwards without their backward.
std::int64_t most_in_flight(std::int64_t stages, std::int64_t chunks, std::int64_t batches) {
    const std::int64_t forwards = batches * chunks;
    std::int64_t warm_up = stages - 1;
    if (chunks > 1) {
        // A chunk's last stage hands its micro-batches on as chunk + 1's first; the backward of the first micro-batch
        // comes back after the last chunk has run the way down and up the stages.
        warm_up = 0;
        for (std::int64_t chunk = 1; chunk < chunks; ++chunk) warm_up += stages;
        warm_up += 2 * (stages - 1);
    }
    std::int64_t begun = std::min(warm_up, forwards), ended = 0, most = begun;
    while (ended < forwards) {
        if (begun < forwards) ++begun;
        most = std::max(most, begun - ended);
        ++ended;
    }
    return most;
}

} // namespace

TEST_CASE("activations, by what each operation keeps") {
    Random random(5, "activations");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t layers = random.integer(0, 9), b = random.integer(0, 4), s = random.integer(0, 12),
                           h = random.integer(1, 40), a = random.integer(1, 8), how = random.integer(0, 2);
        const bool dropout = random.chance(0.5);
        Block block = run_block(s, b, h, a, dropout);
        const Items items("activations", {{"layers", layers},
                                          {"batch", b},
                                          {"sequence", s},
                                          {"d_model", h},
                                          {"heads", a},
                                          {"dropout", dropout},
                                          {"recomputed", how}});
        for (const char* part : {"attention", "scores", "ffn", "norms"}) CHECK(items[part] == kept_bytes(block, part));
        CHECK(items["layer"] == kept_bytes(block, ""));
        recompute(block, how);
        CHECK(items["kept"] == kept_bytes(block, ""));
        CHECK(items["total"] == static_cast<double>(layers) * kept_bytes(block, ""));
    }
}

TEST_CASE("a first stage, by tensors on ranks and a schedule played") {
    Random random(6, "stage");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t tensor = random.integer(1, 5), stages = random.integer(1, 6),
                           chunks = random.chance(0.5) ? 1 : random.integer(2, 4), each = random.integer(1, 3),
                           layers = stages * chunks * each, a = tensor * random.integer(1, 4),
                           h = tensor * random.integer(1, 9), b = random.integer(1, 3), how = random.integer(0, 2);
        const bool along = random.chance(0.5), dropout = random.chance(0.5), wide = random.chance(0.5);
        const std::int64_t s = (along ? tensor : 1) * random.integer(1, 7),
                           batches = (chunks > 1 ? stages : 1) * random.integer(1, 9);
        const Items items("first_stage", {{"layers", layers},
                                          {"d_model", h},
                                          {"heads", a},
                                          {"sequence", s},
                                          {"micro_batch", b},
                                          {"micro_batches", batches},
                                          {"tensor", tensor},
                                          {"pipeline", stages},
                                          {"chunks", chunks},
                                          {"sequence_parallel", along},
                                          {"dropout", dropout},
                                          {"fp32_gradients", wide},
                                          {"recomputed", how}});

        // Layers in turn to stages, chunk by chunk; each matrix's columns or rows in turn to ranks.
        std::int64_t on_first = 0, parameters = 0;
        for (std::int64_t layer = 0; layer < layers; ++layer)
            if (layer / each % stages == 0) ++on_first;
        for (std::int64_t column = 0; column < h; ++column)
            if (column % tensor == 0) parameters += 4 * h + 4 * h + 4 * h; // q, k, v, o, and 4 of up and of down
        parameters *= on_first;
        CHECK(items["parameters"] == static_cast<double>(parameters));
        std::int64_t state = 0;
        for (const std::int64_t bytes : {2, wide ? 4 : 2, 4, 4, 4}) state += bytes * parameters;
        CHECK(items["state"] == static_cast<double>(state));

        Block block = run_block(s, b, h, a, dropout);
        recompute(block, how);
        double kept = 0;
        for (const std::string& name : block.kept) {
            const Tensor& one = block.tensors.at(name);
            const bool shared = one.split || along;
            kept += static_cast<double>(one.bytes) / static_cast<double>(shared ? tensor : 1);
        }
        CHECK(near(items["kept"], kept));
        const auto in_flight = static_cast<double>(most_in_flight(stages, chunks, batches) * each);
        CHECK(items["in_flight"] == in_flight);
        CHECK(near(items["activations"], kept * in_flight));
        CHECK(near(items["total"], kept * in_flight + static_cast<double>(state)));

        const double message = static_cast<double>(2 * s * b * h);
        double sent = 0;
        for (std::int64_t layer = 0; layer < on_first; ++layer)
            for (const char* half : {"attention", "ffn"}) {
                INFO(half);
                for (int pass = 0; pass < (how == 2 ? 3 : 2); ++pass) // forward, backward, forward again
                    sent += along ? gather_bytes(tensor, message) + gather_bytes(tensor, message)
                                  : reduce_bytes(tensor, message);
                if (along) sent += gather_bytes(tensor, message); // the split input, whole for the weights' gradient
            }
        CHECK(near(items["sent_tensor"], sent));
        double crossing = 0;
        for (std::int64_t layer = 0; layer + 1 < layers; ++layer)
            if (layer / each % stages == 0 && (layer + 1) / each % stages == 1)
                crossing += 2 * message / static_cast<double>(along ? tensor : 1);
        CHECK(near(items["sent_pipeline"], crossing));
    }
}
