// Level 3, level 4 (which asks the same model backwards), and the bonus.
#include "oracle_items.hpp"
#include "oracle_model.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>

namespace assay::roofline_judge {

Truths refine_items(const Inputs& in, const Slips& on, bool known) {
    const Terms t = terms_of(in, on);
    const auto item = [&](double value) { return known ? value : unset; };
    return Items()
        .number("flops", item(t.flops), "FLOP")
        .number("weight_bytes", item(t.weight_bytes), "B")
        .number("edge_bytes", item(t.edge_bytes), "B")
        .number("hidden_bytes", item(t.hidden_bytes), "B")
        .number("network_bytes", item(t.network_bytes), "B")
        .number("ring_bw", item(t.ring_bw), "B/s")
        .number("steps", item(t.steps))
        .number("t_compute", item(t.t_compute), "s")
        .number("t_memory", item(t.t_memory), "s")
        .number("t_network", item(t.t_network), "s")
        .number("time", item(t.time), "s")
        .choice("binds", known ? t.binds : -1, resources)
        .take();
}

Truths group_items(const Inputs& in, const Slips& on, bool known) {
    const auto time = [&](std::int64_t n) {
        Inputs with = in;
        with.gpus = n;
        return terms_of(with, on).time;
    };
    const double one = time(1);
    std::int64_t size = 0;
    double before = unset, at = unset, last = one;
    for (std::int64_t n = 2; n <= in.gpus; ++n) {
        const double now = time(n);
        const double left = (on("share-left") ? in.share : 1 - in.share) * (on("against-one-gpu") ? one : last);
        if (now <= left) {
            size = n;
            before = last;
            at = now;
        } else if (on("stops-early")) {
            break;
        }
        last = now;
    }
    if (on("one-for-none") && size == 0) size = 1;
    const auto item = [&](double value) { return known ? value : unset; };
    return Items()
        .number("time_one", item(one), "s")
        .whole("size", known ? size : unset_integer, "GPUs")
        .number("time_before", item(before), "s")
        .number("time_at", item(at), "s")
        .take();
}

Truths batch_items(const Inputs& in, const Slips& on, bool known) {
    Inputs token = in;
    token.tokens = 1;
    const Terms t = terms_of(token, on); // each time of a token, beside what does not grow with tokens
    const double activations = on("crossover-without-activations") ? 0 : t.t_activations;
    const double memory = catch_up(t.t_weights, t.t_compute, activations, on);
    const double network = catch_up(t.t_latency, t.t_compute, t.t_transfer, on);
    const double both = on("batch-without-network") ? memory : std::max(memory, network);
    const double tokens = std::max(1.0, whole_tokens(both, on));
    // The differences of the times a token cancel where they are near each other.
    const double memory_scale = std::isfinite(memory) ? memory * t.t_compute / (t.t_compute - activations) : 0;
    const double network_scale = std::isfinite(network) ? network * t.t_compute / (t.t_compute - t.t_transfer) : 0;
    const auto item = [&](double value) { return known ? value : unset; };
    return Items()
        .number("memory_tokens", item(memory), "tokens", 32, memory_scale)
        .number("network_tokens", item(network), "tokens", 32, network_scale)
        .number("tokens", item(tokens), "tokens", 0)
        .take();
}

Truths doubling_items(const Inputs& in, const Slips& on, bool known) {
    const Terms now = terms_of(in, on);
    Boost peak, memory, link, gpus;
    peak.peak = memory.memory = link.link = 2;
    if (on("link-doubles-latency")) link.latency = 2;
    gpus.keep_link = on("doubled-gpus-keep-link");
    Inputs twice = in;
    twice.gpus = 2 * in.gpus;
    double times[] = {terms_of(in, on, peak).time, terms_of(in, on, memory).time, terms_of(in, on, link).time,
                      terms_of(twice, on, gpus).time};
    if (on("next-limit-forgotten")) {
        const bool computes = now.t_compute >= now.t_memory;
        times[computes ? 0 : 1] = now.time - std::max(now.t_compute, now.t_memory) / 2;
    }
    std::int64_t best = -1;
    double shortest = now.time;
    for (std::int64_t i = 0; i < 4; ++i)
        if (times[i] < shortest) {
            best = i;
            shortest = times[i];
        }
    if (on("doubles-what-binds")) {
        best = now.binds;
        shortest = times[best];
    }
    const auto item = [&](double value) { return known ? value : unset; };
    return Items()
        .number("time", item(now.time), "s")
        .number("time_peak", item(times[0]), "s")
        .number("time_memory", item(times[1]), "s")
        .number("time_link", item(times[2]), "s")
        .number("time_gpus", item(times[3]), "s")
        .choice("best", known ? best : -1, options)
        .flag("halves", known && shortest <= now.time / 2)
        .take();
}

Truths reduce_items(const Inputs& in, const Slips& on, bool known) {
    const Terms t = terms_of(in, on);
    const auto n = static_cast<double>(in.gpus);
    const double bytes = static_cast<double>(element_bytes(in.bytes_per_element, on));
    const double tensor = static_cast<double>(in.tokens) * reduced_row(in, on) * bytes;
    const bool alone = in.gpus == 1 && !on("switch-alone");
    double share = alone ? 0 : (n + 1) / n;
    if (on("switch-once")) share = alone ? 0 : 1;
    if (on("all-reduce-divided-by-n")) share /= n;
    double steps = alone ? 0 : 2;
    if (on("switch-steps-of-ring")) steps = t.steps;
    if (on("switch-one-step")) steps = alone ? 0 : 1;
    if (on("latency-forgotten")) steps = 0;
    const double switch_bytes = share * tensor;
    const double t_switch = switch_bytes / t.ring_bw + steps * in.link_latency;
    std::int64_t best = t_switch < t.t_network ? 1 : 0;
    if (on("switch-always")) best = 1;
    if (in.gpus == 1) best = -1;
    const auto item = [&](double value) { return known ? value : unset; };
    return Items()
        .number("ring_bytes", item(t.network_bytes), "B")
        .number("switch_bytes", item(switch_bytes), "B")
        .number("t_ring", item(t.t_network), "s")
        .number("t_switch", item(t_switch), "s")
        .choice("best", known ? best : -1, reductions)
        .take();
}

} // namespace assay::roofline_judge
