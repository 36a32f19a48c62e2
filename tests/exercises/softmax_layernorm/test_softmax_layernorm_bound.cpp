// The error bounds of `softmax_layernorm`, their formulas written out again, and plain float32 within them.
#include "exercises/softmax_layernorm/softmax_layernorm.hpp"
#include "judge/compare.hpp"

#include <algorithm>
#include <map>

using namespace assay;
using namespace assay::softmax_layernorm_test;

namespace {

constexpr Real u = 0x1p-24L;
constexpr Real floor_of_y = 0x1p-126L;

/// Largest relative distance between the bound asked for and the oracle's, and whether the oracle's ever lies below.
class Comparison {
  public:
    void add(const Truth& truth, std::size_t at, Real formula) {
        const Real own = static_cast<Real>(truth.bound[at]);
        worst_ = std::max(worst_, std::fabs(own - formula) / formula);
    }
    double worst() const { return static_cast<double>(worst_); }

  private:
    Real worst_ = 0;
};

/// u(3|x - m| + 8), and E_y = y (t + sum y t + u(n + 3 + ln n)) + 2^-126.
struct SoftmaxBound {
    Row y, t, E;
    Real sum = 0, stray = 0, n = 0, m = 0;
    explicit SoftmaxBound(const Row& x) : y(softmax_of(x)), n(static_cast<Real>(x.size())) {
        m = *std::max_element(x.begin(), x.end());
        for (std::size_t j = 0; j < x.size(); ++j) {
            t.push_back(u * (3 * std::fabs(x[j] - m) + 8));
            stray += y[j] * t[j];
            sum += std::exp(x[j] - m);
        }
        for (std::size_t j = 0; j < x.size(); ++j)
            E.push_back(y[j] * (t[j] + stray + u * (n + 3 + std::log(n))) + floor_of_y);
    }
};

/// mean error, rho and E of layernorm.
struct LayernormBound {
    Moments moments;
    Real n, r, mean_error, rho;
    Row d, E;
    LayernormBound(const Row& x, Real eps) : moments(moments_of(x)), n(static_cast<Real>(x.size())) {
        const Real v = moments.variance;
        r = 1 / std::sqrt(v + eps);
        mean_error = u * (n + 1) * moments.mean_size;
        const Real root = v == 0 ? 0 : u * (n + 4) * v * std::sqrt(1 + moments.mean * moments.mean / v);
        const Real q = (root + mean_error * mean_error) / (v + eps);
        rho = std::max(1 / std::sqrt(std::max(1 - q, eps / (v + eps))) - 1, 1 - 1 / std::sqrt(1 + q)) + 3 * u;
        for (const Real one : x) {
            d.push_back(one - moments.mean);
            E.push_back(r * (mean_error + (2 * u + rho) * std::fabs(d.back())) * (1 + rho));
        }
    }
};

} // namespace

TEST_CASE("the bounds of softmax and log-softmax are their formulas") {
    Comparison softmax, log_softmax;
    for (const char* id : {"innermost", "middle", "far-below", "ten-thousand", "softmax-length-127"}) {
        const Problem problem = problem_of(id);
        const Truth truth = truths_of(problem)[0];
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            const SoftmaxBound bound(row_of(problem.array("x"), slice));
            for (std::size_t j = 0; j < slice.size(); ++j)
                softmax.add(truth, position(truth.extents, slice[j]), bound.E[j]);
        });
    }
    for (const char* id : {"log-middle", "deep", "log-ten-thousand", "log-length-31"}) {
        const Problem problem = problem_of(id);
        const Truth truth = truths_of(problem)[0];
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            const Row x = row_of(problem.array("x"), slice);
            const SoftmaxBound bound(x);
            const Real log_sum = std::log(bound.sum);
            for (std::size_t j = 0; j < slice.size(); ++j) {
                const Real d = x[j] - bound.m;
                log_softmax.add(truth, position(truth.extents, slice[j]),
                                bound.stray + u * (bound.n + 3) +
                                    u * (3 * std::fabs(d) + 4 * log_sum + 2 * std::fabs(d - log_sum)));
            }
        });
    }
    CHECK(softmax.worst() < 1e-9);
    CHECK(log_softmax.worst() < 1e-9);
}

