// The oracle of `roofline` against a second derivation on 200 random problems a function: counts from a layer and an
// all-reduce that are run at a small size, crossovers bisected, the inverse questions tried out.
#include "exercises/roofline/counted.hpp"
#include "exercises/roofline/reader.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

using namespace assay;
using namespace assay::roofline_test;

namespace {

using Real = long double;

/// A problem's numbers, by name.
struct Asked {
    explicit Asked(const Problem& problem) {
        for (const Field& field : problem.fields) {
            if (const auto* whole = std::get_if<std::int64_t>(&field.value)) numbers[field.name] = *whole;
            if (const auto* real = std::get_if<double>(&field.value)) numbers[field.name] = *real;
            if (const auto* flag = std::get_if<bool>(&field.value)) numbers[field.name] = *flag ? 1 : 0;
        }
    }
    std::map<std::string, Real> numbers;
    Real operator[](const char* name) const { return numbers.at(name); }
    Asked with(const char* name, Real value) const {
        Asked other = *this;
        other.numbers.at(name) = value;
        return other;
    }
    Real bytes() const { return numbers.count("bytes_per_element") != 0 ? numbers.at("bytes_per_element") : 2; }
};

struct Times {
    Real compute, memory, network;
};

/// Elements one of `n` GPUs sends of a tensor of one element, and its steps: counted up to n = 64, where a large ring
/// costs n² steps; beyond, from the law that the small ones obey (each GPU sends n-1 chunks of 1/n, twice).
Sent ring(std::int64_t n) {
    static std::map<std::int64_t, Sent> known;
    if (known.count(n) == 0) known[n] = n <= 64 ? run_ring(static_cast<int>(n), 1) : Sent{2 * n - 2, 2 * n - 2, true};
    return known[n];
}

Real ring_bytes(const Asked& asked) {
    return ring(static_cast<std::int64_t>(asked["gpus"])).elements / asked["gpus"] * asked["tokens"] *
           asked["d_model"] * asked.bytes();
}

/// Level 3 from what was counted.
struct Layer {
    explicit Layer(const Asked& a) {
        const Counted one = run_layer(1, 1, 1, a["gated"] != 0, a["fused"] != 0);
        const Real columns = a["hidden"] / a["gpus"];
        const bool inside = a["gpus"] <= a["gpus_per_node"];
        flops = one.flops * a["tokens"] * a["d_model"] * columns;
        weights = one.weights * a["d_model"] * columns * a.bytes();
        edges = one.edges * a["tokens"] * a["d_model"] * a.bytes();
        hiddens = one.hiddens * a["tokens"] * columns * a.bytes();
        sent = ring_bytes(a);
        steps = ring(static_cast<std::int64_t>(a["gpus"])).steps;
        rate = inside ? a["link_gb"] / 2 * 1e9L : a["network_gbit"] / 8 * 1e9L;
        times = {flops / (a["dense_tflops"] * 1e12L), (weights + edges + hiddens) / (a["memory_tb"] * 1e12L),
                 sent / rate + steps * (inside ? a["link_latency"] : a["network_latency"])};
    }
    Real flops, weights, edges, hiddens, sent, steps, rate;
    Times times{};
    Real time() const { return std::max(times.compute, times.memory) + times.network; }
};

int longest(const Times& t) {
    const Real all[] = {t.compute, t.memory, t.network};
    return static_cast<int>(std::max_element(all, all + 3) - all);
}

/// Where `ahead(T)`, above 0 at 0, falls to 0; infinity where it is still above at 1e25.
Real bisected(const std::function<Real(Real)>& ahead) {
    if (ahead(0) <= 0) return ahead(1) < 0 ? 0 : HUGE_VALL;
    Real low = 0, high = 1e25L;
    if (ahead(high) > 0) return HUGE_VALL;
    for (int i = 0; i < 200; ++i) {
        const Real middle = (low + high) / 2;
        (ahead(middle) > 0 ? low : high) = middle;
    }
    return high;
}

void expect(const Truths& truths, const std::string& name, Real value) {
    const Truth& truth = truth_of(truths, name);
    INFO(name << ": oracle " << truth.value.front() << ", second derivation " << static_cast<double>(value));
    if (std::isnan(value)) {
        CHECK(std::isnan(truth.value.front()));
        return;
    }
    if (std::isinf(value)) {
        CHECK(truth.value.front() == HUGE_VAL);
        return;
    }
    CHECK(std::fabs(static_cast<double>(value - static_cast<Real>(truth.value.front()))) <= truth.bound.front());
}

void expect_count(const Asked& a, const Truths& truths) {
    const Counted whole = run_layer(1, 1, 1, false, false); // all columns on one GPU
    const Real T = a["tokens"], d = a["d_model"], f = a["hidden"], n = a["gpus"];
    const Real flops = whole.flops * T * d * f, weights = 2 * whole.weights * d * f;
    const Real activations = 2 * (whole.edges * T * d + T * f); // level 1: the hidden tensor once
    const Times times{flops / n / (a["dense_tflops"] * 1e12L), (weights / n + activations) / (a["memory_tb"] * 1e12L),
                      ring_bytes(a) / (a["link_gb"] / 2 * 1e9L)};
    expect(truths, "peak_flops", a["dense_tflops"] * 1e12L);
    expect(truths, "hbm_bw", a["memory_tb"] * 1e12L);
    expect(truths, "link_bw", a["link_gb"] * 5e8L);
    expect(truths, "flops", flops);
    expect(truths, "weight_bytes", weights);
    expect(truths, "activation_bytes", activations);
    expect(truths, "network_bytes", ring_bytes(a));
    expect(truths, "t_compute", times.compute);
    expect(truths, "t_memory", times.memory);
    expect(truths, "t_network", times.network);
    expect(truths, "time", std::max({times.compute, times.memory, times.network}));
    expect(truths, "binds", longest(times));
}

void expect_cross(const Asked& a, const Truths& truths) {
    const Counted whole = run_layer(1, 1, 1, false, false);
    const Real d = a["d_model"], f = a["hidden"], n = a["gpus"];
    const Real peak = a["dense_tflops"] * 1e12L, bw = a["memory_tb"] * 1e12L;
    const auto flops = [&](Real T) { return whole.flops * T * d * f / n; };
    const auto weights = whole.weights * d * f / n * a.bytes();
    const auto activations = [&](Real T) { return (whole.edges * T * d + T * f) * a.bytes(); };
    const auto behind = [&](Real T) { return (weights + activations(T)) / bw - flops(T) / peak; };
    expect(truths, "ridge", peak / bw);
    expect(truths, "intensity", flops(a["tokens"]) / (weights + activations(a["tokens"])));
    expect(truths, "binds", behind(a["tokens"]) > 0 ? 1 : 0);
    expect(truths, "weight_tokens", bisected([&](Real T) { return weights / bw - flops(T) / peak; }));
    expect(truths, "activation_share", activations(1) / bw / (flops(1) / peak));
    const Real crossover = bisected(behind);
    expect(truths, "crossover", crossover);
    if (!std::isinf(crossover)) { // the least whole one, by trying its neighbours
        const Real least = static_cast<Real>(truth_of(truths, "least_tokens").value.front());
        CHECK(behind(least) <= 0);
        CHECK(behind(least - 1) > 0);
    }
}

void expect_refined(const Asked& a, const Truths& truths) {
    const Layer layer(a);
    expect(truths, "flops", layer.flops * a["gpus"]);
    expect(truths, "weight_bytes", layer.weights);
    expect(truths, "edge_bytes", layer.edges);
    expect(truths, "hidden_bytes", layer.hiddens);
    expect(truths, "network_bytes", layer.sent);
    expect(truths, "ring_bw", layer.rate);
    expect(truths, "steps", layer.steps);
    expect(truths, "t_compute", layer.times.compute);
    expect(truths, "t_memory", layer.times.memory);
    expect(truths, "t_network", layer.times.network);
    expect(truths, "time", layer.time());
    expect(truths, "binds", longest(layer.times));
}

void expect_group(const Asked& a, const Truths& truths) {
    const auto time = [&](std::int64_t n) { return Layer(a.with("gpus", static_cast<Real>(n))).time(); };
    std::vector<std::int64_t> worth; // all of them
    for (std::int64_t n = 2; n <= static_cast<std::int64_t>(a["gpus"]); ++n)
        if (1 - time(n) / time(n - 1) >= a["share"]) worth.push_back(n);
    expect(truths, "time_one", time(1));
    expect(truths, "size", worth.empty() ? 0 : static_cast<Real>(worth.back()));
    expect(truths, "time_before", worth.empty() ? NAN : time(worth.back() - 1));
    expect(truths, "time_at", worth.empty() ? NAN : time(worth.back()));
}

void expect_batch(const Asked& a, const Truths& truths) {
    const auto at = [&](Real tokens) { return Layer(a.with("tokens", tokens)).times; };
    expect(truths, "memory_tokens", bisected([&](Real T) { return at(T).memory - at(T).compute; }));
    expect(truths, "network_tokens", bisected([&](Real T) { return at(T).network - at(T).compute; }));
    const auto binds = [&](Real T) { return at(T).compute >= at(T).memory && at(T).compute >= at(T).network; };
    Real high = 1; // the least whole T, by doubling and halving
    while (!binds(high) && high < 1e15L) high *= 2;
    if (!binds(high)) return expect(truths, "tokens", HUGE_VALL);
    Real low = 0;
    while (high - low > 1) {
        const Real middle = std::floor((low + high) / 2);
        (binds(middle) ? high : low) = middle;
    }
    expect(truths, "tokens", high);
}

void expect_doubling(const Asked& a, const Truths& truths) {
    const bool inside = a["gpus"] <= a["gpus_per_node"];
    const char* changed[] = {"dense_tflops", "memory_tb", inside ? "link_gb" : "network_gbit", "gpus"};
    const char* items[] = {"time_peak", "time_memory", "time_link", "time_gpus"};
    const Real now = Layer(a).time();
    expect(truths, "time", now);
    Real shortest = now;
    int best = -1;
    for (int i = 0; i < 4; ++i) {
        const Real then = Layer(a.with(changed[i], 2 * a[changed[i]])).time();
        expect(truths, items[i], then);
        if (then < shortest) {
            shortest = then;
            best = i;
        }
    }
    expect(truths, "best", best);
    expect(truths, "halves", shortest <= now / 2 ? 1 : 0);
}

void expect_reducing(const Asked& a, const Truths& truths) {
    const Layer layer(a);
    const auto n = static_cast<std::int64_t>(a["gpus"]);
    const Sent inside = n == 1     ? Sent{0, 0, true}
                        : n <= 100 ? run_switch(static_cast<int>(n), 1)
                                   : Sent{n + 1, 2, true}; // n² chunks: too many to pass round
    const Real bytes = inside.elements / a["gpus"] * a["tokens"] * a["d_model"] * a.bytes();
    const Real time = bytes / layer.rate + inside.steps * a["link_latency"];
    expect(truths, "ring_bytes", layer.sent);
    expect(truths, "switch_bytes", bytes);
    expect(truths, "t_ring", layer.times.network);
    expect(truths, "t_switch", time);
    expect(truths, "best", n == 1 ? -1 : time < layer.times.network ? 1 : 0);
}

void expect_same(const Problem& problem) {
    const Asked asked(problem);
    const Truths truths = truths_of(problem);
    using Second = void (*)(const Asked&, const Truths&);
    static const std::map<std::string, Second> seconds{
        {"count", expect_count},         {"cross", expect_cross},       {"refine", expect_refined},
        {"largest_group", expect_group}, {"least_batch", expect_batch}, {"what_to_double", expect_doubling},
        {"reduce", expect_reducing},
    };
    seconds.at(problem.route)(asked, truths);
}

/// Whether the answer is that of invalid input: its last item of a choice or flag apart, all NaN.
bool is_answered(const Problem& problem) { return !std::isnan(truths_of(problem).front().value.front()); }

} // namespace

TEST_CASE("200 random problems a function come out of counting, bisecting and trying as well") {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const Problem problem = exercise().random(seed);
        if (seen[problem.route] == 200 || !is_answered(problem)) continue;
        ++seen[problem.route];
        INFO("random problem " << seed << ", " << problem.route);
        expect_same(problem);
    }
    CHECK(seen.size() == 7);
    for (const auto& [route, count] : seen) {
        INFO(route);
        CHECK(count == 200);
    }
}

TEST_CASE("so do all cases with valid input") {
    int asked = 0;
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) {
            const Problem problem = one.make(3);
            if (!is_answered(problem)) continue;
            INFO("case " << one.id);
            expect_same(problem);
            ++asked;
        }
    CHECK(asked > 50);
}
