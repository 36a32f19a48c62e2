// Level 2: the best number of chunks. T(k) = (pace k + extra)(latency + floor/k) = pace latency k + extra floor/k + a
// constant, so T(k) <= T(k + 1) just where k(k + 1) >= X = extra floor / (pace latency).
#include "core/items.hpp"
#include "oracle_routes.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>

namespace assay::broadcast_judge {

namespace {

constexpr double least_latency = 1e-6, most_latency = 1e9; // ms
constexpr double most_chunks = 1e5;

struct Best {
    double real = 0;
    std::int64_t chunks = 1;
    double time = 0;
};

double square_of(const Pipeline& plan, double floor, double latency) {
    return static_cast<double>(plan.extra) * floor / (static_cast<double>(plan.pace) * latency);
}

double time_of(const Pipeline& plan, double floor, double latency, std::int64_t chunks, const Slips& on) {
    const auto k = static_cast<double>(chunks), pace = static_cast<double>(plan.pace);
    const double slots = pace * k + static_cast<double>(plan.extra);
    double late = slots; // slots that the latency occupies
    if (on("latency-per-hop")) late = static_cast<double>(plan.first());
    if (on("latency-not-in-fill")) late = pace * k;
    return late * latency + slots * floor / k;
}

std::int64_t integer_of(double square, double real, const Slips& on) {
    double k = std::floor(std::sqrt(square));
    const int rounded = on.form("real-rounded");
    if (on("root-forgotten") || rounded == 0)
        k = std::floor(real + 0.5);
    else if (rounded == 1)
        k = std::floor(real);
    else if (rounded == 2)
        k = std::ceil(real);
    else
        while (k * (k + 1) < square || (on("tie-to-larger") && k > 0 && k * (k + 1) == square)) ++k;
    return static_cast<std::int64_t>(std::clamp(k, 1.0, 9e18));
}

Best best_of(const Pipeline& plan, double floor, double latency, const Slips& on) {
    Best best;
    const double square = square_of(plan, floor, latency);
    best.real = on("root-forgotten") ? square : std::sqrt(square);
    best.chunks = integer_of(square, best.real, on);
    best.time = time_of(plan, floor, latency, best.chunks, on);
    return best;
}

struct Setting {
    bool fine = false;
    double floor = 0, latency = 0;
    Pipelines plans;
};

Setting setting_of(const Problem& problem, const Slips& on) {
    Setting s;
    s.fine = within(number(problem, "size_gb"), least, most) && within(number(problem, "link_gbps"), least, most) &&
             within(problem.integer("receivers"), 1, most_count) &&
             within(number(problem, "latency_ms"), least_latency, most_latency);
    if (!s.fine) return s;
    s.floor = bytes_of(number(problem, "size_gb"), on) / rate_of(number(problem, "link_gbps"), on);
    s.latency = number(problem, "latency_ms") / (on("ms-as-seconds") ? 1 : 1000);
    s.plans = pipelines(receivers_of(problem, on), on);
    return s;
}

} // namespace

Truths best_chunks(const Problem& problem, const Slips& on) {
    const Setting s = setting_of(problem, on);
    Items items;
    items.number("floor", s.fine ? s.floor : unset, "s").number("latency", s.fine ? s.latency : unset, "s");
    const auto add = [&](const std::string& name, const Pipeline& plan) {
        Best best{unset, unset_integer, unset};
        if (s.fine) best = best_of(plan, s.floor, s.latency, on);
        if (s.fine && on("one-k-for-all")) {
            const Best chain = best_of(s.plans.chain, s.floor, s.latency, on);
            best = {chain.real, chain.chunks, time_of(plan, s.floor, s.latency, chain.chunks, on)};
        }
        items.number(name + "_real", best.real).whole(name + "_chunks", best.chunks).number(name, best.time, "s");
    };
    add("chain", s.plans.chain);
    add("tree", s.plans.tree);
    add("optimum", s.plans.optimum);
    return items.take();
}

bool stands_out(const Problem& problem) {
    const Slips none;
    const Setting s = setting_of(problem, none);
    if (!s.fine) return true;
    for (const Pipeline& plan : {s.plans.chain, s.plans.tree, s.plans.optimum}) {
        const double square = square_of(plan, s.floor, s.latency);
        if (!(square <= most_chunks * most_chunks)) return false;
        const double k = static_cast<double>(integer_of(square, 0, none));
        // T(k + 1) - T(k) = pace latency (1 - X/(k(k + 1))), and the same below.
        const double least_time = time_of(plan, s.floor, s.latency, static_cast<std::int64_t>(k), none);
        const double unit = static_cast<double>(plan.pace) * s.latency / least_time;
        const double above = 1 - square / (k * (k + 1)), below = k > 1 ? square / (k * (k - 1)) - 1 : 1;
        const bool exact = std::fmod(s.floor, k) == 0 && std::fmod(s.floor, k + 1) == 0; // so are both times, then
        if (!(unit * above > 1e-12) && !(above == 0 && exact)) return false;
        if (k > 1 && !(unit * below > 1e-12)) return false;
    }
    return true;
}

} // namespace assay::broadcast_judge
