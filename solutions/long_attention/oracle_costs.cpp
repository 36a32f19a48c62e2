// Levels costs and crossover: FLOPs, exponentials, bytes and peak memory by the statement's table.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>
#include <initializer_list>

namespace assay::long_attention_judge {

namespace {

enum Method : std::int64_t { naive, blockwise, window, by_rank, linear_features, random_ones };

double count(const Problem& problem, const char* name) { return static_cast<double>(problem.integer(name)); }

bool all_positive(const Problem& problem, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return problem.integer(name) >= 1; });
}

bool in_range(const Problem& problem, std::int64_t method) {
    if (!all_positive(problem, {"tokens", "heads", "head_dim", "element_bytes"})) return false;
    switch (method) {
    case blockwise:
        return all_positive(problem, {"block"}) && problem.integer("tokens") % problem.integer("block") == 0;
    case window: return all_positive(problem, {"window"});
    case by_rank: return all_positive(problem, {"rank"});
    case random_ones: return all_positive(problem, {"features"});
    default: return true;
    }
}

/// What one head costs; bytes and peak in elements.
struct Head {
    double pairs = 0, prepare = 0, scores = 0, values = 0, exps = 0, bytes = 0, peak = 0;
};

double squared(std::int64_t length, const Slips& on) {
    const auto wrapped = static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(length);
    if (on("product-wraps", 0))
        return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(wrapped)));
    if (on("product-wraps", 1)) return static_cast<double>(static_cast<std::int64_t>(wrapped));
    return static_cast<double>(length) * static_cast<double>(length);
}

void attend(Head& head, double D, double mac) {
    head.scores = mac * D * head.pairs;
    head.values = mac * D * head.pairs;
}

Head head_of(const Problem& problem, std::int64_t method, const Slips& on) {
    const double L = count(problem, "tokens"), D = count(problem, "head_dim");
    const double mac = on("mac-as-one") ? 1 : 2;
    Head head;
    if (method == naive) {
        head.pairs = on("naive-halved") ? L * (L + 1) / 2 : squared(problem.integer("tokens"), on);
        attend(head, D, mac);
        head.exps = head.pairs;
        const double matrix = squared(problem.integer("tokens"), on);
        head.bytes = 4 * L * D + (on("matrix-moved-twice") ? 2 : 4) * matrix;
        head.peak = (on("one-matrix") ? 1 : 2) * matrix;
    } else if (method == blockwise) {
        const double B = count(problem, "block"), n = L / B;
        const double blocks = on("all-blocks") ? n * n : n * (n + 1) / 2;
        head.pairs = on("diagonal-halved") ? L * (L + 1) / 2 : blocks * B * B;
        attend(head, D, mac);
        head.exps = head.pairs + (on("rescaling-forgotten") ? 0 : blocks * B);
        head.bytes = 2 * L * D + (on("keys-read-once") ? 2 * L * D : 2 * B * D * blocks);
        head.peak = on("scores-in-full") ? L * L : B * B + B * D + 2 * B;
    } else if (method == window) {
        const double given = count(problem, "window"), w = on("window-not-cut") ? given : std::min(given, L);
        head.pairs = on("window-start-ignored") ? w * L : w * L - w * (w - 1) / 2;
        attend(head, D, mac);
        head.exps = head.pairs;
        head.bytes = 4 * L * D + (on("window-read-again") ? 2 * D * (head.pairs - L) : 0);
        head.peak = on("scores-in-full") ? w * L : w * (2 * D + 1);
    } else if (method == by_rank) {
        const double r = count(problem, "rank");
        head.pairs = L * r;
        head.prepare = on("projection-free") ? 0 : (on("one-projected") ? 1 : 2) * mac * L * r * D;
        if (on("projected-once-for-all-heads")) head.prepare /= count(problem, "heads");
        attend(head, D, mac);
        head.exps = head.pairs;
        head.bytes = 4 * L * D + 4 * r * D + (on("projections-unread") ? 0 : 2 * L * r);
        head.peak = 2 * r * D + (on("scores-in-full") ? L * r : r);
    } else {
        const bool mapped = method == random_ones;
        const double m = mapped || on("features-given") ? count(problem, "features") : D;
        if (mapped && !on("feature-map-free")) {
            const double maps = on("queries-unmapped") ? 1 : 2;
            head.prepare = maps * L * mac * (D * m + (on("norms-free") ? 0 : D));
        }
        head.scores = L * (mac * m * D + (on("normaliser-free") ? 0 : m));
        head.values = L * (mac * m * D + (on("normaliser-free") ? 0 : mac * m));
        head.exps = (on("queries-unmapped") ? 1 : 2) * L * m;
        head.bytes = 4 * L * D + (mapped ? m * D : 0);
        head.peak = on("state-for-every-token") ? L * (m * D + m) + 2 * m : state_elements(D, m, on);
    }
    return head;
}

} // namespace

