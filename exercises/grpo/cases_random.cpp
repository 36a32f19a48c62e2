// Random problems over the whole contract.
#include "cases.hpp"

#include <array>
#include <cmath>

namespace assay::grpo_judge {

namespace {

Problem random_advantages(std::uint64_t seed) {
    Random random(seed, "advantages");
    const bool degenerate = random.chance(0.5);
    GroupRule rule;
    rule.group_size = random.integer(degenerate ? 1 : 2, 6);
    rule.ddof = random.integer(0, 1);
    rule.eps = random.chance(0.3) ? 0 : std::pow(10, -static_cast<double>(random.integer(0, 8)));
    rule.scale = random.chance(0.8);
    Numbers rewards;
    const double centre = random.chance(0.2) ? 50 : 0;
    const std::int64_t groups = random.integer(1, 4);
    for (std::int64_t g = 0; g < groups; ++g) {
        const bool equal = degenerate && random.chance(0.3), verified = random.chance(0.3);
        const double first = verified ? 1 : std::round(64 * random.normal()) / 10;
        for (std::int64_t i = 0; i < rule.group_size; ++i)
            rewards.push_back(equal      ? first
                              : verified ? static_cast<double>(random.integer(0, 1))
                                         : centre + std::round(64 * random.normal()) / 10);
        double& last = rewards.back();
        if (!degenerate && last == rewards[rewards.size() - 2]) last += 1;
    }
    return advantages_problem(degenerate ? "groups" : "advantages", rewards, rule);
}

Problem random_loss(const char* route, std::uint64_t seed) {
    Random random(seed, route);
    const std::string_view level = route;
    const bool any = level == "loss" || level == "gradient"; // everything may happen
    const auto extent = [&](std::int64_t most) { return static_cast<std::size_t>(random.integer(1, most)); };
    const std::size_t N = extent(5), T = extent(6);
    Draft d("random", random.next(), N, T);
    d.route = route;
    d.rule.how = static_cast<Aggregation>(random.integer(0, 2));
    d.rule.longest = random.integer(1, 9);
    if (random.chance(0.5)) d.rule.clip_high = std::array{0.1, 0.28, 0.4}[extent(3) - 1];
    if (random.chance(0.2)) d.rule.clip_low = 0.35;
    if (random.chance(0.2)) d.in.lp_old.clear();
    if (any && random.chance(0.3)) d.rule.log_ratio_limit = 4;
    if (any && !d.in.lp_old.empty() && random.chance(0.2)) d.log_ratio(0, 0, random.chance(0.5) ? 300 : 6);
    const bool with_kl = level == "kl" || (any && random.chance(0.5));
    if (with_kl || random.chance(0.2))
        d.with_reference(!with_kl || random.chance(0.1) ? 0 : 0.125 * static_cast<double>(random.integer(1, 8)));
    if (level != "ratio" && random.chance(0.6)) {
        for (char& m : d.in.mask) m = random.chance(0.7) ? 1 : 0;
        for (std::size_t n = 0; n < N && !any; ++n) d.in.mask[d.at(n, extent(static_cast<std::int64_t>(T)) - 1)] = 1;
        if (random.chance(0.4)) d.poison(random.chance(0.5) ? not_a_number : -unbounded);
    }
    if (random.chance(0.2)) d.in.advantage[0] = 0;
    d.settle();
    return d.problem();
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    if (random.chance(0.3)) return random_advantages(random.next());
    constexpr std::array routes{"ratio", "masks", "kl", "loss", "gradient"};
    const char* route = routes[static_cast<std::size_t>(random.integer(0, 4))];
    return random_loss(route, random.next());
}

} // namespace assay::grpo_judge
