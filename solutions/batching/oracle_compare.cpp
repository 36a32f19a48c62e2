// Level 5: the same generations batched as a whole and per step.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace assay::batching_judge {

Truths compare_truths(const Problem& problem, const Slips& on) {
    std::vector<std::int64_t> lengths = integers_of(problem, "lengths");
    const auto slots = static_cast<std::size_t>(problem.integer("slots"));
    const auto count = static_cast<double>(lengths.size());
    const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    if (on("longest-first")) std::sort(lengths.begin(), lengths.end(), std::greater<>());

    std::int64_t whole = 0, whole_sum = 0;
    for (std::size_t from = 0; from < lengths.size(); from += std::min(slots, lengths.size() - from)) {
        const std::size_t size = std::min(slots, lengths.size() - from);
        if (on("partial-batch-forgotten") && size < slots && from > 0) break;
        const auto first = lengths.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last = first + static_cast<std::ptrdiff_t>(size);
        const std::int64_t longest = *std::max_element(first, last);
        for (auto one = first; one != last; ++one)
            whole_sum += whole + (on("answered-before-its-batch") ? *one : longest);
        whole += longest;
    }

    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free; // when each slot is
    for (std::size_t i = 0; i < std::min(slots, lengths.size()); ++i) free.push(0);
    std::int64_t steps = 0, per_step_sum = 0;
    for (const std::int64_t length : lengths) {
        const std::int64_t end = free.top() + length;
        free.pop();
        free.push(end + (on("slot-idles-a-step") ? 1 : 0));
        steps = std::max(steps, end);
        per_step_sum += on("queueing-forgotten") ? length : end;
    }
    const auto wide = static_cast<double>(slots);
    if (on("packed-perfectly")) {
        const auto s = static_cast<std::int64_t>(slots);
        steps = tokens / s + (tokens % s != 0 ? 1 : 0);
    }

    const double places = on("slots-left-out") ? 1 : wide;
    const auto share = [&](std::int64_t taken) {
        return static_cast<double>(tokens) / (places * static_cast<double>(taken));
    };
    const double speedup = static_cast<double>(whole) / static_cast<double>(steps);
    return Items()
        .whole("tokens", tokens)
        .whole("whole_steps", whole, "steps")
        .number("whole_utilisation", share(whole))
        .number("whole_mean", static_cast<double>(whole_sum) / count, "steps")
        .whole("per_step_steps", steps, "steps")
        .number("per_step_utilisation", share(steps))
        .number("per_step_mean", static_cast<double>(per_step_sum) / count, "steps")
        .number("speedup", on("speedup-inverted") ? 1 / speedup : speedup)
        .take();
}

} // namespace assay::batching_judge