TEST_CASE("the bound of the way back through softmax is its formula") {
    Comparison comparison;
    for (const char* id : {"back-middle", "back-far", "back-length-16"}) {
        const Problem problem = problem_of(id);
        const Truth truth = truths_of(problem)[0];
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            const SoftmaxBound b(row_of(problem.array("x"), slice));
            const Row dy = row_of(problem.array("dy"), slice);
            Real s = 0, size = 0, stray = 0, all = 0;
            for (std::size_t j = 0; j < dy.size(); ++j) s += b.y[j] * dy[j], size += b.y[j] * std::fabs(dy[j]);
            for (std::size_t j = 0; j < dy.size(); ++j) stray += b.E[j] * std::fabs(dy[j] - s), all += std::fabs(dy[j]);
            for (std::size_t j = 0; j < dy.size(); ++j)
                comparison.add(truth, position(truth.extents, slice[j]),
                               b.E[j] * std::fabs(dy[j] - s) +
                                   b.y[j] *
                                       (stray + u * (b.n + 1) * size + u * (b.n + 3 + std::log(b.n)) * std::fabs(s) +
                                        3 * u * (std::fabs(dy[j]) + std::fabs(s))) +
                                   0x1p-126L * (b.n + 4) * (1 + std::fabs(dy[j]) + all)); // what may be flushed
        });
    }
    CHECK(comparison.worst() < 1e-9);
}

TEST_CASE("the bounds of layernorm and of its gradients are their formulas") {
    Comparison forward, back, parameters;
    for (const char* id : {"one-hot", "affine-middle", "small", "constant", "mean-1e4", "layernorm-length-127"}) {
        const Problem problem = problem_of(id);
        const Truth truth = truths_of(problem)[0];
        const Row gamma = vector_of(problem.array("gamma")), beta = vector_of(problem.array("beta"));
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            const LayernormBound b(row_of(problem.array("x"), slice), static_cast<Real>(eps_of(problem)));
            for (std::size_t j = 0; j < slice.size(); ++j) {
                const Real scaled = gamma[j] * b.d[j] * b.r;
                forward.add(truth, position(truth.extents, slice[j]),
                            std::fabs(gamma[j]) * b.E[j] +
                                u * (3 * std::fabs(scaled) + std::fabs(beta[j]) + std::fabs(scaled + beta[j])));
            }
        });
    }
    for (const char* id : {"grad-middle", "grad-small", "grad-mean-1e4", "grad-length-31"}) {
        const Problem problem = problem_of(id);
        const Truths truths = truths_of(problem);
        const Row gamma = vector_of(problem.array("gamma"));
        const auto slices = static_cast<Real>(problem.array("x").size()) / static_cast<Real>(gamma.size());
        Row dgamma(gamma.size()), dbeta(gamma.size());
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            const LayernormBound b(row_of(problem.array("x"), slice), static_cast<Real>(eps_of(problem)));
            const Row dy = row_of(problem.array("dy"), slice);
            Real a = 0, c = 0, size = 0, Ec = 0;
            const auto xhat = [&](std::size_t j) { return b.d[j] * b.r; };
            const auto Ex = [&](std::size_t j) { return b.E[j] + u * std::fabs(xhat(j)); };
            for (std::size_t j = 0; j < dy.size(); ++j) {
                const Real g = gamma[j] * dy[j];
                a += g / b.n, c += g * xhat(j) / b.n, size += std::fabs(g) / b.n;
                Ec += (u * (b.n + 3) * std::fabs(g * xhat(j)) + std::fabs(g) * Ex(j)) / b.n;
                dgamma[j] += std::fabs(dy[j]) * Ex(j) + u * (slices + 2) * std::fabs(dy[j] * xhat(j));
                dbeta[j] += u * (slices + 1) * std::fabs(dy[j]);
            }
            for (std::size_t j = 0; j < dy.size(); ++j) {
                const Real g = gamma[j] * dy[j], dx = b.r * (g - a - xhat(j) * c);
                const Real inner = 4 * u * (std::fabs(g) + std::fabs(a) + std::fabs(xhat(j) * c)) +
                                   u * (b.n + 2) * size + std::fabs(xhat(j)) * Ec + Ex(j) * (std::fabs(c) + Ec);
                back.add(truths[0], position(truths[0].extents, slice[j]),
                         std::fabs(dx) * (b.rho + 2 * u) + b.r * (1 + b.rho) * inner);
            }
        });
        for (std::size_t j = 0; j < gamma.size(); ++j) {
            parameters.add(truths[1], j, dgamma[j]);
            parameters.add(truths[2], j, dbeta[j]);
        }
    }
    CHECK(forward.worst() < 1e-9);
    CHECK(back.worst() < 1e-9);
    CHECK(parameters.worst() < 1e-9);
}

