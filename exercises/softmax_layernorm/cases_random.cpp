// Random problems over the whole domain of the contract, for fuzzing.
#include "cases.hpp"

#include <algorithm>
#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

Shape random_shape(Random& random) {
    Shape shape{{0, 0, 0}, static_cast<std::size_t>(random.integer(0, 2))};
    for (std::int64_t& extent : shape.extents) extent = random.integer(1, 5);
    if (random.chance(0.1)) shape.extents[shape.axis] = random.integer(15, 130);
    if (random.chance(0.05)) shape.extents[static_cast<std::size_t>(random.integer(0, 2))] = 0;
    return shape;
}

/// Any order of the axes, any of them stepped over gaps.
Array random_view(const Array& array, Random& random, bool input) {
    if (array.size() > 0 && input && random.chance(0.1))
        return repeated(array,
                        static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(array.rank()) - 1)));
    if (!random.chance(0.35)) return array;
    std::vector<int> order(array.rank());
    std::vector<std::int64_t> step(array.rank(), 1);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)))]);
    for (std::int64_t& one : step)
        if (random.chance(0.3)) one = random.integer(2, 3);
    return array.laid_out(order, step);
}

/// x of ordinary size, or far from 0, small, wide, or constant in each slice.
void random_values(Draft& d, Random& random) {
    const double size = std::array{1.0, 10.0, 100.0, 1e3, 1e4}[static_cast<std::size_t>(random.integer(0, 4))];
    switch (random.integer(0, 6)) {
    case 0: return d.shift_slices([&](std::int64_t) { return random.uniform(-size, size); });
    case 1: return d.change_x([&](const Index&, double old) { return old / size; });
    case 2: return d.change_x([&](const Index&, double old) { return old * size; });
    case 3: return d.change_x([&](const Index& at, double) { return static_cast<double>(d.slice_of(at) - 3); });
    default: return;
    }
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    const std::array routes{"softmax", "log_softmax", "softmax_backward", "layernorm", "layernorm_backward"};
    const std::string route = routes[static_cast<std::size_t>(random.integer(0, routes.size() - 1))];
    Draft d(route, random_shape(random), seed, "random-" + route);
    random_values(d, random);
    if (random.chance(0.4)) d.eps = std::ldexp(random.uniform(1, 2), -static_cast<int>(random.integer(1, 39)));
    d.x = random_view(d.x, random, true);
    if (d.backward()) d.dy = random_view(d.dy, random, true);
    if (d.layernorm()) d.gamma = random_view(d.gamma, random, true);
    if (d.layernorm()) d.beta = random_view(d.beta, random, true);
    d.y = random_view(d.y, random, false);
    d.dx = random_view(d.dx, random, false);
    d.dgamma = random_view(d.dgamma, random, false);
    d.dbeta = random_view(d.dbeta, random, false);
    return d.problem();
}

} // namespace assay::softmax_layernorm_judge
