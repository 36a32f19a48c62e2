// Random problems over the whole domain of the contract, for fuzzing and for cases drawn from the seed.
#include "cases.hpp"
#include "core/random.hpp"
#include "oracle.hpp"
#include "oracle_inputs.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

namespace assay::roofline_judge {

namespace {

template <class T, std::size_t N> T one_of(Random& random, const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(N) - 1))];
}

/// Up to 2^bits, as many of each size.
std::int64_t of_any_size(Random& random, std::int64_t bits) {
    const std::int64_t top = std::int64_t{1} << random.integer(1, bits);
    return random.integer(1, top);
}

Draft random_draft(Random& random, const std::string& route) {
    Draft d;
    const bool huge = random.chance(0.05);
    d.tokens = random.chance(0.06) ? 0 : of_any_size(random, huge ? 40 : 16);
    d.d_model = huge ? of_any_size(random, 40) : 8 * of_any_size(random, 11);
    d.hidden = huge ? of_any_size(random, 40) : 8 * of_any_size(random, 13);
    d.gpus = random.chance(0.15) ? 1 : random.integer(2, random.chance(0.1) ? 500 : 24);
    d.chip = one_of(random, std::array{h100, a100, h200, b200, l40s});
    for (double* figure : {&d.chip.dense, &d.chip.sparse, &d.chip.memory, &d.chip.link})
        *figure *= random.uniform(0.6, 1.7);
    d.gpus_per_node = one_of(random, std::array<std::int64_t, 5>{1, 4, 8, 16, 72});
    if (random.chance(0.2)) d.gpus_per_node = d.gpus;
    d.network_gbit = one_of(random, std::array{25.0, 100.0, 200.0, 400.0, 800.0});
    d.link_latency = random.chance(0.1) ? 0 : random.uniform(0.2e-6, 9e-6);
    d.network_latency = random.chance(0.1) ? 0 : random.uniform(1e-6, 30e-6);
    d.bytes_per_element = one_of(random, std::array<std::int64_t, 4>{1, 2, 2, 4});
    d.gated = random.chance(0.5);
    d.fused = random.chance(0.4);
    d.share = random.chance(0.1) ? random.uniform(0.2, 0.95) : random.uniform(0.002, 0.2);
    if (route == "reduce" && d.gpus > d.gpus_per_node) d.gpus_per_node = d.gpus + random.integer(0, 9);
    return d;
}

void spoil(Draft& d, Random& random) {
    const double wrong = one_of(random, std::array{0.0, -1.0, static_cast<double>(NAN), static_cast<double>(HUGE_VAL)});
    switch (random.integer(0, 8)) {
    case 0: d.tokens = -random.integer(1, 9); break;
    case 1: d.d_model = -random.integer(0, 9); break;
    case 2: d.hidden = -random.integer(0, 9); break;
    case 3: d.gpus = -random.integer(0, 9); break;
    case 4: d.chip.dense = wrong; break;
    case 5: d.chip.memory = wrong; break;
    case 6: d.chip.link = wrong; break;
    case 7: d.chip.sparse = wrong; break;
    default: d.bytes_per_element = -random.integer(0, 9); d.gpus_per_node = 0;
    }
}

Problem drawn(const std::string& route, Random& random, bool may_be_invalid) {
    for (int draw = 0; draw < 1000; ++draw) {
        Draft d = random_draft(random, route);
        if (may_be_invalid && random.chance(0.07)) spoil(d, random);
        Problem problem = d.problem(route);
        if (valid(problem) && (may_be_invalid || in_domain(problem, {}))) return problem;
    }
    throw std::logic_error("1000 random problems of roofline lie on an edge");
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    const std::array<std::string, 7> routes{"count",       "cross",          "refine", "largest_group",
                                            "least_batch", "what_to_double", "reduce"};
    const std::string route = one_of(random, routes);
    return drawn(route, random, true);
}

Problem random_problem_of(const std::string& route, std::uint64_t seed) {
    Random random(seed, route);
    return drawn(route, random, false);
}

} // namespace assay::roofline_judge
