// Jacobian, norm and entropy derived a second time: by differences, and from the log-partition function.
#include "attention_scaling.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace assay;
using namespace assay::attention_scaling_test;

namespace {

using real = long double;
using Reals = std::vector<real>;
constexpr real epsilon = std::numeric_limits<real>::epsilon();

/// ln Σ exp(t x): its derivative by t is the mean of x, by x_i it is p_i.
real log_partition(const Reals& x, real t = 1) {
    const real m = *std::max_element(x.begin(), x.end());
    real total = 0;
    for (const real one : x) total += std::exp(t * (one - m));
    return t * m + std::log(total);
}

real weight(const Reals& x, std::size_t i) { return std::exp(x[i] - log_partition(x)); }

Reals random_logits(Random& random) {
    Reals x;
    const std::int64_t n = random.integer(1, 9);
    const double spread = random.uniform(0.1, 6);
    for (std::int64_t i = 0; i < n; ++i) x.push_back(spread * random.normal());
    return x;
}

Truths truths_at(const Reals& x) {
    std::vector<double> rounded;
    for (const real one : x) rounded.push_back(static_cast<double>(one));
    return truths_of(softmax(rounded));
}

} // namespace

TEST_CASE("attention_scaling: p and its Jacobian by central differences", "[attention_scaling]") {
    Random random(31, "differences");
    // Third derivatives of p_i by x_j are at most 1/4, so a difference over h is off by h^2/24 at most, and by its
    // rounding: the exponent, of size up to 40, rounds by 40 epsilon.
    const real h = 1e-4L;
    const double allowed = static_cast<double>(h * h / 24 + 100 * epsilon / h) + 1e-14;
    for (int set = 0; set < 200; ++set) {
        const Reals x = random_logits(random);
        const Truths truths = truths_at(x);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < x.size(); ++j) {
                Reals above = x, below = x;
                above[j] += h;
                below[j] -= h;
                const real difference = (weight(above, i) - weight(below, i)) / (2 * h);
                const double entry = item(truths, "jacobian").value[i * x.size() + j];
                CHECK(std::fabs(entry - static_cast<double>(difference)) <= allowed);
                const real slope = (log_partition(above) - log_partition(below)) / (2 * h);
                CHECK(std::fabs(item(truths, "p").value[j] - static_cast<double>(slope)) <= allowed);
            }
    }
}

TEST_CASE("attention_scaling: the Jacobian's rows sum to 0, and its norm is that of its entries",
          "[attention_scaling]") {
    Random random(32, "rows");
    for (int set = 0; set < 200; ++set) {
        const Reals x = random_logits(random);
        const Truths truths = truths_at(x);
        const std::vector<double>& p = item(truths, "p").value;
        double s2 = 0, s3 = 0, total = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            double row = 0;
            for (std::size_t j = 0; j < x.size(); ++j) row += item(truths, "jacobian").value[i * x.size() + j];
            CHECK(std::fabs(row) < 1e-15 * static_cast<double>(x.size()));
            total += p[i];
            s2 += p[i] * p[i];
            s3 += p[i] * p[i] * p[i];
        }
        CHECK(total == Approx(1).epsilon(1e-14));
        // Away from one-hot the closed form is as good; its root is not, so the squares are compared.
        const double norm = number(truths, "norm");
        CHECK(std::fabs(norm * norm - (s2 - 2 * s3 + s2 * s2)) < 1e-14);
    }
}

TEST_CASE("attention_scaling: entropy from the log-partition function", "[attention_scaling]") {
    Random random(33, "entropy");
    // H = ln Z(1) - d/dt ln Z(t) at 1, which is no sum of p ln p. The third cumulant of logits within 36 of each other
    // is below 36^3 / 10.
    const real h = 1e-6L;
    for (int set = 0; set < 200; ++set) {
        const Reals x = random_logits(random);
        const real slope = (log_partition(x, 1 + h) - log_partition(x, 1 - h)) / (2 * h);
        const double entropy = static_cast<double>(log_partition(x) - slope);
        CHECK(std::fabs(number(truths_at(x), "entropy") - entropy) <=
              static_cast<double>(36 * 36 * 36 * h * h / 60 + 200 * epsilon / h) + 1e-14);
    }
}

TEST_CASE("attention_scaling: the standard keys have mean 0, variance 1 and are put through level 3",
          "[attention_scaling]") {
    Random random(34, "saturation");
    for (int set = 0; set < 200; ++set) {
        const std::int64_t d = random.integer(1, 400), keys = random.integer(2, 40);
        const Truths all = truths_of(saturation(d, keys));
        Reals place; // 0 ... n - 1, standardised by what they measure
        real mean = 0, variance = 0;
        for (std::int64_t j = 0; j < keys; ++j) mean += static_cast<real>(j) / static_cast<real>(keys);
        for (std::int64_t j = 0; j < keys; ++j)
            variance += (static_cast<real>(j) - mean) * (static_cast<real>(j) - mean) / static_cast<real>(keys);
        const real root = std::sqrt(static_cast<real>(d));
        const std::pair<const char*, real> rules[] = {
            {"_unscaled", 1}, {"_by_root", 1 / root}, {"_by_d", 1 / (root * root)}};
        for (const auto& [suffix, scale] : rules) {
            Reals x;
            for (std::int64_t j = 0; j < keys; ++j)
                x.push_back(scale * root * (static_cast<real>(j) - mean) / std::sqrt(variance));
            const Truths one = truths_at(x);
            const std::string rule = suffix;
            CHECK(number(all, "deviation" + rule) == Approx(static_cast<double>(scale * root)));
            CHECK(number(all, "largest" + rule) == Approx(item(one, "p").value.back()).epsilon(1e-12));
            CHECK(number(all, "entropy" + rule) == Approx(number(one, "entropy")).epsilon(1e-10).margin(1e-13));
            CHECK(number(all, "norm" + rule) == Approx(number(one, "norm")).epsilon(1e-10).margin(1e-13));
        }
    }
}

TEST_CASE("attention_scaling: saturation grows with d unscaled, and only there", "[attention_scaling]") {
    for (const std::int64_t keys : {2, 7, 33}) {
        const Truths base = truths_of(saturation(16, keys));
        for (const std::int64_t d : {64, 256}) {
            const Truths wider = truths_of(saturation(d, keys)), narrower = truths_of(saturation(d / 4, keys));
            CHECK(number(wider, "entropy_unscaled") < number(narrower, "entropy_unscaled"));
            // with 33 keys, neighbours are still close at d = 64: the norm first grows as the far ones drop out
            if (keys < 33) CHECK(number(wider, "norm_unscaled") < number(narrower, "norm_unscaled"));
            CHECK(number(wider, "entropy_by_d") > number(narrower, "entropy_by_d"));
            CHECK(number(wider, "entropy_by_root") == number(base, "entropy_by_root"));
            CHECK(number(wider, "norm_by_root") == number(base, "norm_by_root"));
        }
    }
}
