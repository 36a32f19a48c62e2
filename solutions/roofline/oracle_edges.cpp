// Which problems may be asked: those whose answer no rounding decides.
#include "oracle.hpp"
#include "oracle_items.hpp"
#include "oracle_model.hpp"

#include <algorithm>
#include <cmath>

namespace assay::roofline_judge {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 40;

bool has_fields(const Problem& problem) {
    const auto has = [&](std::initializer_list<const char*> names) {
        return std::all_of(names.begin(), names.end(), [&](const char* name) { return problem.has(name); });
    };
    if (!has({"tokens", "d_model", "hidden", "gpus", "dense_tflops", "sparse_tflops", "memory_tb", "link_gb"}))
        return false;
    if (problem.route == "count") return true;
    if (!has({"bytes_per_element"})) return false;
    if (problem.route == "cross") return true;
    if (!has({"gpus_per_node", "network_gbit", "link_latency", "network_latency", "gated", "fused"})) return false;
    return problem.route != "largest_group" || has({"share"});
}

/// Of the sizes that the statement promises.
bool is_sized(const Inputs& in, std::string_view route) {
    const auto rate = [](double x) { return x >= 1e-6 && x <= 1e9; };
    return std::max({in.tokens, in.d_model, in.hidden, in.gpus, in.gpus_per_node}) <= most &&
           in.bytes_per_element <= 64 && rate(in.dense_tflops) && rate(in.sparse_tflops) && rate(in.memory_tb) &&
           rate(in.link_gb) && rate(in.network_gbit) && in.link_latency <= 1 && in.network_latency <= 1 &&
           (route != "largest_group" || in.gpus <= 4096);
}

bool apart(double a, double b) { return std::fabs(a - b) > 1e-9 * std::max(std::fabs(a), std::fabs(b)); }
/// Equal is decided too, where it comes of small whole numbers.
bool apart_or_equal(double a, double b) { return a == b || apart(a, b); }

bool longest_decided(double a, double b, double c) {
    const double top = std::max({a, b, c});
    return apart_or_equal(top, a) && apart_or_equal(top, b) && apart_or_equal(top, c);
}

bool tokens_decided(double tokens) {
    if (std::isinf(tokens)) return true;
    return tokens < 1e9 && std::fabs(tokens - std::round(tokens)) > 1e-4;
}

double value_of(const Truths& truths, std::string_view name) {
    const auto at = std::find_if(truths.begin(), truths.end(), [&](const Truth& truth) { return truth.name == name; });
    return at->value.front();
}

bool group_decided(const Inputs& in) {
    double last = 0;
    for (Inputs with = in; with.gpus >= 1; --with.gpus) { // from the largest down: last is of one GPU more
        const double now = terms_of(with, {}).time;
        if (with.gpus < in.gpus && !apart(last, (1 - in.share) * now)) return false;
        last = now;
    }
    return true;
}

bool batch_decided(const Inputs& in) {
    Inputs token = in;
    token.tokens = 1;
    const Terms t = terms_of(token, {});
    const Truths truths = batch_items(in, {}, true);
    const auto clear = [&](double other) { return std::fabs(t.t_compute - other) > 1e-3 * t.t_compute; };
    return clear(t.t_activations) && clear(t.t_transfer) &&
           tokens_decided(std::max(value_of(truths, "memory_tokens"), value_of(truths, "network_tokens")));
}

bool doubling_decided(const Truths& truths) {
    const double now = value_of(truths, "time");
    std::vector<double> times{value_of(truths, "time_peak"), value_of(truths, "time_memory"),
                              value_of(truths, "time_link"), value_of(truths, "time_gpus")};
    std::sort(times.begin(), times.end());
    return apart(times[0], times[1]) && apart(times[0], now) && apart_or_equal(times[0], now / 2);
}

} // namespace

bool valid(const Problem& problem) {
    if (!has_fields(problem)) return false;
    if (!in_domain(problem, {})) return true;
    const Inputs in = inputs_of(problem);
    if (!is_sized(in, problem.route)) return false;
    if (problem.route == "largest_group") return group_decided(in);
    if (problem.route == "least_batch") return batch_decided(in);
    const Truths truths = oracle(problem, {});
    const auto item = [&](const char* name) { return value_of(truths, name); };
    if (problem.route == "what_to_double") return doubling_decided(truths);
    if (problem.route == "reduce") return in.gpus == 1 || apart(item("t_ring"), item("t_switch"));
    if (problem.route == "cross")
        return apart(item("intensity"), item("ridge")) && std::fabs(1 - item("activation_share")) > 1e-3 &&
               tokens_decided(item("crossover"));
    return longest_decided(item("t_compute"), item("t_memory"), item("t_network"));
}

} // namespace assay::roofline_judge
