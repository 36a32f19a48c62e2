// The moments of q.k against samples of it, and of signs against an enumeration of every outcome.
//
// A sample's mean has standard error s / sqrt(N), its variance sqrt((m4 - s^4) / N), both taken from the same sample. A
// formula stands where the estimate lies within 5.5 of them: of the 2200 comparisons here, chance would fail one with
// probability 1e-4 if they were Gaussian. Normal variates come from Box-Muller, not from Random::normal: that one is a
// sum of twelve uniforms, whose fourth moment is 2.9 in place of 3, and Var(q k) depends on it.
#include "attention_scaling.hpp"
#include "core/random.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

using namespace assay;
using namespace assay::attention_scaling_test;

namespace {

constexpr int sets = 200;
constexpr int samples = 4000;
constexpr double multiple = 5.5;

struct Parameters {
    std::int64_t d;
    double sigma_q, sigma_k, rho;
};

Parameters draw(Random& random) {
    return {random.integer(1, 12), std::exp(random.uniform(-2, 2)), std::exp(random.uniform(-2, 2)),
            random.uniform(-1, 1)};
}

/// Two independent standard normal variates.
std::array<double, 2> normals(Random& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    const double angle = 2 * std::numbers::pi * random.uniform();
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

using Pair = std::function<std::array<double, 2>(Random&, double rho)>; // variances 1

std::array<double, 2> gaussian_pair(Random& random, double rho) {
    const auto [a, z] = normals(random);
    return {a, rho * a + std::sqrt(1 - rho * rho) * z};
}

std::array<double, 2> sign_pair(Random& random, double rho) {
    const double q = random.chance(0.5) ? 1 : -1;
    return {q, random.chance((1 + rho) / 2) ? q : -q};
}

/// z is a sign here: its distribution may not matter.
std::array<double, 2> uniform_pair(Random& random, double rho) {
    const double a = random.uniform(-std::sqrt(3.0), std::sqrt(3.0));
    return {a, rho * a + std::sqrt(1 - rho * rho) * (random.chance(0.5) ? 1 : -1)};
}

struct Estimate {
    double mean, mean_error, variance, variance_error;
};

Estimate estimate(const Parameters& of, const Pair& pair, Random& random) {
    std::vector<double> dots;
    double mean = 0, m2 = 0, m4 = 0;
    for (int sample = 0; sample < samples; ++sample) {
        double dot = 0;
        for (std::int64_t i = 0; i < of.d; ++i) {
            const auto [q, k] = pair(random, of.rho);
            dot += of.sigma_q * q * of.sigma_k * k;
        }
        dots.push_back(dot);
        mean += dot / samples;
    }
    for (const double dot : dots) {
        const double square = (dot - mean) * (dot - mean);
        m2 += square / samples;
        m4 += square * square / samples;
    }
    return {mean, std::sqrt(m2 / samples), m2 * samples / (samples - 1), std::sqrt((m4 - m2 * m2) / samples)};
}

bool within(double formula, double value, double error) { return std::fabs(formula - value) <= multiple * error; }

/// Holds `law` against samples; gives in how many sets a mistake in its form is told from the right formula.
int check_law(std::int64_t law, const Pair& pair, std::string_view mistake, int form) {
    Random random(11, "monte carlo " + std::to_string(law));
    int told = 0;
    for (int set = 0; set < sets; ++set) {
        const Parameters of = draw(random);
        const Estimate seen = estimate(of, pair, random);
        const Problem problem = correlated(of.d, of.sigma_q, of.sigma_k, of.rho, law);
        const Truths truths = truths_of(problem);
        INFO("d " << of.d << " sigmas " << of.sigma_q << " " << of.sigma_k << " rho " << of.rho);
        CHECK(within(number(truths, "mean"), seen.mean, seen.mean_error));
        CHECK(within(number(truths, "variance"), seen.variance, seen.variance_error));
        const double scale = number(truths, "scale");
        CHECK(within(1, seen.variance * scale * scale, seen.variance_error * scale * scale));
        const double wrong = number(truths_of(problem, mistake, form), "variance");
        told += within(wrong, seen.variance, seen.variance_error) ? 0 : 1;
    }
    return told;
}

} // namespace

TEST_CASE("attention_scaling: Gaussian entries by Monte Carlo", "[attention_scaling]") {
    CHECK(check_law(0, gaussian_pair, "signs-for-all", 1) > sets / 2);
}

TEST_CASE("attention_scaling: signs by Monte Carlo", "[attention_scaling]") {
    CHECK(check_law(1, sign_pair, "gaussian-for-all", 1) > sets / 2);
}

TEST_CASE("attention_scaling: a uniform q by Monte Carlo", "[attention_scaling]") {
    CHECK(check_law(2, uniform_pair, "gaussian-for-all", 2) > sets / 3);
}

TEST_CASE("attention_scaling: independence is enough, whatever the distributions", "[attention_scaling]") {
    Random random(12, "independent");
    for (int set = 0; set < sets; ++set) {
        const Parameters of = draw(random);
        // q two-valued and lopsided, k the harness's sum of twelve uniforms: only the second moments count
        const Estimate seen = estimate(
            of,
            [](Random& r, double) -> std::array<double, 2> {
                return {r.chance(0.2) ? 2.0 : -0.5, r.normal()};
            },
            random);
        const Truths truths = truths_of(independent(of.d, of.sigma_q, of.sigma_k));
        CHECK(within(0, seen.mean, seen.mean_error));
        CHECK(within(number(truths, "variance"), seen.variance, seen.variance_error));
    }
}

TEST_CASE("attention_scaling: signs by enumeration of all outcomes", "[attention_scaling]") {
    Random random(13, "enumeration");
    for (int set = 0; set < sets; ++set) {
        const Parameters of = draw(random);
        const double size = of.sigma_q * of.sigma_k;
        double mean = 0, second = 0;
        for (unsigned outcome = 0; outcome < (1U << of.d); ++outcome) { // bit i: whether the signs of pair i agree
            double probability = 1, dot = 0;
            for (std::int64_t i = 0; i < of.d; ++i) {
                const bool agree = (outcome >> i & 1) != 0;
                probability *= (agree ? 1 + of.rho : 1 - of.rho) / 2;
                dot += agree ? size : -size;
            }
            mean += probability * dot;
            second += probability * dot * dot;
        }
        const Truths truths = truths_of(correlated(of.d, of.sigma_q, of.sigma_k, of.rho, 1));
        CHECK(number(truths, "mean") == Approx(mean).epsilon(1e-10).margin(1e-10 * size));
        CHECK(number(truths, "variance") == Approx(second - mean * mean).margin(1e-9 * second));
    }
}

TEST_CASE("attention_scaling: the crossing is where mean and deviation of level 2 meet", "[attention_scaling]") {
    Random random(14, "crossing");
    for (int set = 0; set < sets; ++set) {
        const Parameters of = draw(random);
        const Truths truths = truths_of(aligned(of.d, of.sigma_q, of.sigma_k, of.rho));
        const auto at = [&](std::int64_t d) { return truths_of(correlated(d, of.sigma_q, of.sigma_k, of.rho, 0)); };
        const double root = std::sqrt(static_cast<double>(of.d)), d = static_cast<double>(of.d);
        const double mean = number(at(of.d), "mean"), deviation = std::sqrt(number(at(of.d), "variance"));
        CHECK(number(truths, "mean_by_root") == Approx(mean / root));
        CHECK(number(truths, "deviation_by_root") == Approx(deviation / root));
        CHECK(number(truths, "mean_by_d") == Approx(mean / d));
        CHECK(number(truths, "deviation_by_d") == Approx(deviation / d));
        const double crossing = number(truths, "crossing");
        if (crossing > 1e15) continue; // rho of 3e-8: d is no integer that float64 holds
        const auto below = static_cast<std::int64_t>(crossing * (1 - 1e-12)), above = below + 1;
        const auto leads = [&](std::int64_t n) {
            return std::fabs(number(at(n), "mean")) >= std::sqrt(number(at(n), "variance")) * (1 - 1e-12);
        };
        CHECK(leads(above + 1));
        if (below > 1) CHECK_FALSE(leads(below - 1));
    }
}
