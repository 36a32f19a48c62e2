// Levels 1 and 2, and the choice of the route.
#include "oracle.hpp"

#include "oracle_items.hpp"
#include "oracle_model.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay::roofline_judge {

double catch_up(double ahead, double slope, double other, const Slips& on) {
    if (!(slope > other) && !on("never-as-negative")) return std::numeric_limits<double>::infinity();
    return ahead / (slope - other);
}

double whole_tokens(double tokens, const Slips& on) {
    if (on("crossover-rounded", 0)) return std::floor(tokens);
    if (on("crossover-rounded", 1)) return std::round(tokens);
    return std::ceil(tokens);
}

namespace {

/// Levels 1 and 2. Wraps where integers are multiplied: a hidden row that is a fraction is none.
double activation_bytes(const Inputs& in, std::int64_t bytes, const Slips& on) {
    if (on("integer-overflow") && !on("hidden-sharded-early"))
        return product({in.tokens, 2 * in.d_model + (on("hidden-forgotten") ? 0 : in.hidden), bytes}, on);
    return static_cast<double>(in.tokens) * activation_row(in, on) * static_cast<double>(bytes);
}

} // namespace

Truths count_items(const Inputs& in, const Slips& on, bool known) {
    const auto n = static_cast<double>(in.gpus);
    const std::int64_t b = element_bytes(2, on);
    const double peak = peak_flops(in, on), memory = hbm_bw(in, on), link = link_bw(in, on);
    const double flops = product({per_multiply_add(on), matmuls(on), in.tokens, in.d_model, in.hidden}, on);
    const double weights = product({matrices(on), in.d_model, in.hidden, b}, on);
    const double activations = activation_bytes(in, b, on);
    const double sent =
        ring_share(n, on) * static_cast<double>(in.tokens) * reduced_row(in, on) * static_cast<double>(b);
    const double read = on("activations-forgotten") ? 0 : activations / (on("activations-divided") ? n : 1);
    const double t_compute = flops / (on("compute-not-divided") ? 1 : n) / peak;
    const double t_memory = (weights / (on("weights-not-divided") ? 1 : n) + read) / memory;
    const double t_network = sent / link;
    const double time =
        on("sum-for-max") ? t_compute + t_memory + t_network : std::max({t_compute, t_memory, t_network});
    const auto item = [&](double value) { return known ? value : unset; };
    return Items()
        .number("peak_flops", item(peak), "FLOP/s")
        .number("hbm_bw", item(memory), "B/s")
        .number("link_bw", item(link), "B/s")
        .number("flops", item(flops), "FLOP")
        .number("weight_bytes", item(weights), "B")
        .number("activation_bytes", item(activations), "B")
        .number("network_bytes", item(sent), "B")
        .number("t_compute", item(t_compute), "s")
        .number("t_memory", item(t_memory), "s")
        .number("t_network", item(t_network), "s")
        .number("time", item(time), "s")
        .choice("binds", known ? longest(t_compute, t_memory, t_network, on) : -1, resources)
        .take();
}

Truths cross_items(const Inputs& in, const Slips& on, bool known) {
    const auto n = static_cast<double>(in.gpus), d = static_cast<double>(in.d_model),
               f = static_cast<double>(in.hidden);
    const std::int64_t whole_b = element_bytes(in.bytes_per_element, on);
    const auto b = static_cast<double>(whole_b);
    const double ridge = peak_flops(in, on) / hbm_bw(in, on) * (on("ridge-per-element") ? b : 1);
    const double compute_by = on("compute-not-divided") ? 1 : n, weights_by = on("weights-not-divided") ? 1 : n,
                 activations_by = on("activations-divided") ? n : 1;
    const double row = on("activations-forgotten") ? 0 : activation_row(in, on);

    const double flops = product({per_multiply_add(on), matmuls(on), in.tokens, in.d_model, in.hidden}, on);
    const double weights = product({matrices(on), in.d_model, in.hidden, whole_b}, on);
    const double activations = on("activations-forgotten") ? 0 : activation_bytes(in, whole_b, on);
    const double intensity = flops / compute_by / (weights / weights_by + activations / activations_by);

    const double a_token = static_cast<double>(per_multiply_add(on) * matmuls(on)) * d * f / compute_by; // FLOP
    const double weight_read = static_cast<double>(matrices(on)) * d * f * b / weights_by;               // B
    double weight_tokens = ridge * weight_read / a_token;
    if (on("bytes-ignored", 1)) weight_tokens = ridge;
    double share = ridge * row * b / activations_by / a_token;
    if (on("crossover-n-forgotten")) share /= n;
    double crossover = catch_up(weight_tokens, 1, share, on);
    if (on("crossover-without-activations")) crossover = weight_tokens;
    // 1 - share cancels where share is near 1.
    const double scale = std::isfinite(crossover) ? crossover / (1 - share) : 0;
    const auto item = [&](double value) { return known ? value : unset; };
    const std::int64_t binds = longest(intensity, ridge, 0, on);
    return Items()
        .number("ridge", item(ridge), "FLOP/B")
        .number("intensity", item(intensity), "FLOP/B")
        .choice("binds", known ? binds : -1, resources)
        .number("weight_tokens", item(weight_tokens), "tokens")
        .number("activation_share", item(share))
        .number("crossover", item(crossover), "tokens", 32, scale)
        .number("least_tokens", item(whole_tokens(crossover, on)), "tokens", 0)
        .take();
}

Truths oracle(const Problem& problem, const Slips& on) {
    const bool known = in_domain(problem, on);
    const Inputs in = known ? inputs_of(problem) : Inputs(); // counts out of range would overflow
    if (problem.route == "count") return count_items(in, on, known);
    if (problem.route == "cross") return cross_items(in, on, known);
    if (problem.route == "refine") return refine_items(in, on, known);
    if (problem.route == "largest_group") return group_items(in, on, known);
    if (problem.route == "least_batch") return batch_items(in, on, known);
    if (problem.route == "what_to_double") return doubling_items(in, on, known);
    if (problem.route == "reduce") return reduce_items(in, on, known);
    throw std::logic_error("roofline has no route " + problem.route);
}

} // namespace assay::roofline_judge
