// Everything in long double and rounded once; the Jacobian column by column as the derivative along a unit vector.
#include "contract.hpp"

#include <cmath>
#include <vector>

namespace attention_scaling {

namespace {

using real = long double;

enum class fault { none, size, sigma, rho };

fault look(std::int64_t d, double q, double k, double rho = 0) {
    if (d < 1) return fault::size;
    for (const double sigma : {q, k})
        if (std::isnan(sigma) || std::isinf(sigma) || sigma < 0) return fault::sigma;
    return std::isnan(rho) || std::fabs(rho) > 1 ? fault::rho : fault::none;
}

std::vector<real> weights_of(const std::vector<real>& x) {
    real largest = x.front(), total = 0;
    std::vector<real> p;
    for (const real one : x) largest = one > largest ? one : largest;
    for (const real one : x) p.push_back(expl(one - largest)), total += p.back();
    for (real& one : p) one /= total;
    return p;
}

real entropy_of(const std::vector<real>& p) {
    real entropy = 0;
    for (const real one : p) entropy += one == 0 ? 0 : one * -logl(one);
    return entropy;
}

/// dp along logit j: p ∘ (e_j - p_j).
std::vector<real> column(const std::vector<real>& p, std::size_t j) {
    std::vector<real> change;
    for (std::size_t i = 0; i < p.size(); ++i) change.push_back(p[i] * ((i == j) - p[j]));
    return change;
}

real norm_of(const std::vector<real>& p) {
    real squares = 0;
    for (std::size_t j = 0; j < p.size(); ++j)
        for (const real entry : column(p, j)) squares += entry * entry;
    return sqrtl(squares);
}

} // namespace

moments independent(features f) {
    if (look(f.d, f.sigma_q, f.sigma_k) != fault::none) return {};
    const real product = powl(real(f.sigma_q) * f.sigma_k, 2);
    return {double(product), double(real(f.d) * product), double(1 / sqrtl(real(f.d) * product))};
}

joint_moments correlated(joint_features f) {
    if (look(f.d, f.sigma_q, f.sigma_k, f.rho) != fault::none) return {};
    const real weight = f.distribution == law::gaussian ? 1 : f.distribution == law::signs ? -1 : -0.2L;
    const real sigmas = real(f.sigma_q) * f.sigma_k, rho = f.rho, d = real(f.d);
    const real product = sigmas * sigmas * (1 + weight * rho * rho);
    return {double(d * rho * sigmas), double(product), double(d * product), double(1 / sqrtl(d * product))};
}

sensitivity softmax(tensor<const double, 1> logits, tensor<double, 1> p, tensor<double, 2> jacobian) {
    const auto n = static_cast<std::size_t>(logits.extent(0));
    std::vector<real> x;
    for (std::size_t i = 0; i < n; ++i)
        if (std::isfinite(logits(i))) x.push_back(logits(i));
    const bool valid = n > 0 && x.size() == n;
    const std::vector<real> exact = valid ? weights_of(x) : std::vector<real>(n, NAN);
    for (std::size_t j = 0; j < n; ++j) {
        p(j) = double(exact[j]);
        const std::vector<real> change = column(exact, j);
        for (std::size_t i = 0; i < n; ++i) jacobian(i, j) = double(change[i]);
    }
    if (!valid) return {};
    return {double(norm_of(exact)), double(entropy_of(exact))};
}

comparison saturation(std::int64_t d, std::int64_t keys) {
    if (d < 1 || keys < 2) return {};
    double items[12];
    double* next = items;
    for (const real power : {0.5L, 0.0L, -0.5L}) {
        std::vector<real> x;
        for (std::int64_t j = 0; j < keys; ++j)
            x.push_back(powl(real(d), power) * sqrtl(3 / (real(keys) * real(keys) - 1)) * real(2 * j - keys + 1));
        const std::vector<real> p = weights_of(x);
        *next++ = double(powl(real(d), power));
        *next++ = double(p.back());
        *next++ = double(entropy_of(p));
        *next++ = double(norm_of(p));
    }
    return {items[0], items[1], items[2], items[3], items[4],  items[5],
            items[6], items[7], items[8], items[9], items[10], items[11]};
}

logits_after_training aligned(aligned_features f) {
    if (look(f.d, f.sigma_q, f.sigma_k, f.rho) != fault::none) return {};
    const real sigmas = real(f.sigma_q) * f.sigma_k, rho = f.rho, d = real(f.d);
    logits_after_training t;
    t.mean_by_root = double(d * rho * sigmas / sqrtl(d));
    t.deviation_by_root = double(sqrtl(d * (1 + rho * rho)) * sigmas / sqrtl(d));
    t.mean_by_d = double(rho * sigmas);
    t.deviation_by_d = double(sqrtl(d * (1 + rho * rho)) * sigmas / d);
    t.crossing = double(1 + 1 / (rho * rho));
    return t;
}

} // namespace attention_scaling
