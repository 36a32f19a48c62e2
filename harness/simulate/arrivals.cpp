#include "simulate/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace assay {

double exponential(Random& random) {
    // A run of falling uniforms of odd length (the one that rises not counted) is kept with its first as the fraction.
    for (double whole = 0;; whole += 1) {
        const double first = random.uniform();
        double last = first;
        int length = 1;
        for (double next = random.uniform(); next < last; next = random.uniform()) {
            last = next;
            ++length;
        }
        if (length % 2 == 1) return whole + first;
    }
}

namespace {

Time gap(Random& random, double rate) {
    return static_cast<Time>(std::llround(exponential(random) / rate * static_cast<double>(second)));
}

/// "12.000000345" as nanoseconds; nothing where it is no such number.
std::optional<Time> nanoseconds(std::string_view text) {
    constexpr Time longest = Time{366} * 24 * 3600 * second;
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string_view whole = text.substr(0, point), part = text.substr(std::min(point + 1, text.size()));
    if (whole.empty() || whole.size() > 9 || (point < text.size() && part.empty())) return std::nullopt;
    Time time = 0;
    for (const char c : whole) {
        if (c < '0' || c > '9') return std::nullopt;
        time = time * 10 + (c - '0');
    }
    time *= second;
    Time unit = second / 10;
    for (const char c : part) {
        if (c < '0' || c > '9') return std::nullopt;
        time += unit * (c - '0');
        unit /= 10; // digits beyond the ninth are below a nanosecond
    }
    if (time > longest) return std::nullopt;
    return time;
}

} // namespace

std::vector<Time> poisson_arrivals(Random& random, double rate, std::int64_t count) {
    std::vector<Time> times;
    Time now = 0;
    for (std::int64_t i = 0; i < count; ++i) times.push_back(now += gap(random, rate));
    return times;
}

std::vector<Time> burst_arrivals(Random& random, double rate, std::int64_t largest, Time apart, std::int64_t count) {
    std::vector<Time> times;
    Time start = 0;
    while (static_cast<std::int64_t>(times.size()) < count) {
        start += gap(random, rate);
        const std::int64_t size = random.integer(1, largest);
        for (std::int64_t i = 0; i < size && static_cast<std::int64_t>(times.size()) < count; ++i)
            times.push_back(start + i * apart);
    }
    std::stable_sort(times.begin(), times.end()); // a long burst may reach into the next
    return times;
}

Outcome<std::vector<Time>> trace_arrivals(std::string_view text) {
    std::vector<Time> times;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view own = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!own.empty() && own.back() == '\r') own.remove_suffix(1);
        if (own.empty() || own.front() == '#') continue;
        const auto bad = [&](const char* why) {
            return Failure{
                Verdict::SKIP,
                fmt::format("line {} of the trace {}: write the arrival's time in seconds first, as in 12.25", line,
                            why)};
        };
        const std::optional<Time> time = nanoseconds(own.substr(0, own.find_first_of(", \t;")));
        if (!time) return bad("does not start with a time between 0 and a year");
        if (!times.empty() && *time < times.back()) return bad("is earlier than the one before");
        times.push_back(*time);
    }
    return times;
}

} // namespace assay
