// The truth of each level from its closed form, in extended precision. Mistakes are switches at the place where people
// make them, so that any number of them work together.
#include "contract.hpp"

#include "core/items.hpp"
#include "oracle.hpp"

#include <cmath>
#include <limits>

namespace assay::attention_scaling_judge {

namespace {

using real = long double;
using attention_scaling::law;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double rounded(real value) { return static_cast<double>(value); }

std::int64_t count_of(const Problem& problem, const Slips& on) {
    const std::int64_t d = problem.integer("d");
    return on("d-in-32-bits") ? static_cast<std::int32_t>(static_cast<std::uint32_t>(d)) : d;
}

/// A number that must be finite and at least 0. NaN goes through only where nothing is looked at.
bool sigma_taken(double sigma, bool unchecked, const Slips& on) {
    if (unchecked) return true;
    if (std::isnan(sigma)) return false;
    return (sigma >= 0 || on("negative-sigma-accepted")) && (std::isfinite(sigma) || on("infinity-accepted"));
}

struct Features {
    std::int64_t d;
    double sigma_q, sigma_k;
    bool taken;
};

Features features_of(const Problem& problem, bool unchecked, const Slips& on) {
    Features f{count_of(problem, on), problem.number_or("sigma_q", nan), problem.number_or("sigma_k", nan), false};
    f.taken = (f.d >= 1 || unchecked || on("d-unchecked")) && sigma_taken(f.sigma_q, unchecked, on) &&
              sigma_taken(f.sigma_k, unchecked, on);
    return f;
}

bool rho_taken(double rho, bool unchecked, const Slips& on) {
    if (unchecked) return true;
    if (std::isnan(rho) || (std::isinf(rho) && !on("infinity-accepted"))) return false;
    return std::fabs(rho) <= 1 || on("rho-unchecked");
}

/// Variance of one product of independent entries.
real product_variance(const Features& f, const Slips& on) {
    const real q = f.sigma_q, k = f.sigma_k;
    const bool plain = on("sigma-not-squared");
    if (on("sigmas-added")) return plain ? q + k : q * q + k * k;
    return plain ? q * k : q * q * k * k;
}

/// Adds variance and scale. `size` is the largest term that the product's variance is made of, where terms cancel.
void add_variance(Items& items, const Features& f, real product, real size, const Slips& on) {
    const real d = static_cast<real>(f.d);
    const real terms = on("d-forgotten") ? 1 : on("d-squared") ? d * d : d;
    const real variance = terms * product;
    const int reports_deviation = on.form("deviation-for-variance");
    const real reported = reports_deviation >= 0 ? std::sqrt(variance) : variance;
    items.number("variance", rounded(reported), "", 32, reports_deviation >= 0 ? 0 : rounded(terms * size));

    real scale = 1 / std::sqrt(reports_deviation == 1 ? reported : variance);
    if (on("scale-by-variance")) scale = 1 / reported;
    if (on("scale-without-sigma")) scale = 1 / std::sqrt(d);
    if (on("scale-by-d")) scale = 1 / d;
    if (on("scale-inverted")) scale = 1 / scale;
    // Half of the variance's relative error, and as much again for its own operations.
    const real magnified = product > 0 && size > product ? size / product : 1;
    items.number("scale", rounded(scale), "", 16 + 16 * rounded(magnified));
}

Truths moments(const Problem& problem, const Slips& on) {
    Items items;
    const Features f = features_of(problem, on("unchecked", 0), on);
    if (!f.taken) return items.number("product_variance", nan).number("variance", nan).number("scale", nan).take();
    const real product = product_variance(f, on);
    items.number("product_variance", rounded(product));
    add_variance(items, f, product, product, on);
    return items.take();
}

/// What one product's variance is multiplied by when its factors correlate. With q = sigma_q a and k = sigma_k (rho a +
/// sqrt(1 - rho^2) z), E[a^2] = 1 and kurtosis E[a^4] = K, the second moment is 1 + (K - 1) rho^2 and the variance 1 +
/// (K - 2) rho^2. K is 3 for a Gaussian, 9/5 for a uniform; signs have q k = ± sigma_q sigma_k and give that of K = 1.
real correlation_factor(law distribution, real rho, const Slips& on) {
    if (on("rho-forgotten", 0) || on("rho-forgotten", 1)) return 1;
    const bool gaussian = distribution == law::gaussian, signs = distribution == law::signs;
    const bool uniform = distribution == law::uniform;
    real kurtosis = gaussian ? 3.0L : signs ? 1.0L : 9.0L / 5;
    if ((on("gaussian-for-all", 0) && !gaussian) || (on("gaussian-for-all", 1) && signs) ||
        (on("gaussian-for-all", 2) && uniform))
        kurtosis = 3;
    if ((on("signs-for-all", 0) && !signs) || (on("signs-for-all", 1) && gaussian) ||
        (on("signs-for-all", 2) && uniform))
        kurtosis = 1;
    const real share = on("rho-not-squared") ? rho : rho * rho;
    return 1 + (kurtosis - (on("mean-not-subtracted") ? 1 : 2)) * share;
}

Truths correlation(const Problem& problem, const Slips& on) {
    Items items;
    const bool unchecked = on("unchecked", 1);
    const Features f = features_of(problem, unchecked, on);
    const double rho = problem.number_or("rho", nan);
    if (!f.taken || !rho_taken(rho, unchecked, on))
        return items.number("mean", nan)
            .number("product_variance", nan)
            .number("variance", nan)
            .number("scale", nan)
            .take();
    real mean = static_cast<real>(f.d) * rho * f.sigma_q * f.sigma_k;
    if (on("mean-without-d")) mean /= static_cast<real>(f.d);
    if (on("mean-without-sigma")) mean /= static_cast<real>(f.sigma_q) * f.sigma_k;
    if (on("mean-sigma-squared")) mean *= static_cast<real>(f.sigma_q) * f.sigma_k;
    if (on("rho-forgotten", 0) || on("rho-forgotten", 2)) mean = 0;
    items.number("mean", rounded(mean));
    // E[x^2] - E[x]^2 is a right way too, and its largest term is at most 1 + 2 rho^2 of the independent variance.
    const real independent = product_variance(f, on);
    const real size = independent * (1 + 2 * static_cast<real>(rho) * rho);
    const real product = independent * correlation_factor(static_cast<law>(problem.integer("distribution")), rho, on);
    items.number("product_variance", rounded(product), "", 32, rounded(size));
    add_variance(items, f, product, size, on);
    return items.take();
}

Truths aligned(const Problem& problem, const Slips& on) {
    Items items;
    const Features f = features_of(problem, false, on);
    const double rho = problem.number_or("rho", nan);
    const bool good = f.taken && f.d >= 1 && rho_taken(rho, false, on);
    const real d = static_cast<real>(f.d), size = static_cast<real>(f.sigma_q) * f.sigma_k;
    const real factor = 1 + static_cast<real>(rho) * rho;
    const real mean = rho * size, deviation = size * std::sqrt(factor);
    const auto item = [&](const char* name, real value) { items.number(name, good ? rounded(value) : nan); };
    item("mean_by_root", mean * (on("root-keeps-mean") ? 1 : std::sqrt(d)));
    item("deviation_by_root", deviation);
    item("mean_by_d", mean);
    item("deviation_by_d", deviation / (on("d-keeps-deviation") ? 1 : std::sqrt(d)));
    item("crossing", (on("crossing-of-independent") ? 1 : factor) / (static_cast<real>(rho) * rho));
    return items.take();
}

} // namespace

Truths oracle(const Problem& problem, const Slips& on) {
    if (problem.route == "independent") return moments(problem, on);
    if (problem.route == "correlated") return correlation(problem, on);
    if (problem.route == "softmax") return softmax_level(problem, on);
    if (problem.route == "saturation") return saturation_level(problem, on);
    return aligned(problem, on);
}

bool valid(const Problem& problem) {
    const auto has = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (!problem.has(name)) return false;
        return true;
    };
    if (problem.route == "independent") return has({"d", "sigma_q", "sigma_k"});
    if (problem.route == "correlated")
        return has({"d", "sigma_q", "sigma_k", "rho", "distribution"}) && problem.integer("distribution") >= 0 &&
               problem.integer("distribution") <= 2;
    if (problem.route == "aligned") return has({"d", "sigma_q", "sigma_k", "rho"});
    if (problem.route == "saturation") return has({"d", "keys"}) && problem.integer("keys") <= 1024;
    if (!has({"logits", "p", "jacobian"})) return false;
    const std::int64_t n = problem.array("logits").size();
    return problem.array("p").extents == Index{n} && problem.array("jacobian").extents == Index{n, n};
}

} // namespace assay::attention_scaling_judge
