// Level 6: orders of operations for GPipe and 1F1B, and the play that tells what an order is worth.
#include "oracle_schedule.hpp"

#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

namespace assay::parallelism_judge {

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The first entry that no play can begin with.
std::optional<Played> misplaced(const Orders& orders, std::int64_t m) {
    for (std::size_t s = 0; s < orders.size(); ++s) {
        std::vector<char> forward(at(m), 0), backward(at(m), 0);
        for (std::size_t i = 0; i < orders[s].size(); ++i) {
            const std::int64_t entry = orders[s][i];
            const auto found = [&](Fault fault) {
                return Played{fault, static_cast<std::int64_t>(s), static_cast<std::int64_t>(i), 0, 0, {}};
            };
            if (entry == 0 || entry > m || entry < -m) return found(Fault::entry);
            const std::size_t k = at(std::abs(entry) - 1);
            char& done = entry > 0 ? forward[k] : backward[k];
            if (done != 0) return found(Fault::entry);
            done = 1;
            if (entry < 0 && forward[k] == 0) return found(Fault::backward_early);
        }
    }
    return std::nullopt;
}

/// When each operation ends; -1 = not yet played.
struct Ends {
    std::vector<std::vector<double>> forward, backward; // by stage, micro-batch
    Ends(std::size_t p, std::int64_t m) : forward(p, std::vector<double>(at(m), -1)), backward(forward) {}

    /// When what `entry` of stage s needs from another stage is there; -1 = not yet.
    double needed(std::size_t s, std::int64_t entry) const {
        const std::size_t k = at(std::abs(entry) - 1);
        if (entry > 0) return s == 0 ? 0 : forward[s - 1][k];
        return s + 1 == forward.size() ? forward[s][k] : backward[s + 1][k];
    }
};

std::int64_t peak_of(const std::vector<std::int64_t>& row) {
    std::int64_t live = 0, most = 0;
    for (const std::int64_t entry : row) most = std::max(most, live += entry > 0 ? 1 : -1);
    return most;
}

/// GPipe: all forwards, then all backwards. 1F1B: `warm` forwards, then one forward and one backward in turn.
std::vector<std::int64_t> row_of(std::int64_t warm, std::int64_t m) {
    std::vector<std::int64_t> row;
    for (std::int64_t k = 0; k < warm; ++k) row.push_back(k + 1);
    for (std::int64_t k = warm; k < m; ++k) {
        row.push_back(k + 1);
        row.push_back(-(k - warm + 1));
    }
    for (std::int64_t k = std::max<std::int64_t>(m - warm, 0); k < m; ++k) row.push_back(-(k + 1));
    row.resize(at(2 * m), -m);
    return row;
}

} // namespace

Played play(const Orders& orders, std::int64_t m) {
    if (const std::optional<Played> bad = misplaced(orders, m)) return *bad;
    Ends ends(orders.size(), m);
    std::vector<std::size_t> next(orders.size(), 0);
    std::vector<double> free(orders.size(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t s = 0; s < orders.size(); ++s)
            while (next[s] < orders[s].size()) {
                const std::int64_t entry = orders[s][next[s]];
                const double ready = ends.needed(s, entry);
                if (ready < 0) break;
                free[s] = std::max(free[s], ready) + static_cast<double>(entry > 0 ? forward_units : backward_units);
                (entry > 0 ? ends.forward : ends.backward)[s][at(std::abs(entry) - 1)] = free[s];
                ++next[s];
                moved = true;
            }
    }
    Played played;
    for (std::size_t s = 0; s < orders.size(); ++s)
        if (next[s] < orders[s].size())
            return {Fault::waits, static_cast<std::int64_t>(s), static_cast<std::int64_t>(next[s]), 0, 0, {}};
    for (std::size_t s = 0; s < orders.size(); ++s) {
        played.makespan = std::max(played.makespan, free[s]);
        played.peak.push_back(peak_of(orders[s]));
    }
    const auto useful = static_cast<double>(m * (forward_units + backward_units));
    played.fraction = (played.makespan - useful) / played.makespan;
    return played;
}

Orders write_orders(std::int64_t kind, std::int64_t p, std::int64_t m, const Slips& on) {
    if (kind == 1 && on("gpipe-for-1f1b"))
        kind = 0;
    else if (kind == 0 && on("1f1b-for-gpipe"))
        kind = 1;
    Orders orders;
    for (std::int64_t s = 0; s < p; ++s) {
        std::int64_t warm = p - s - 1;
        if (on("stages-from-the-end")) warm = s;
        if (on("warm-up-short")) warm = std::max<std::int64_t>(warm - 1, 0);
        if (on("warm-up-long")) ++warm;
        if (on("no-warm-up")) warm = 0;
        if (!on("warm-up-not-limited")) warm = std::min(warm, m);
        orders.push_back(row_of(kind == 0 ? m : warm, m));
        if (on("numbered-from-zero"))
            for (std::int64_t& entry : orders.back()) entry += entry > 0 ? -1 : 1;
    }
    return orders;
}

Truths outcome_of(const Played& played) {
    const bool works = played.fault == Fault::none;
    constexpr double never = std::numeric_limits<double>::infinity();
    const std::vector<double> peak(played.peak.begin(), played.peak.end());
    return Items()
        .choice("fault", static_cast<std::int64_t>(played.fault), fault_legend)
        .choice("fault_stage", played.stage, "the stage of the first fault, -1 none")
        .choice("fault_step", played.step, "its place in the stage's row, from 0, -1 none")
        .number("makespan", works ? played.makespan : never, "units")
        .number("fraction", works ? played.fraction : 1)
        .tensor("peak_live", {static_cast<std::int64_t>(peak.size())}, peak, std::vector<double>(peak.size(), 0.0),
                Dtype::i64)
        .take();
}

Truths schedule_truths(const Problem& problem, const Slips& on) {
    const std::int64_t kind = problem.integer("kind"), p = problem.integer("stages"),
                       m = problem.integer("micro_batches");
    if (!on.none()) {
        Played played = play(write_orders(kind, p, m, on), m);
        if (played.fault != Fault::none) played.peak.assign(at(p), 0);
        return outcome_of(played);
    }
    Played right; // in closed form, not played
    right.makespan = static_cast<double>((m + p - 1) * (forward_units + backward_units));
    right.fraction = static_cast<double>(p - 1) / static_cast<double>(m + p - 1);
    for (std::int64_t s = 0; s < p; ++s) right.peak.push_back(kind == 0 ? m : std::min(m, p - s));
    return outcome_of(right);
}

} // namespace assay::parallelism_judge
