#include "formula.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::tolerance {

namespace {

using Real = long double;

struct Key {
    std::size_t j;
    Real s, a, p;
};

} // namespace

Exact by_formula(const Data& data, const Asked& asked) {
    const Shape& shape = data.shape;
    const Real u = 0x1p-24L;
    const Real scale = 1 / std::sqrt(static_cast<Real>(shape.D));
    Exact exact{std::vector<double>(shape.rows * shape.Dv), std::vector<double>(shape.rows * shape.Dv)};
    std::vector<std::size_t> all(shape.n);
    std::iota(all.begin(), all.end(), std::size_t{0});

    for (std::size_t i = 0; i < shape.rows; ++i) {
        std::vector<Key> keys;
        for (const std::size_t j : asked.keys.empty() ? all : asked.keys[i]) {
            Key key{j, 0, 0, 0};
            for (std::size_t d = 0; d < shape.D; ++d) {
                const Real product =
                    static_cast<Real>(data.q[i * shape.D + d]) * static_cast<Real>(data.k[j * shape.D + d]);
                key.s += scale * product;
                key.a += scale * std::fabs(product);
            }
            keys.push_back(key);
        }
        if (keys.empty()) continue;
        const Real m =
            std::max_element(keys.begin(), keys.end(), [](const Key& x, const Key& y) { return x.s < y.s; })->s;
        Real total = 0;
        for (const Key& key : keys) total += std::exp(key.s - m);
        const Real lse = m + std::log(total);
        // With one key lse is m to the bit: what is left to lose is one rounding of m, and no more than an eighth.
        const Real alone = u * std::fabs(m) <= 0.125L ? std::fabs(m) : 0;
        const Real logs = keys.size() == 1 ? alone : std::fabs(m) + std::fabs(lse);
        for (Key& key : keys) key.p = std::exp(key.s - lse);

        const Real n = static_cast<Real>(keys.size());
        const Real length = asked.square_root ? std::sqrt(n) : n;
        Real largest = 0;
        for (const Key& key : keys)
            for (std::size_t d = 0; d < shape.Dv; ++d)
                largest = std::max(largest, std::fabs(static_cast<Real>(data.v[key.j * shape.Dv + d])));
        for (std::size_t d = 0; d < shape.Dv; ++d) {
            const auto v = [&](const Key& key) { return static_cast<Real>(data.v[key.j * shape.Dv + d]); };
            Real o = 0, size = 0, weights = 0;
            for (const Key& key : keys) {
                o += key.p * v(key);
                size += key.p * std::fabs(v(key));
            }
            for (const Key& key : keys) {
                const Real theta =
                    std::expm1(u * ((static_cast<Real>(shape.D) + 4) * key.a + 3 * std::fabs(key.s - m) + 8));
                weights += key.p * theta * std::fabs(v(key) - o);
            }
            const Real bound = weights + u * (length + 2) * (size + std::fabs(o)) + u * logs * size +
                               (n + 2) * 0x1p-126L * (1 + largest) + static_cast<Real>(asked.u_out) * std::fabs(o) +
                               static_cast<Real>(asked.least);
            exact.value[i * shape.Dv + d] = static_cast<double>(o);
            exact.bound[i * shape.Dv + d] = static_cast<double>(bound);
        }
    }
    return exact;
}

} // namespace assay::tolerance
