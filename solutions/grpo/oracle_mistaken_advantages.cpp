// Advantages with mistakes in them, in plain double: where 0 is divided by 0, the rounding of a mean decides.
#include "oracle_mistaken.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::grpo_judge {

namespace {

using Members = std::vector<std::size_t>; // positions of one group's rewards

std::vector<Members> groups_of(std::size_t N, const GroupRule& rule, const Slips& on) {
    const auto size = static_cast<std::size_t>(rule.group_size), count = N / size;
    std::vector<Members> groups(count);
    for (std::size_t n = 0; n < N; ++n) groups[on("groups-interleaved") ? n % count : n / size].push_back(n);
    return groups;
}

struct Statistics {
    double mean = 0, deviation = 0;
    bool equal = true; // all of them
};

Statistics measure(const std::vector<double>& rewards, const Members& members, const GroupRule& rule, const Slips& on) {
    Statistics s;
    const auto count = static_cast<double>(members.size());
    for (const std::size_t n : members) s.mean += rewards[n];
    s.mean /= count;
    double squares = 0;
    for (const std::size_t n : members) {
        squares += (rewards[n] - s.mean) * (rewards[n] - s.mean);
        s.equal = s.equal && rewards[n] == rewards[members.front()];
    }
    const double ddof = on("biased-variance") ? 0 : on("unbiased-variance") ? 1 : static_cast<double>(rule.ddof);
    const double variance = squares / (count - ddof);
    s.deviation = on("variance-for-std") ? variance : std::sqrt(variance);
    return s;
}

double eps_of(const GroupRule& rule, const Slips& on) {
    constexpr double usual[] = {1e-4, 1e-6, 1e-8};
    const int form = on.form("eps-hardcoded");
    return on("eps-missing") ? 0 : form >= 0 ? usual[form] : rule.eps;
}

double divisor_of(const Statistics& s, double eps, const Slips& on) {
    return on("eps-inside-root") ? std::sqrt(s.deviation * s.deviation + eps) : s.deviation + eps;
}

/// Whether a guard makes it 0 before anything is divided.
bool is_guarded(const Statistics& s, const Slips& on) {
    if (on("zero-spread-unguarded")) return false;
    return on("zero-spread-by-std") ? s.deviation == 0 || std::isnan(s.deviation) : s.equal;
}

} // namespace

Bounded mistaken_advantages(const std::vector<double>& rewards, const GroupRule& rule, const Slips& on) {
    Bounded result(rewards.size());
    Members all(rewards.size());
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
    const Statistics batch = measure(rewards, all, rule, on);
    const bool scale = (rule.scale || on("scale-ignored")) && !on("never-scaled");
    const double eps = eps_of(rule, on);
    for (const Members& members : groups_of(rewards.size(), rule, on)) {
        Statistics s = measure(rewards, members, rule, on);
        if (on("batch-normalised", 0)) s = batch;
        if (on("batch-normalised", 1)) s.deviation = batch.deviation;
        const double others = static_cast<double>(members.size()) - 1;
        const bool keeps_mean = on("mean-not-subtracted", 0) || (on("mean-not-subtracted", 1) && !scale);
        for (const std::size_t n : members) {
            const double r = rewards[n];
            double d = keeps_mean ? r : r - s.mean;
            if (on("leave-one-out") && others > 0) d *= (others + 1) / others;
            double& value = result.value[n];
            if (on("rewards-as-advantages"))
                value = r;
            else if (on("singleton-keeps-reward") && others == 0)
                value = scale ? r / (1 + eps) : r;
            else if (is_guarded(s, on))
                value = keeps_mean && !scale ? r : 0;
            else
                value = scale ? d / divisor_of(s, eps, on) : d;
            const double size = (std::fabs(r) + std::fabs(s.mean)) / (scale ? divisor_of(s, eps, on) : 1);
            // 2^-42: people differ in how they add up. Where a rounding error is divided by itself, a size says
            // nothing.
            const double bound = std::min(0x1p-42 * size, 1e-6 * std::fabs(value) + 1e-12);
            result.bound[n] = std::isfinite(value) && std::isfinite(bound) ? bound : 0;
        }
    }
    return result;
}

} // namespace assay::grpo_judge
