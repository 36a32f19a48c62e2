// A quotient of squares.
// Level: error
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

namespace {

/// exp(s - max) of one query and these keys.
std::vector<double> weights_of(tensor<const double, 3> q, tensor<const double, 3> k, std::int64_t h, std::int64_t i,
                               const std::vector<std::int64_t>& keys) {
    const double scale = 1 / std::sqrt(double(q.extent(2)));
    std::vector<double> s;
    for (std::int64_t j : keys) {
        double dot = 0;
        for (std::int64_t d = 0; d < q.extent(2); ++d) dot += q(h, i, d) * k(h, j, d);
        s.push_back(scale * dot);
    }
    const double m = *std::max_element(s.begin(), s.end());
    for (double& one : s) one = std::exp(one - m);
    return s;
}

} // namespace

comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, std::int64_t window,
                   std::int64_t globals) {
    const std::int64_t H = q.extent(0), L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    const std::int64_t w = std::min(window, L), g = std::min(globals, L);
    double exact_pairs = 0, kept_pairs = 0, masses = 0, least = 1, largest = 0, apart = 0, norm = 0;
    for (std::int64_t h = 0; h < H; ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            const std::int64_t low = std::max<std::int64_t>(i - w + 1, 0);
            std::vector<std::int64_t> all, kept;
            for (std::int64_t j = 0; j <= i; ++j) all.push_back(j);
            for (std::int64_t j = 0; j < std::min(g, low); ++j) kept.push_back(j);
            for (std::int64_t j = low; j <= i; ++j) kept.push_back(j);
            exact_pairs += double(all.size());
            kept_pairs += double(kept.size());
            const std::vector<double> exact = weights_of(q, k, h, i, all), near = weights_of(q, k, h, i, kept);
            double sum = 0, near_sum = 0, on_kept = 0;
            for (double one : exact) sum += one;
            for (double one : near) near_sum += one;
            for (std::int64_t j : kept) on_kept += exact[std::size_t(j)];
            const double mass = on_kept / sum;
            masses += mass;
            least = std::min(least, mass);
            for (std::int64_t d = 0; d < Dv; ++d) {
                double e = 0, a = 0;
                for (std::size_t t = 0; t < all.size(); ++t) e += exact[t] / sum * v(h, all[t], d);
                for (std::size_t t = 0; t < kept.size(); ++t) a += near[t] / near_sum * v(h, kept[t], d);
                largest = std::max(largest, std::fabs(a - e));
                apart += (a - e) * (a - e);
                norm += e * e;
            }
        }
    comparison c;
    c.pairs_exact = exact_pairs;
    c.pairs_kept = kept_pairs;
    c.share = kept_pairs / exact_pairs;
    c.flops_saved = 2 * double(D + Dv) * (exact_pairs - kept_pairs);
    c.mean_mass = masses / double(H * L);
    c.least_mass = least;
    c.max_error = largest;
    c.relative_error = apart / norm;
    return c;
}

} // namespace long_attention
