// A pipeline played tick by tick: machines, a clock, and what each of them holds. Knows nothing of the exercise's own
// player, which works by longest paths.
#ifndef ASSAY_TESTS_PARALLELISM_CLOCK_HPP
#define ASSAY_TESTS_PARALLELISM_CLOCK_HPP

#include "exercises/parallelism/questions.hpp"

#include <algorithm>
#include <functional>

namespace assay::parallelism_test {

/// A stage's next operation in its row's terms, given what it may see: 0 = wait.
struct Machine {
    std::vector<char> has_forward, has_backward; // inputs that have arrived
    std::int64_t running = 0, until = 0, forwards = 0, backwards = 0, live = 0, peak = 0, busy = 0;
    std::vector<std::int64_t> done; // operations in the order they were started
};

struct Run {
    bool ended = false;
    std::int64_t makespan = 0;
    std::vector<Machine> machines;
};

using Choose = std::function<std::int64_t(std::size_t stage, const Machine& machine)>;

/// Runs p machines until 2 m operations each are done, or nothing moves any more. `choose` gives an operation that the
/// machine is to do next; it is started when its input is there.
inline Run run(std::int64_t p, std::int64_t m, std::int64_t forward, std::int64_t backward, const Choose& choose) {
    Run result;
    const auto count = static_cast<std::size_t>(p), batches = static_cast<std::size_t>(m);
    Machine empty;
    empty.has_forward.assign(batches, 0);
    empty.has_backward.assign(batches, 0);
    result.machines.assign(count, empty);
    result.machines.front().has_forward.assign(batches, 1);
    std::int64_t left = 2 * m * p;
    for (std::int64_t now = 0;; ++now) {
        bool moving = false;
        for (std::size_t s = 0; s < count; ++s) { // ends first: what ends now may be used now
            Machine& machine = result.machines[s];
            if (machine.running == 0 || machine.until > now) continue;
            const auto k = static_cast<std::size_t>(std::abs(machine.running) - 1);
            if (machine.running > 0) {
                if (s + 1 < count)
                    result.machines[s + 1].has_forward[k] = 1;
                else
                    machine.has_backward[k] = 1;
            } else {
                --machine.live;
                if (s > 0) result.machines[s - 1].has_backward[k] = 1;
            }
            machine.running = 0;
            result.makespan = now;
            if (--left == 0) {
                result.ended = true;
                return result;
            }
        }
        for (std::size_t s = 0; s < count; ++s) {
            Machine& machine = result.machines[s];
            if (machine.running == 0) {
                const std::int64_t next = choose(s, machine);
                const auto k = static_cast<std::size_t>(std::abs(next) - 1);
                if (next != 0 && (next > 0 ? machine.has_forward : machine.has_backward)[k] != 0) {
                    machine.running = next;
                    machine.until = now + (next > 0 ? forward : backward);
                    machine.busy += next > 0 ? forward : backward;
                    machine.done.push_back(next);
                    next > 0 ? ++machine.forwards : ++machine.backwards;
                    if (next > 0) machine.peak = std::max(machine.peak, ++machine.live);
                }
            }
            moving = moving || machine.running != 0;
        }
        if (!moving) return result;
    }
}

/// A stage that works through its row.
inline Choose by_rows(const Orders& orders) {
    return [&orders](std::size_t s, const Machine& machine) {
        const std::size_t next = machine.done.size();
        return next < orders[s].size() ? orders[s][next] : 0;
    };
}

/// A stage that goes back whenever it can, and forth while fewer than `limit(stage)` micro-batches are live (GPipe:
/// goes back only when all have gone forth). No order is written down beforehand.
inline Choose greedy(std::int64_t kind, std::int64_t p, std::int64_t m) {
    return [kind, p, m](std::size_t s, const Machine& machine) -> std::int64_t {
        const bool may_return = kind == 1 || machine.forwards == m;
        if (may_return && machine.backwards < machine.forwards &&
            machine.has_backward[static_cast<std::size_t>(machine.backwards)] != 0)
            return -(machine.backwards + 1);
        const std::int64_t limit = kind == 1 ? p - static_cast<std::int64_t>(s) : m;
        return machine.forwards < m && machine.live < limit ? machine.forwards + 1 : 0;
    };
}

} // namespace assay::parallelism_test

#endif
