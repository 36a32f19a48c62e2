#include "timing/growth.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay::timing {

namespace {

constexpr int empty_calls = 15;
constexpr double beyond = 1.5;            // an exponent that is no L^1 any more
constexpr std::size_t fewest_lengths = 4; // however slow the machine is just now

/// The largest k with P(D < k) <= 2.5 %, where D counts the inversions of a random order of n, and P(D < k) in `below`.
std::size_t rank_of_bound(std::size_t n, double& below) {
    std::vector<double> share{1}; // of orders with so many inversions; the n-th element adds 0 to n - 1
    for (std::size_t size = 2; size <= n; ++size) {
        std::vector<double> more(share.size() + size - 1, 0.0);
        for (std::size_t had = 0; had < share.size(); ++had)
            for (std::size_t added = 0; added < size; ++added)
                more[had + added] += share[had] / static_cast<double>(size);
        share = std::move(more);
    }
    std::size_t k = 0;
    below = 0;
    while (k < share.size() && below + share[k] <= 0.025) below += share[k++];
    return k;
}

} // namespace

std::optional<Exponent> exponent_of(const std::vector<Point>& points) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            slopes.push_back(std::log(points[j].y / points[i].y) / std::log(points[j].x / points[i].x));
    if (slopes.empty()) return std::nullopt;
    std::sort(slopes.begin(), slopes.end());
    double below = 0;
    const std::size_t k = rank_of_bound(points.size(), below);
    if (k == 0) return Exponent{median(slopes), slopes.front(), slopes.back(), 0};
    return Exponent{median(slopes), slopes[k - 1], slopes[slopes.size() - k], 1 - 2 * below};
}

MemoryGrowth memory_growth(const std::vector<MemoryAt>& peaks, std::int64_t noise) {
    MemoryGrowth growth;
    std::vector<Point> clear;
    for (const MemoryAt& one : peaks) // four times what it may be off: a slope over one doubling is then off by 0.7
        if (one.peak >= 4 * noise) clear.push_back({static_cast<double>(one.length), static_cast<double>(one.peak)});
    if (clear.size() >= 3) growth.exponent = exponent_of(clear);
    if (growth.exponent)
        growth.beyond = growth.exponent->value > beyond;
    else if (!peaks.empty())
        growth.beyond = static_cast<double>(peaks.back().peak) >= peaks.back().matrix / 4;
    return growth;
}

TimeGrowth time_growth(Contestant& contestant, const GrowthCourse& course, const GrowthRules& rules) {
    TimeGrowth growth;
    const double start = course.now();
    const auto ask = [&](std::int64_t length, int round) {
        const Problem problem = course.make(length, round);
        const Outcome<Answer> answer = contestant.ask(problem);
        if (answer) growth.refused = course.wrong(problem, *answer);
        if (!answer) growth.refused = answer.failure().reason;
        return growth.refused.empty() ? answer->seconds : -1;
    };
    std::vector<std::int64_t> lengths;
    for (const std::int64_t length : course.lengths) { // not counted: libraries are loaded, pages mapped
        const double seconds = ask(length, -1);
        if (seconds < 0 && lengths.size() < 3) return growth;
        if (seconds < 0) break; // out of time or memory: the shorter ones tell
        lengths.push_back(length);
        if (seconds > rules.longest_call && lengths.size() >= fewest_lengths) break;
    }
    growth.refused.clear();
    std::vector<double> nothing;
    for (int i = 0; i < empty_calls; ++i)
        if (const Outcome<double> time = contestant.empty_call(); time) nothing.push_back(*time);
    const double empty = median(nothing);
    std::vector<std::vector<double>> samples(lengths.size());
    for (int round = 0; round < rules.most && (round < rules.fewest || course.now() - start < rules.seconds); ++round)
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const std::size_t at = round % 2 == 0 ? i : lengths.size() - 1 - i;
            const double seconds = ask(lengths[at], round);
            if (seconds < 0) return growth;
            samples[at].push_back(seconds - empty);
        }
    std::vector<Point> points;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double least = *std::min_element(samples[i].begin(), samples[i].end());
        growth.times.push_back({lengths[i], least});
        if (least > empty) points.push_back({static_cast<double>(lengths[i]), least});
    }
    if (points.size() < 3) {
        growth.refused =
            fmt::format("calls take no longer than the {:.0f} us of the way to them and back", empty * 1e6);
        return growth;
    }
    const std::optional<Exponent> exponent = exponent_of(points);
    if (!(exponent->high - exponent->low <= rules.widest || exponent->low > beyond))
        growth.refused = fmt::format("this machine is too busy: the exponent lies anywhere from {:.2f} to {:.2f}",
                                     exponent->low, exponent->high);
    else
        growth.exponent = exponent;
    return growth;
}

} // namespace assay::timing
