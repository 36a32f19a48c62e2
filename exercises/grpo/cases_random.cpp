// Random problems over the whole contract.
#include "cases.hpp"

#include <array>
#include <cmath>

namespace assay::grpo_judge {

namespace {

Problem random_advantages(std::uint64_t seed) {
    Random random(seed, "advantages");
    GroupRule rule;
    rule.group_size = random.integer(1, 6);
    rule.ddof = random.integer(0, 1);
    rule.eps = random.chance(0.3) ? 0 : std::pow(10, -static_cast<double>(random.integer(0, 8)));
    rule.scale = random.chance(0.8);
    Numbers rewards;
    const double centre = random.chance(0.2) ? 100 : 0;
    const std::int64_t groups = random.integer(1, 4);
    for (std::int64_t g = 0; g < groups; ++g) {
        const bool equal = random.chance(0.2), verified = random.chance(0.3);
        const double first = verified ? 1 : std::round(64 * random.normal()) / 10;
        for (std::int64_t i = 0; i < rule.group_size; ++i)
            rewards.push_back(equal      ? first
                              : verified ? static_cast<double>(random.integer(0, 1))
                                         : centre + std::round(64 * random.normal()) / 10);
    }
    return advantages_problem(rewards, rule);
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    if (random.chance(0.3)) return random_advantages(random.next());
    const auto extent = [&](std::int64_t most) { return static_cast<std::size_t>(random.integer(1, most)); };
    const std::size_t N = extent(5), T = extent(6);
    Draft d("random", random.next(), N, T);
    d.route = random.chance(0.4) ? "gradient" : "loss";
    d.rule.how = static_cast<Aggregation>(random.integer(0, 2));
    d.rule.longest = random.integer(1, 9);
    if (random.chance(0.5)) d.rule.clip_high = std::array{0.1, 0.28, 0.4}[extent(3) - 1];
    if (random.chance(0.2)) d.rule.clip_low = 0.35;
    if (random.chance(0.3)) d.rule.log_ratio_limit = 4;
    if (random.chance(0.2)) d.in.lp_old.clear();
    if (!d.in.lp_old.empty() && random.chance(0.1)) d.log_ratio(0, 0, random.chance(0.5) ? 300 : 6);
    if (random.chance(0.5))
        d.with_reference(random.chance(0.2) ? 0 : 0.125 * static_cast<double>(random.integer(1, 8)));
    if (random.chance(0.6)) {
        for (char& m : d.in.mask) m = random.chance(0.7) ? 1 : 0;
        if (random.chance(0.4)) d.poison(random.chance(0.5) ? not_a_number : -unbounded);
    }
    if (random.chance(0.2)) d.in.advantage[0] = 0;
    d.settle();
    return d.problem();
}

} // namespace assay::grpo_judge
