// Random problems over the whole domain of the contract, for fuzzing.
#include "cases.hpp"

#include <array>
#include <cmath>

namespace assay::sdpa_judge {

namespace {

Shape random_shape(Random& random, bool streams) {
    Shape s;
    const bool longer = random.chance(0.06); // rarely: tails of large blocks
    s.B = random.integer(1, longer ? 1 : 3);
    s.Hkv = random.integer(1, longer ? 1 : 3);
    s.Hq = s.Hkv * random.integer(1, longer ? 2 : 3);
    s.Lq = random.integer(1, longer ? 3 : 5);
    s.Lk = longer ? random.integer(15, 130) : random.integer(random.chance(0.3) ? 0 : 1, 9);
    s.D = random.integer(1, 6);
    s.Dv = random.chance(0.2) ? s.D : random.integer(1, 5);
    if (streams) s.B = s.Hq = s.Hkv = 1;
    return s;
}

/// Any order of the axes, any of them stepped over gaps.
Array shuffled(const Array& array, Random& random) {
    std::vector<int> order(array.rank());
    std::vector<std::int64_t> step(array.rank(), 1);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)))]);
    for (std::int64_t& one : step)
        if (random.chance(0.2)) one = random.integer(2, 3);
    return array.laid_out(order, step);
}

Array random_view(const Array& array, Random& random, bool input) {
    if (array.size() > 0 && input && random.chance(0.12)) {
        const auto axis = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(array.rank()) - 1));
        return Draft::repeated(array, axis);
    }
    return random.chance(0.35) ? shuffled(array, random) : array;
}

void random_mask(Draft& d, Random& random) {
    if (!d.streams() && random.chance(0.35)) return;
    std::array<bool, 4> full{};
    for (bool& axis : full) axis = random.chance(0.6);
    const double share = std::array{1.0, 0.85, 0.6, 0.3,
                                    0.0}[static_cast<std::size_t>(random.integer(0, 4) % (random.chance(0.1) ? 5 : 4))];
    if (random.chance(0.5))
        d.mask_randomly(full, share); // every row left a key, where causal leaves one
    else
        d.mask_by(full, [&](auto, auto, auto, auto) { return random.chance(share); });
    if (!d.streams() && random.chance(0.3) && full[3]) { // the first keys hidden, as blocks meet them
        const std::int64_t hidden = random.integer(0, d.shape.Lk);
        for_each_index(d.mask->extents, [&](const Index& at) {
            if (at[3] < hidden) d.mask->set(at, 0);
        });
    }
}

/// Logits of ordinary size, or up to 1e4, or shifted row by row or key by key.
void random_logits(Draft& d, Random& random) {
    switch (random.integer(0, 7)) {
    case 0: {
        const double size = std::array{30.0, 100.0, 400.0, 1e4}[static_cast<std::size_t>(random.integer(0, 3))];
        std::vector<double> offsets;
        for (std::int64_t i = 0; i < d.shape.Lq; ++i) offsets.push_back(random.uniform(-size, size));
        d.offset_rows([&](std::int64_t i) { return offsets[static_cast<std::size_t>(i)]; });
        break;
    }
    case 1: {
        const double size = std::array{-300.0, -40.0, 40.0, 300.0}[static_cast<std::size_t>(random.integer(0, 3))];
        const auto keys = static_cast<double>(std::max<std::int64_t>(d.shape.Lk, 1));
        d.offset_logits([&](std::int64_t) { return size; },
                        [&](std::int64_t j) { return static_cast<double>(j) / keys; });
        break;
    }
    case 2: d.scale = random.uniform(-2, 2); break;
    case 3:
        d.scale = std::array{0.0, 1e-4, 50.0, -50.0, 3000.0, -3000.0}[static_cast<std::size_t>(random.integer(0, 5))];
        break;
    default: break;
    }
}

void random_blocks(Draft& d, Random& random) {
    std::int64_t left = d.shape.Lk;
    while (left > 0 || random.chance(0.3)) {
        const std::int64_t length =
            random.chance(0.2) ? 0 : std::min(left, random.integer(1, std::max<std::int64_t>(1, d.shape.Lk / 2)));
        d.blocks.push_back(length);
        left -= length;
    }
    const auto count = static_cast<std::int64_t>(d.blocks.size());
    d.split = random.chance(0.35) ? -1 : random.integer(0, count);
    d.after = d.split < 0 ? 0 : random.integer(0, count - d.split);
    d.into_second = random.chance(0.4);
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    const std::array routes{"attention",
                            "attention",
                            "attention",
                            "attention",
                            "attention_f16",
                            "attention_bf16",
                            "attention_f16_stored",
                            "attention_bf16_stored",
                            "stream",
                            "stream",
                            "attention_biased",
                            "attention_biased",
                            "attention_backward",
                            "attention_backward"};
    const std::string route = routes[static_cast<std::size_t>(random.integer(0, routes.size() - 1))];
    const Shape shape = random_shape(random, route == "stream");
    Draft d(route, shape, seed, "random-" + route);
    random_logits(d, random);
    if (!d.streams()) d.causal = random.chance(0.4);
    random_mask(d, random);
    if (d.streams()) random_blocks(d, random);
    if (route == "attention_biased") {
        for (double& slope : d.slopes)
            slope = random.chance(0.15) ? 0.0 : std::ldexp(random.uniform(), static_cast<int>(random.integer(-4, 3)));
        d.window = random.chance(0.4) ? 0 : random.integer(1, std::max<std::int64_t>(1, shape.Lk));
    }
    d.q = random_view(d.q, random, true);
    d.k = random_view(d.k, random, true);
    d.v = random_view(d.v, random, true);
    if (d.backward()) {
        d.dout = random_view(d.dout, random, true);
        d.dq = random_view(d.dq, random, false);
        d.dk = random_view(d.dk, random, false);
        d.dv = random_view(d.dv, random, false);
    } else {
        d.out = random_view(d.out, random, false);
    }
    if (d.mask) d.mask = random_view(*d.mask, random, true);
    return d.problem();
}

} // namespace assay::sdpa_judge
