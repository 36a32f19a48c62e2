// Random problems over the whole contract.
#include "cases.hpp"
#include "oracle.hpp"

namespace assay::long_attention_judge {

namespace {

Problem numbers(Random& random) {
    const auto count = [&](std::int64_t most) {
        return random.chance(0.04) ? random.integer(-1, 0) : random.integer(1, most);
    };
    if (random.chance(0.3)) {
        const std::int64_t D = count(200), rank = count(300);
        return crossover_problem(D, rank, count(300));
    }
    Setup s{};
    s.block = count(40);
    s.tokens = random.chance(0.7) ? s.block * count(60) : count(5000);
    s.heads = count(40);
    s.head_dim = count(200);
    s.element_bytes = count(8);
    s.window = count(600);
    s.rank = count(300);
    s.features = count(300);
    return cost_problem(random.integer(0, 5), s);
}

Problem tensors(const std::string& route, Random& random) {
    Shape shape{random.integer(1, 3), random.integer(1, 12), random.integer(1, 5), random.integer(1, 5)};
    shape.window = random.chance(0.1) ? random.integer(13, 60) : random.integer(1, 8);
    shape.globals = random.chance(0.1) ? random.integer(10, 40) : random.integer(0, 5);
    shape.rows = random.integer(1, 6);
    const double spread = random.chance(0.7) ? 1 : random.uniform(0, 2);
    const double eps = random.chance(0.2) ? 1e-12 : random.uniform(1e-6, 1);
    return drawn(route, shape, random.next(), "random", [&](Draft& d) {
        for (Array* array : {&d.q, &d.k}) change_each(*array, [&](const Index&, double old) { return spread * old; });
        d.eps = eps;
    });
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    static const std::array<const char*, 6> routes{"sliding_window", "linear_attention",    "random_features",
                                                   "low_rank",       "window_with_globals", "compare"};
    Random random(seed, "random");
    for (;;) {
        const std::int64_t pick = random.integer(0, 7);
        Problem problem = pick < 2 ? numbers(random) : tensors(routes[static_cast<std::size_t>(pick - 2)], random);
        if (valid(problem)) return problem;
    }
}

} // namespace assay::long_attention_judge
