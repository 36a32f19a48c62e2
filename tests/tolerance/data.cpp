#include "data.hpp"

#include "core/random.hpp"

#include <cmath>

namespace assay::tolerance {

namespace {

float number(double x) { return static_cast<float>(x); }

/// Everything normal; q times `spread`, v times `size` and shifted by `offset`.
Data normal(const Shape& shape, std::uint64_t seed, double spread, double size = 1, double offset = 0) {
    Random random(seed, "tolerance");
    Data data{shape, std::vector<float>(shape.rows * shape.D), std::vector<float>(shape.n * shape.D),
              std::vector<float>(shape.n * shape.Dv)};
    for (float& x : data.q) x = number(spread * random.normal());
    for (float& x : data.k) x = number(random.normal());
    for (float& x : data.v) x = number(offset + size * random.normal());
    return data;
}

/// Normal, but the logit of key j is near logit(j): q's and k's first entries make it, the others add N(0, noise).
template <class Logit> Data shaped(const Shape& shape, std::uint64_t seed, double noise, Logit logit) {
    Data data = normal(shape, seed, noise);
    const double root = std::sqrt(static_cast<double>(shape.D));
    for (std::size_t i = 0; i < shape.rows; ++i) data.q[i * shape.D] = 8;
    for (std::size_t j = 0; j < shape.n; ++j) data.k[j * shape.D] = number(logit(j) * root / 8);
    return data;
}

Data plain(const Shape& shape, std::uint64_t seed) { return normal(shape, seed, 1); }
Data wide(const Shape& shape, std::uint64_t seed) { return normal(shape, seed, 10); }
Data huge(const Shape& shape, std::uint64_t seed) { return normal(shape, seed, 1000); }
Data equal(const Shape& shape, std::uint64_t seed) { return normal(shape, seed, 0); }

Data equal_constant(const Shape& shape, std::uint64_t seed) {
    Data data = normal(shape, seed, 0);
    const float value = number(0.5 + Random(seed).uniform());
    for (float& x : data.v) x = value;
    return data;
}

Data ascending(const Shape& shape, std::uint64_t seed) {
    return shaped(shape, seed, 0.5, [&](std::size_t j) {
        return 60.0 * static_cast<double>(j) / static_cast<double>(shape.n); // 60: from below to far above the first
    });
}

Data dominated(const Shape& shape, std::uint64_t seed) {
    const std::size_t one = static_cast<std::size_t>(Random(seed).integer(0, static_cast<std::int64_t>(shape.n) - 1));
    return shaped(shape, seed, 1, [&](std::size_t j) { return j == one ? 20.0 : 0.0; });
}

Data far_below(const Shape& shape, std::uint64_t seed) {
    return shaped(shape, seed, 1, [](std::size_t) { return -2e4; });
}

Data alternating(const Shape& shape, std::uint64_t seed) {
    Data data = normal(shape, seed, 1);
    for (std::size_t j = 0; j < shape.n; ++j)
        for (std::size_t d = 0; d < shape.Dv; ++d)
            data.v[j * shape.Dv + d] =
                number((j % 2 == 0 ? 1000 : -1000) + static_cast<double>(data.v[j * shape.Dv + d]));
    return data;
}

Data offset(const Shape& shape, std::uint64_t seed) { return normal(shape, seed, 1, 1, 1e4); }

/// Weights from 1 down to below float32's smallest subnormal; the largest v where the weight is small.
Data underflowing(const Shape& shape, std::uint64_t seed) {
    const auto depth = [&](std::size_t j) { return 110.0 * static_cast<double>(j) / static_cast<double>(shape.n); };
    Data data = shaped(shape, seed, 0.1, [&](std::size_t j) { return -depth(j); });
    for (std::size_t j = 0; j < shape.n; ++j)
        for (std::size_t d = 0; d < shape.Dv; ++d) data.v[j * shape.Dv + d] *= number(std::exp(0.75 * depth(j)));
    return data;
}

} // namespace

Problem Data::problem() const {
    const auto array = [](std::size_t rows, std::size_t columns, const std::vector<float>& values) {
        return Array::of(Dtype::f32, {1, 1, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)},
                         std::vector<double>(values.begin(), values.end()));
    };
    Problem problem;
    problem.route = "attention";
    problem.fields = {
        {"q", array(shape.rows, shape.D, q), {"B", "Hq", "Lq", "D"}},
        {"k", array(shape.n, shape.D, k), {"B", "Hkv", "Lk", "D"}},
        {"v", array(shape.n, shape.Dv, v), {"B", "Hkv", "Lk", "Dv"}},
        {"mask", std::monostate{}, {}},
        {"causal", false, {}},
        {"scale", std::monostate{}, {}},
        {"out", array(shape.rows, shape.Dv, std::vector<float>(shape.rows * shape.Dv)), {"B", "Hq", "Lq", "Dv"}}};
    return problem;
}

std::vector<Kind> kinds() {
    return {{"normal", plain},
            {"logits of tens", wide},
            {"logits of a thousand", huge},
            {"equal logits", equal},
            {"equal logits, constant v", equal_constant},
            {"ascending logits", ascending},
            {"one key 20 above", dominated},
            {"logits near -20000", far_below},
            {"v near +1000 and -1000", alternating},
            {"v near 10000", offset},
            {"weights that underflow", underflowing}};
}

} // namespace assay::tolerance
