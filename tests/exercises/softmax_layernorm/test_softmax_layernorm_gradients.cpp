// The analytic gradients of the oracle against central differences of sum(dy * forward), in long double.
#include "exercises/softmax_layernorm/softmax_layernorm.hpp"

#include <algorithm>

using namespace assay;
using namespace assay::softmax_layernorm_test;

namespace {

Row layernorm_of(const Row& x, const Row& gamma, const Row& beta, Real eps) {
    const Moments m = moments_of(x);
    Row y;
    for (std::size_t j = 0; j < x.size(); ++j)
        y.push_back(gamma[j] * (x[j] - m.mean) / std::sqrt(m.variance + eps) + beta[j]);
    return y;
}

Real dot(const Row& a, const Row& b) {
    Real sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
    return sum;
}

/// d loss / d values[j]
template <class Loss> Real difference(Row& values, std::size_t j, Real h, Loss loss) {
    const Real kept = values[j];
    values[j] = kept + h;
    const Real above = loss();
    values[j] = kept - h;
    const Real below = loss();
    values[j] = kept;
    return (above - below) / (2 * h);
}

} // namespace

TEST_CASE("the gradient through softmax is that of central differences") {
    Real worst = 0, largest = 0;
    for (const char* id : {"back-innermost", "back-middle", "back-outermost", "back-one-hot", "back-length-16"}) {
        const Problem problem = problem_of(id);
        const Truth truth = truths_of(problem)[0];
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            Row x = row_of(problem.array("x"), slice);
            const Row dy = row_of(problem.array("dy"), slice);
            for (std::size_t j = 0; j < x.size(); ++j) {
                const Real own = static_cast<Real>(truth.value[position(truth.extents, slice[j])]);
                const Real numeric = difference(x, j, 1e-5L, [&] { return dot(softmax_of(x), dy); });
                worst = std::max(worst, std::fabs(own - numeric));
                largest = std::max(largest, std::fabs(own));
            }
        });
    }
    CHECK(worst < 1e-9L);
    CHECK(largest > 0.1L);
}

TEST_CASE("the three gradients through layernorm are those of central differences") {
    Real worst = 0, largest = 0;
    for (const char* id : {"grad-innermost", "grad-middle", "grad-outermost", "grad-one-slice", "grad-eps"}) {
        const Problem problem = problem_of(id);
        const Truths truths = truths_of(problem);
        Row gamma = vector_of(problem.array("gamma"));
        Row beta(gamma.size(), 0.25L);
        const Real eps = static_cast<Real>(eps_of(problem));
        Row dgamma(gamma.size()), dbeta(gamma.size());
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            Row x = row_of(problem.array("x"), slice);
            const Row dy = row_of(problem.array("dy"), slice);
            const auto loss = [&] { return dot(layernorm_of(x, gamma, beta, eps), dy); };
            const Real spread = std::sqrt(moments_of(x).variance + eps);
            for (std::size_t j = 0; j < x.size(); ++j) {
                const Real own = static_cast<Real>(truths[0].value[position(truths[0].extents, slice[j])]);
                const Real numeric = difference(x, j, 1e-5L * spread, loss);
                worst = std::max(worst, std::fabs(own - numeric) * spread);
                largest = std::max(largest, std::fabs(own) * spread);
                dgamma[j] += difference(gamma, j, 1e-3L, loss); // linear in both
                dbeta[j] += difference(beta, j, 1e-3L, loss);
            }
        });
        for (std::size_t j = 0; j < gamma.size(); ++j) {
            worst = std::max(worst, std::fabs(dgamma[j] - static_cast<Real>(truths[1].value[j])));
            worst = std::max(worst, std::fabs(dbeta[j] - static_cast<Real>(truths[2].value[j])));
        }
    }
    CHECK(worst < 1e-8L);
    CHECK(largest > 0.1L);
}

TEST_CASE("what a shift or a scale of x leaves unchanged has no gradient along it") {
    for (const char* id : {"back-constant", "grad-constant-dy", "grad-scale"}) {
        INFO(id);
        const Truth truth = truths_of(problem_of(id))[0];
        double worst = 0;
        for (const double value : truth.value) worst = std::max(worst, std::fabs(value));
        CHECK(worst < (std::string_view(id) == "grad-scale" ? 1e-3 : 1e-12)); // eps alone keeps it from 0
    }
}
