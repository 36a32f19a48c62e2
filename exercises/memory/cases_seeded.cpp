// Draws the numbers of problems, and for fuzzing pushes some of them over an edge.
#include "cases_seeded.hpp"

#include "oracle.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace assay::memory_judge {

namespace {

/// 1 to 2^bits, every order of magnitude as likely as another.
std::int64_t size(Random& random, int bits = 13) {
    const std::int64_t top = std::int64_t{1} << random.integer(1, bits);
    return random.integer(1, top);
}

std::int64_t bits(Random& random) {
    return std::array<std::int64_t, 7>{4, 8, 16, 16, 32, 64, 12}[static_cast<std::size_t>(random.integer(0, 6))];
}

Product product(Random& random) { return {size(random), size(random), size(random), bits(random)}; }

} // namespace

Problem forward_drawn(Random& random) { return forward_of(product(random)); }

Problem backward_drawn(Random& random) {
    const Product drawn = product(random);
    const std::int64_t policy = random.integer(0, 2);
    return backward_of(drawn, policy, random.chance(0.5));
}

Problem state_drawn(Random& random) {
    const std::int64_t parameters = size(random, 40), gpus = size(random, 9), stage = random.integer(0, 3);
    return state_of(parameters, gpus, stage, random.chance(0.5));
}

Problem parameters_drawn(Random& random) {
    Model model{};
    model.layers = random.integer(1, 130);
    model.d_model = size(random);
    model.kv_heads = random.integer(1, 16);
    model.heads = model.kv_heads * random.integer(1, 8);
    model.head_dim = size(random, 8);
    model.hidden = size(random, 16);
    model.vocab = size(random, 18);
    model.positions = random.chance(0.5) ? 0 : size(random, 12);
    model.norms = random.integer(0, 4);
    for (bool* flag : {&model.gated, &model.tied, &model.final_norm, &model.norm_bias, &model.qk_norm, &model.qkv_bias,
                       &model.dense_bias})
        *flag = random.chance(0.5);
    return parameters_of(model, bits(random));
}

Problem cache_drawn(Random& random) {
    Cache cache{};
    cache.layers = random.integer(1, 130);
    cache.d_model = size(random);
    cache.kv_heads = random.integer(1, 16);
    cache.heads = cache.kv_heads * random.integer(1, 8);
    cache.head_dim = size(random, 8);
    cache.batch = size(random, 9);
    cache.tokens = size(random, 20);
    cache.bits = bits(random);
    return cache_of(cache);
}

Problem activations_drawn(Random& random) {
    const Stack stack{random.integer(1, 130), size(random, 6), size(random), size(random), size(random, 7)};
    const bool dropout = random.chance(0.5);
    return activations_of(stack, dropout, random.integer(0, 2));
}

Problem split_drawn(Random& random) {
    const Product drawn = product(random);
    const std::int64_t by = random.integer(0, 2);
    return split_of(drawn, by, size(random, 6));
}

Problem stage_drawn(Random& random) {
    Plan plan{};
    plan.tensor = random.integer(1, 9);
    plan.pipeline = random.integer(1, 12);
    plan.chunks = random.chance(0.5) ? 1 : random.integer(2, 4);
    plan.layers = plan.pipeline * plan.chunks * random.integer(1, 5);
    plan.heads = plan.tensor * random.integer(1, 12);
    plan.d_model = plan.tensor * size(random, 11);
    plan.sequence_parallel = random.chance(0.5);
    plan.sequence = (plan.sequence_parallel ? plan.tensor : 1) * size(random, 11);
    plan.micro_batch = random.integer(1, 8);
    plan.micro_batches = (plan.chunks > 1 ? plan.pipeline : 1) * random.integer(1, 20);
    plan.dropout = random.chance(0.5);
    plan.fp32_gradients = random.chance(0.5);
    return stage_of(plan, random.integer(0, 2));
}

Problem fit_drawn(Random& random) {
    for (;;) {
        Demand demand{};
        demand.layers = random.integer(1, 130);
        demand.d_model = 512 * size(random, 7);
        demand.hidden = 512 * size(random, 7);
        demand.bytes_per_parameter = random.integer(1, 18);
        demand.node = size(random, 7);
        demand.memory_gib = std::ldexp(static_cast<double>(random.integer(1, 2560)), -5);
        Problem problem = fit_of(demand);
        if (valid(problem)) return problem;
    }
}

Case seeded(std::string id, Problem (*drawn)(Random&)) {
    Case one;
    one.id = id;
    one.why = "numbers that change with the seed";
    one.stays = "no answer can be learnt by heart";
    one.make = [id = std::move(id), drawn](std::uint64_t seed) {
        Random random(seed, id);
        return drawn(random);
    };
    return one;
}

Problem random_problem(std::uint64_t seed) {
    constexpr std::array routes{forward_drawn,     backward_drawn, state_drawn, parameters_drawn, cache_drawn,
                                activations_drawn, split_drawn,    stage_drawn, fit_drawn};
    constexpr std::array<std::int64_t, 5> edges{0, -1, 1, 5000000029, std::numeric_limits<std::int64_t>::max()};
    Random random(seed, "random");
    Problem problem = routes[static_cast<std::size_t>(random.integer(0, routes.size() - 1))](random);
    if (!random.chance(0.25)) return problem;
    Problem pushed = problem;
    Field& field =
        pushed.fields[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(pushed.fields.size()) - 1))];
    const std::int64_t edge = edges[static_cast<std::size_t>(random.integer(0, edges.size() - 1))];
    if (std::holds_alternative<std::int64_t>(field.value)) field.value = edge;
    return valid(pushed) ? pushed : problem;
}

} // namespace assay::memory_judge
