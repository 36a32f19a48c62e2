// What attention is timed on, and what each problem takes at the least. Content is uniform in [-√3, √3): as wide as the
// normal one of the cases, and quick to make while contestants wait.
#include "cases.hpp"

#include <cmath>
#include <cstring>

namespace assay::sdpa_judge {

namespace {

Array fresh(Dtype dtype, Index extents, Random& random) {
    Array array = Array::zeros(dtype, std::move(extents));
    const std::int64_t size = array.size();
    const double width = std::sqrt(12.0);
    if (dtype != Dtype::f32) {
        for_each_index(array.extents, [&](const Index& at) { array.set(at, width * (random.uniform() - 0.5)); });
        return array;
    }
    std::byte* to = array.storage.data();
    for (std::int64_t i = 0; i < size; ++i, to += sizeof(float)) {
        const auto value = static_cast<float>(width * (random.uniform() - 0.5));
        std::memcpy(to, &value, sizeof value);
    }
    return array;
}

Cost cost_of(const Problem& problem) {
    const Index &q = problem.array("q").extents, &k = problem.array("k").extents, &v = problem.array("v").extents;
    const auto rows = static_cast<double>(q[0] * q[1] * q[2]), D = static_cast<double>(q[3]);
    const auto Lq = static_cast<double>(q[2]), Lk = static_cast<double>(k[2]), Dv = static_cast<double>(v[3]);
    // Of a causal square, the pairs with j <= i + Lk - Lq.
    const double pairs = problem.flag("causal") ? rows * (Lk - (Lq - 1) / 2) : rows * Lk;
    Cost cost;
    cost.flops = pairs * 2 * (D + Dv); // q·k and weight·v
    cost.exponentials = pairs;
    for (const char* name : {"q", "k", "v", "out"}) {
        const Array& array = problem.array(name);
        cost.bytes += static_cast<double>(array.size()) * static_cast<double>(size_of(array.dtype));
    }
    cost.state_bytes = rows * (Dv + 2) * 4; // maximum, sum of weights and weighted sum of v a row
    return cost;
}

/// A few rows of queries see what they saw: of a causal problem, that is a mask of its own for each.
Problem rows_of(const Problem& problem, const Index& kept) {
    Problem part = problem;
    const std::int64_t Lq = problem.array("q").extents[2], Lk = problem.array("k").extents[2];
    for (const char* name : {"q", "out"}) {
        Field& field = *part.find(name);
        field.value = problem.array(name).take(2, kept);
    }
    if (!problem.flag("causal")) return part;
    part.find("causal")->value = false;
    *part.find("mask") = {"mask",
                          Array::generate(Dtype::boolean, {1, 1, static_cast<std::int64_t>(kept.size()), Lk},
                                          [&](const Index& at) {
                                              return at[3] <= kept[static_cast<std::size_t>(at[2])] + Lk - Lq ? 1. : 0.;
                                          }),
                          {"B", "Hq", "Lq", "Lk"}};
    return part;
}

Bench bench(std::string id, std::string why, const Shape& shape, bool causal = false,
            const std::string& route = "attention") {
    Bench one;
    one.id = std::move(id);
    one.why = std::move(why);
    one.make = [shape, causal, route, name = one.id](std::uint64_t seed) {
        Draft draft(route, {1, 1, 1, 1, 1, 1, 1}, seed, name);
        const Shape& s = shape;
        draft.shape = s;
        draft.q = fresh(draft.storage(), {s.B, s.Hq, s.Lq, s.D}, draft.random);
        draft.k = fresh(draft.storage(), {s.B, s.Hkv, s.Lk, s.D}, draft.random);
        draft.v = fresh(draft.storage(), {s.B, s.Hkv, s.Lk, s.Dv}, draft.random);
        draft.out = Array::zeros(Dtype::f32, {s.B, s.Hq, s.Lq, s.Dv});
        draft.causal = causal;
        return draft.problem();
    };
    one.cost = cost_of;
    if (shape.Lq > 4) {
        one.rows = "Lq";
        one.part = rows_of;
    }
    return one;
}

} // namespace

std::vector<Bench> benches() {
    std::vector<Bench> all;
    all.push_back(bench("1x8x1024x64", "eight heads of 1024 tokens: a short prompt", {1, 8, 8, 1024, 1024, 64, 64}));
    all.push_back(bench("1x8x4096x128", "eight heads of 4096 tokens: scores are 64 MiB a head, far more than a cache",
                        {1, 8, 8, 4096, 4096, 128, 128}));
    all.push_back(bench("causal-1x8x1024x64", "half the keys are in the future: a fast one leaves them out",
                        {1, 8, 8, 1024, 1024, 64, 64}, true));
    all.push_back(bench("decode-1x8x32768x128",
                        "one new token against a cache of 32768 keys, two heads of four: memory",
                        {1, 8, 2, 1, 32768, 128, 128}));
    all.push_back(
        bench("4x32x128x64", "128 small heads: work to share out before there is any", {4, 32, 32, 128, 128, 64, 64}));
    all.push_back(bench("2x6x509x40", "odd lengths and widths, grouped heads: no block divides them",
                        {2, 6, 3, 509, 521, 40, 56}));
    all.push_back(bench("f16-1x8x1024x64", "float16 storage, float32 inside", {1, 8, 8, 1024, 1024, 64, 64}, false,
                        "attention_f16"));
    all.push_back(bench("bf16-1x8x1024x64", "bfloat16 storage, float32 inside", {1, 8, 8, 1024, 1024, 64, 64}, false,
                        "attention_bf16"));
    return all;
}

std::vector<Growth> growths() {
    Growth growth;
    growth.id = "attention";
    growth.dimension = "Lq = Lk";
    growth.beside = "D = 8";
    growth.lengths = {256, 512, 1024, 2048, 4096};
    growth.at_once = 3; // some 30 ms with plain code; the longest would take seconds
    growth.make = [](std::int64_t length, std::uint64_t seed) {
        return bench("growth", "", {1, 1, 1, length, length, 8, 8}).make(seed);
    };
    growth.matrix = "a matrix of scores";
    growth.matrix_bytes = [](std::int64_t length) { return 4.0 * static_cast<double>(length * length); };
    growth.otherwise = "scores of all pairs are held at once, where a row of them, or a block, is enough";
    return {growth};
}

std::vector<SpeedLevel> speed_levels() {
    SpeedLevel speed;
    speed.id = "speed";
    speed.title = "As fast as the solution";
    speed.thresholds = {0.5, 0.8, 0.95};
    speed.benches = {"1x8x1024x64"};
    return {speed};
}

} // namespace assay::sdpa_judge
