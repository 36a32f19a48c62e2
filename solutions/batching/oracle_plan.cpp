// Level 1: what one replica gives, how many there must be, and what fits.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <limits>

namespace assay::batching_judge {

Truths plan_truths(const Problem& problem, const Slips& on) {
    const auto get = [&](const char* name) { return problem.integer(name); };
    const std::int64_t batch = get("batch"), time = get("batch_time"), wait = get("wait"), rate = get("rate"),
                       memory = get("memory"), weights = get("weights"), request = get("request_bytes");
    const auto between = [](std::int64_t x, std::int64_t low, std::int64_t high) { return low <= x && x <= high; };
    constexpr std::int64_t bytes = 1'000'000'000'000'000;
    const bool good = between(batch, 1, 1'000'000'000) && between(time, 1, 3'600'000'000'000) &&
                      between(wait, 0, bytes) && between(rate, 0, 1'000'000) && between(memory, 0, bytes) &&
                      between(weights, 0, bytes) && between(request, 1, bytes);
    constexpr std::int64_t unset = std::numeric_limits<std::int64_t>::min();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    // A divisor of 0 is no answer in any case: that one crashes.
    if (!good && !(on("unchecked") && batch != 0 && time != 0 && request != 0))
        return Items()
            .number("throughput", nan, "1/s")
            .number("latency", nan, "s")
            .whole("replicas", unset)
            .number("utilisation", nan)
            .whole("largest_batch", unset, "requests")
            .number("largest_throughput", nan, "1/s")
            .take();

    const auto throughput_of = [&](std::int64_t size) {
        const double b = on("one-request-a-batch") ? 1 : static_cast<double>(size);
        const double t = static_cast<double>(time) / 1e9;
        return on("time-multiplied") ? b * t : b / t;
    };
    const double throughput = throughput_of(batch);
    const double own_time = on("own-time-left-out") ? 0 : on("batch-time-twice") ? 2 : 1;
    const double latency = (static_cast<double>(wait) + own_time * static_cast<double>(time)) / 1e9;

    // Exact in integers where the throughput is right.
    const bool exact = !on("one-request-a-batch") && !on("time-multiplied") && !on("load-in-floating-point");
    const double load = static_cast<double>(rate) / throughput;
    const std::int64_t second_of_batch = batch * 1'000'000'000, work = rate * time;
    std::int64_t whole = exact ? work / second_of_batch : static_cast<std::int64_t>(load);
    const bool even = exact ? work % second_of_batch == 0 : static_cast<double>(whole) == load;
    std::int64_t replicas = whole + 1;
    if (on("equal-load-served")) replicas = even ? whole : whole + 1;
    if (on("replicas-rounded-down")) replicas = std::max<std::int64_t>(1, whole);
    const double servers = on("utilisation-of-one") ? 1 : static_cast<double>(replicas);

    std::int64_t space = on("weights-forgotten") ? memory : memory - weights;
    std::int64_t each = request;
    if (on("weights-a-request")) {
        space = memory;
        each += weights;
    }
    std::int64_t largest = space / each;
    if (on("batch-rounded-up")) largest = (space + each - 1) / each;
    if (!on("largest-batch-negative")) largest = std::max<std::int64_t>(0, space < 0 ? 0 : largest);

    return Items()
        .number("throughput", throughput, "1/s")
        .number("latency", latency, "s")
        .whole("replicas", replicas)
        .number("utilisation", static_cast<double>(rate) / (servers * throughput))
        .whole("largest_batch", largest, "requests")
        .number("largest_throughput", throughput_of(largest), "1/s")
        .take();
}

} // namespace assay::batching_judge