TEST_CASE("a bound whose rho stops at 1 would reject Welford on two neighbouring floats") {
    const float a = std::nextafter(1e6f, 2e6f), b = std::nextafter(a, 2e6f); // 1/16 apart: their mean rounds to b
    Problem problem;
    problem.route = "layernorm";
    const Array x =
        Array::of(Dtype::f32, {1, 1, 2}, std::vector<double>{static_cast<double>(a), static_cast<double>(b)});
    problem.fields = {{"x", x, {}},
                      {"gamma", Array::of(Dtype::f32, {2}, std::vector<double>{1, 1}), {}},
                      {"beta", Array::zeros(Dtype::f32, {2}), {}},
                      {"axis", std::int64_t{2}, {}},
                      {"eps", 1e-5, {}},
                      {"y", x, {}}};
    float mean = 0, squares = 0, count = 0;
    for (const float one : {a, b}) {
        count += 1;
        const float before = one - mean;
        mean += before / count;
        squares += before * (one - mean);
    }
    const double y = static_cast<double>((a - mean) / std::sqrt(squares / 2 + 1e-5f));
    const double other = static_cast<double>((b - mean) / std::sqrt(squares / 2 + 1e-5f));
    const Truth truth = truths_of(problem)[0];
    const LayernormBound bound({static_cast<Real>(a), static_cast<Real>(b)}, static_cast<Real>(1e-5f));
    const double error = std::max(std::fabs(y - truth.value[0]), std::fabs(other - truth.value[1]));
    const Real capped = bound.r * (bound.mean_error + (2 * u + 1) * std::fabs(bound.d[0])) * 2;
    WARN("error " << error << ", bound " << truth.bound[0] << ", with rho at most 1 " << static_cast<double>(capped));
    CHECK(error > static_cast<double>(capped));
    CHECK(error <= std::min(truth.bound[0], truth.bound[1]));
}

TEST_CASE("softmax_layernorm: plain float32 lies within the bound on every case and every random problem") {
    std::map<std::string, double> worst;
    for (std::uint64_t seed = 0; seed < 5; ++seed)
        for_each_case(seed, [&](const Level& level, const Case& one, const Problem& problem) {
            const double ratio = worst_ratio(exercise().plain(problem), truths_of(problem));
            INFO(level.id << ", case " << one.id);
            CHECK(ratio <= 1);
            worst[level.id] = std::max(worst[level.id], ratio);
        });
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = exercise().random(seed);
        const double ratio = worst_ratio(exercise().plain(problem), truths_of(problem));
        if (!(ratio <= 1)) FAIL_CHECK("random problem " << seed << ", route " << problem.route << ": " << ratio);
        worst["random " + problem.route] = std::max(worst["random " + problem.route], ratio);
    }
    std::string report = "largest error / bound of plain float32:";
    for (const auto& [where, ratio] : worst) report += " " + where + " " + std::to_string(ratio) + ",";
    WARN(report);
    CHECK(worst.size() == 13);
}
