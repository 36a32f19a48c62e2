// The error bound of `sdpa`: its formula written out again, right float32 within it, too little precision beyond it.
#include "exercises/sdpa/reader.hpp"
#include "judge/compare.hpp"

#include <assay/half.hpp>
#include <limits>
#include <map>

using namespace assay;
using namespace assay::sdpa_test;

namespace {

/// The plain answer with every logit's inputs or sums passed through `lossy`, and nothing else changed.
Outputs with_lossy_inputs(const Problem& problem, const std::function<double(double)>& lossy) {
    Problem changed = problem;
    for (const char* name : {"q", "k"}) {
        Array& array = std::get<Array>(changed.find(name)->value);
        for_each_index(array.extents, [&](const Index& at) { array.set(at, lossy(array.at(at))); });
    }
    return sdpa().plain(changed);
}

} // namespace

TEST_CASE("the bound is TOLERANCES' sdpa forward, term by term") {
    const double u = 0x1p-24;
    for (const char* id : {"default-scale", "far-rows", "mask-and-causal", "length-127", "f16-rows", "bf16-stored",
                           "f16-stored", "slopes"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        const Truth truth = truth_of(problem);
        const Reader reader(problem);
        const double u_out = truth.dtype == Dtype::f16 ? 0x1p-11 : truth.dtype == Dtype::bf16 ? 0x1p-8 : 0;
        double worst = 0;
        reader.each_row([&](std::int64_t b, std::int64_t h, std::int64_t i, std::size_t at) {
            const Row row = reader.row(b, h, i);
            const std::vector<long double> p = weights(row);
            const auto n = static_cast<double>(row.s.size());
            double m = -std::numeric_limits<double>::infinity();
            for (const long double s : row.s) m = std::max(m, static_cast<double>(s));
            double sum = 0;
            for (const long double s : row.s) sum += std::exp(static_cast<double>(s) - m);
            const double alone = u * std::fabs(m) <= 0.125 ? std::fabs(m) : 0; // one key: lse is m to the bit
            const double logs = row.s.size() == 1 ? alone : std::fabs(m) + std::fabs(m + std::log(sum));
            double largest = 0;
            for (const std::int64_t j : row.key)
                for (std::int64_t d = 0; d < reader.Dv; ++d)
                    largest = std::max(largest, std::fabs(static_cast<double>(reader.value(b, h, j, d))));
            for (std::int64_t d = 0; d < reader.Dv; ++d, ++at) {
                const double o = truth.value[at];
                double spread = 0, size = 0;
                for (std::size_t k = 0; k < p.size(); ++k) {
                    const auto v = static_cast<double>(reader.value(b, h, row.key[k], d));
                    const auto weight = static_cast<double>(p[k]);
                    const double theta = std::expm1(
                        u * (static_cast<double>(reader.D + 4) * static_cast<double>(row.a[k]) +
                             4 * static_cast<double>(row.bias[k]) + 3 * (m - static_cast<double>(row.s[k])) + 8));
                    spread += weight * theta * std::fabs(v - o);
                    size += weight * std::fabs(v);
                }
                const double bound = spread + u * (n + 2) * (size + std::fabs(o)) + u * logs * size +
                                     (n + 2) * 0x1p-126 * (1 + largest) + u_out * std::fabs(o) +
                                     (truth.dtype == Dtype::f16 ? 0x1p-25 : 0);
                worst = std::max(worst, std::fabs(bound - truth.bound[at]) / bound);
            }
        });
        CHECK(worst < 1e-9);
    }
}

TEST_CASE("plain float32 lies within the bound on every case and every random problem") {
    std::map<std::string, double> worst;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for_each_case(seed, [&](const Level& level, const Case& one, const Problem& problem) {
            const double ratio = worst_ratio(sdpa().plain(problem), {truth_of(problem)});
            INFO(level.id << ", case " << one.id);
            CHECK(ratio <= 1);
            worst[level.id] = std::max(worst[level.id], ratio);
        });
    double random = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = sdpa().random(seed);
        if (is_backward(problem)) continue;
        const double ratio = worst_ratio(sdpa().plain(problem), {truth_of(problem)});
        if (!(ratio <= 1)) FAIL_CHECK("random problem " << seed << ", route " << problem.route << ": " << ratio);
        if (problem.array("out").dtype == Dtype::f32) random = std::max(random, ratio);
    }
    std::string report = "largest error / bound of plain float32:";
    for (const auto& [level, ratio] : worst) report += " " + level + " " + std::to_string(ratio) + ",";
    WARN(report << " random (float32 output) " << random);
    CHECK(random < 0.5); // a bound that right code uses up is one that other right code breaks
}

TEST_CASE("the bound rejects logits of half and TF32 precision on the cases with many short rows") {
    const auto half_logits = [](double x) {
        return static_cast<double>(static_cast<float>(half(static_cast<float>(x))));
    };
    const auto tf32 = [](double x) { // 10 explicit mantissa bits, float32's exponents
        const double unit = x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) - 10);
        return std::nearbyint(x / unit) * unit;
    };
    for (const char* id : {"length-2", "length-3", "length-16", "length-31", "length-33", "length-127", "many-rows"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        CHECK(worst_ratio(with_lossy_inputs(problem, half_logits), {truth_of(problem)}) > 2);
        CHECK(worst_ratio(with_lossy_inputs(problem, tf32), {truth_of(problem)}) > 2);
    }
}