double state_flops(double D, double m, bool mapped, const Slips& on) {
    const double mac = on("mac-as-one") ? 1 : 2;
    double flops = mac * m * D + (on("normaliser-free") ? 0 : m); // written, then read
    if (!on("values-forgotten")) flops += mac * m * D + (on("normaliser-free") ? 0 : mac * m);
    if (mapped && !on("feature-map-free"))
        flops += (on("queries-unmapped") ? 1 : 2) * mac * (D * m + (on("norms-free") ? 0 : D));
    return flops;
}

double state_elements(double D, double m, const Slips& on) {
    return m * D + (on("normaliser-free") ? 0 : m) + (on("features-not-held") ? 0 : 2 * m);
}

Truths costs(const Problem& problem, const Slips& on) {
    const std::int64_t method = problem.integer("how");
    const bool right = in_range(problem, method);
    Head head;
    // Where it is out of range for whole numbers, there is nothing that a mistake could compute.
    if (right || (method != blockwise || problem.integer("block") != 0)) head = head_of(problem, method, on);
    const double H = on("heads-forgotten") ? 1 : count(problem, "heads");
    const double e = on("bytes-as-elements") ? 1 : count(problem, "element_bytes");
    const double values = on("values-forgotten") ? 0 : H * head.values;
    double flops = H * head.prepare + H * head.scores + values;
    if (on("exps-as-flops")) flops += H * head.exps;
    const double bytes = H * e * head.bytes;
    Truths truths = Items()
                        .number("pairs", H * head.pairs)
                        .number("flops_prepare", H * head.prepare, "FLOP")
                        .number("flops_scores", H * head.scores, "FLOP")
                        .number("flops_values", values, "FLOP")
                        .number("flops", flops, "FLOP")
                        .number("exps", H * head.exps)
                        .number("bytes", bytes, "B")
                        .number("peak", H * e * head.peak, "B")
                        .number("intensity", flops / bytes, "FLOP/B")
                        .take();
    if (right || on("unchecked")) return truths;
    for (Truth& truth : truths) {
        truth.value = {unset};
        truth.bound = {0};
    }
    return truths;
}

bool is_decided(double above, double below) {
    const double ratio = above / below;
    if (!(ratio < 0x1p52)) return true;
    const double away = std::fabs(ratio - std::nearbyint(ratio));
    return away > 1e-9 * std::max(1.0, ratio) || (above < 0x1p53 && below < 0x1p53 && std::fmod(above, below) == 0);
}

Truths crossover(const Problem& problem, const Slips& on) {
    const double D = count(problem, "head_dim"), r = count(problem, "rank"), m = count(problem, "features");
    const double mac = on("mac-as-one") ? 1 : 2;
    const double products = on("values-forgotten") ? 1 : 2; // with keys, with values
    const double naive_token = products * mac * D * (on("naive-halved") ? 0.5 : 1);
    const double projected = on("projection-free") ? 0 : (on("one-projected") ? 1 : 2) * mac * r * D;
    const double rank_token = projected + products * mac * r * D;
    const double own = on("features-given") ? m : D;
    const double linear_token = state_flops(D, own, false, on), random_token = state_flops(D, m, true, on);
    const auto first = [&](double equal) {
        if (on("first-rounded", 0)) return std::ceil(equal);
        return on("first-rounded", 1) ? std::floor(equal) : std::floor(equal) + 1;
    };
    const double rank_equal = rank_token / naive_token, linear_equal = linear_token / naive_token;
    const double random_equal = random_token / naive_token;
    const double held = state_elements(D, own, on);
    const double memory_equal = std::sqrt(held / (on("one-matrix") ? 1 : 2));
    const double state = m * D + (on("normaliser-free") ? 0 : m);
    const double cache_equal = state / ((on("keys-alone-cached") ? 1 : 2) * D);
    Truths truths = Items()
                        .number("naive_token", naive_token, "FLOP")
                        .number("low_rank_token", rank_token, "FLOP")
                        .number("linear_token", linear_token, "FLOP")
                        .number("random_token", random_token, "FLOP")
                        .number("low_rank_equal", rank_equal, "tokens")
                        .number("low_rank_first", first(rank_equal), "tokens")
                        .number("linear_equal", linear_equal, "tokens")
                        .number("linear_first", first(linear_equal), "tokens")
                        .number("random_equal", random_equal, "tokens")
                        .number("random_first", first(random_equal), "tokens")
                        .number("memory_equal", memory_equal, "tokens")
                        .number("memory_first", first(memory_equal), "tokens")
                        .number("cache_equal", cache_equal, "tokens")
                        .number("cache_first", first(cache_equal), "tokens")
                        .take();
    if (all_positive(problem, {"head_dim", "rank", "features"}) || on("unchecked")) return truths;
    for (Truth& truth : truths) {
        truth.value = {unset};
        truth.bound = {0};
    }
    return truths;
}

} // namespace assay::long_attention_judge
