// Random problems over the domain of the contract, for fuzzing and for parting explanations.
#include "cases.hpp"

#include <array>
#include <cmath>

namespace assay::grpo_hunt_judge {

namespace {

/// Ratios that lie 1e-3 and more from where they are clipped or limited.
std::vector<double> random_ratios(const Draft& d, Random& random) {
    std::vector<double> ratios;
    while (ratios.size() < 5) {
        const double log_ratio = random.uniform(-1, 1) * (random.chance(0.2) ? 2 * d.limit : 0.8);
        const double ratio = std::exp(log_ratio);
        const bool near = std::fabs(ratio - 1 + d.clip_low) < 2e-3 || std::fabs(ratio - 1 - d.clip_high) < 2e-3 ||
                          std::fabs(std::fabs(log_ratio) - d.limit) < 2e-3;
        if (!near && log_ratio > -12) ratios.push_back(ratio);
    }
    return ratios;
}

std::vector<double> random_differences(const Draft& d, Random& random) {
    std::vector<double> differences;
    while (differences.size() < 3) {
        const double one = random.uniform(-1, 1) * (random.chance(0.2) ? 1.5 * d.limit : 1.5);
        if (std::fabs(std::fabs(one) - d.limit) >= 2e-3) differences.push_back(one);
    }
    return differences;
}

void random_rewards(Draft& d, Random& random) {
    std::vector<double> values;
    const bool flat = random.chance(0.15);
    for (std::int64_t n = 0; n < d.shape.N; ++n)
        values.push_back(flat && n % d.shape.group_size != 0 ? values.back()
                                                             : static_cast<double>(random.integer(-8, 8)) / 4);
    d.set_rewards(values);
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    const std::array routes{"log-probs", "advantages", "ratio", "masking", "kl", "gradient"};
    const std::string route = routes[static_cast<std::size_t>(random.integer(0, 5))];
    const std::int64_t group = random.integer(1, 4);
    Draft d({group * random.integer(1, 3), random.integer(1, 6), random.integer(1, 5), group}, seed, "random-draft");
    random_rewards(d, random);
    if (random.chance(0.5)) d.temperature = random.uniform(0.4, 2);
    if (random.chance(0.5)) d.clip_high = random.uniform(0.21, 0.5);
    if (random.chance(0.3)) d.limit = random.uniform(1, 3);
    if (random.chance(0.3)) d.eps = random.chance(0.3) ? 0 : random.uniform(0, 1);
    if (random.chance(0.5)) d.ddof = 1;
    d.scale = random.chance(0.8);
    d.how = random.integer(0, 2);
    if (route != "ratio") {
        std::vector<std::int64_t> lengths(static_cast<std::size_t>(d.shape.N));
        for (std::int64_t& length : lengths) length = random.integer(0, d.shape.T);
        d.set_lengths(lengths, random.integer(1, 2));
    }
    if (random.chance(0.7)) d.set_ratios(random_ratios(d, random));
    if (random.chance(0.5)) d.set_ref(random_differences(d, random));
    if (route == "kl" || route == "gradient") d.beta = static_cast<double>(random.integer(0, 8)) / 8;
    const bool spoilt = random.chance(0.2);
    for (Value* others : {&d.lp_old, &d.lp_ref})
        if (spoilt && !std::holds_alternative<std::monostate>(*others)) Draft::spoil(*others, d.mask);
    return d.problem(route);
}

} // namespace assay::grpo_hunt_judge
