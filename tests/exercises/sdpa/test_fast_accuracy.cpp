// How far the fast solution strays from the truth, beside the plain float32 implementation: over the cases of the
// levels, whose rows are short, and over long rows.
#include "../../../exercises/sdpa/cases.hpp"
#include "exercises/sdpa/fast.hpp"
#include "judge/compare.hpp"

#include <algorithm>

using namespace assay;
using namespace assay::sdpa_test;

namespace {

/// Errors of both, over the same problems.
struct Errors {
    double fast_most = 0, fast_sum = 0, plain_most = 0, plain_sum = 0;

    void add(Fast& fast, const Problem& problem) {
        const Truth truth = truth_of(problem);
        const Outputs answer = fast.answer(problem);
        CHECK(worst_ratio(answer, {truth}) <= 1);
        count(answer, truth, fast_most, fast_sum);
        count(sdpa().plain(problem), truth, plain_most, plain_sum);
    }
    double mean_ratio() const { return fast_sum / plain_sum; }
    double most_ratio() const { return fast_most / plain_most; }

  private:
    static void count(const Outputs& answer, const Truth& truth, double& most, double& sum) {
        const std::vector<double> values = answer.find("out")->values();
        for (std::size_t n = 0; n < values.size(); ++n) {
            const double error = std::fabs(values[n] - truth.value[n]);
            most = std::max(most, error);
            sum += error;
        }
    }
};

} // namespace

TEST_CASE("fast is no farther from the truth than plain float32, on the shapes of the levels") {
    // The mean error of a shape is what can be compared. The largest of a few hundred is a draw: exact logits and exact
    // exponentials, rounded once, have the larger one in a quarter of the cases as well. Of those the mean is taken.
    constexpr std::uint64_t seeds = 40;
    Fast fast;
    double means = 0, largest = 0;
    int cases = 0;
    for (const Level& level : sdpa().levels)
        for (const Case& one : level.cases) {
            if (one.make(0).route != "attention") continue;
            INFO(level.id << ", case " << one.id);
            Errors errors;
            for (std::uint64_t seed = 0; seed < seeds; ++seed) errors.add(fast, one.make(seed));
            if (errors.plain_sum == 0) { // nothing is rounded: one key, or none
                CHECK(errors.fast_sum == 0);
                continue;
            }
            CHECK(errors.mean_ratio() <= 1.06); // 40 seeds leave 3 % of noise
            means += std::log(errors.mean_ratio());
            largest += std::log(errors.most_ratio());
            ++cases;
        }
    WARN("fast / plain over " << cases << " cases, geometric means: mean error " << std::exp(means / cases)
                              << ", largest error " << std::exp(largest / cases));
    CHECK(cases > 60);
    // 0.939 where this was written (Zen 3, AVX2); other instruction sets add in another order.
    CHECK(std::exp(means / cases) < 1);
    CHECK(std::exp(largest / cases) < 1);
}

TEST_CASE("fast is closer to the truth than plain float32 on long rows") {
    Fast fast;
    double largest = 0;
    for (const bool causal : {false, true})
        for (const std::int64_t width : {64, 128})
            for (const std::int64_t rows : {1, 40}) { // a decode step, and blocks
                Errors errors;
                for (std::uint64_t seed = 0; seed < 3; ++seed) {
                    sdpa_judge::Draft draft("attention", {1, 2, 2, rows, 1000, width, width}, seed, "long");
                    draft.causal = causal;
                    errors.add(fast, draft.problem());
                }
                INFO("D " << width << ", rows " << rows << ", causal " << causal);
                CHECK(errors.mean_ratio() < 0.9);
                largest += std::log(errors.most_ratio());
            }
    CHECK(largest < 0); // the geometric mean of the ratios is below 1
}
