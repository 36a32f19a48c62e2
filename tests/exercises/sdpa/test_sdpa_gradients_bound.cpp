// The error bounds of dq, dk and dv: TOLERANCES' "sdpa backward" written out again, and plain float32 within them.
#include "exercises/sdpa/reader.hpp"
#include "judge/compare.hpp"

#include <algorithm>
#include <limits>
#include <map>

using namespace assay;
using namespace assay::sdpa_test;

namespace {

using Real = long double;
constexpr Real u = 0x1p-24L;
constexpr Real flushed = 0x1p-126L; // beside the formula's 1e-36: it grows with what is multiplied by it

Truths gradients_of(const Problem& problem) {
    const std::optional<Truths> truths = sdpa().oracle(problem, "", 0);
    REQUIRE(truths);
    return *truths;
}

/// What one row adds: per key its p and dS and what either may have lost.
struct Back {
    std::vector<Real> p, E, dS, EdS;
};

Real dot(const Array& x, const Array& y, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t g, std::int64_t j,
         bool sizes) {
    Real sum = 0;
    for (std::int64_t d = 0; d < x.extents[3]; ++d) {
        const Real product = static_cast<Real>(x.at({b, h, i, d})) * static_cast<Real>(y.at({b, g, j, d}));
        sum += sizes ? std::fabs(product) : product;
    }
    return sum;
}

Back back_of(const Problem& problem, const Reader& reader, std::int64_t b, std::int64_t h, std::int64_t i) {
    const Row row = reader.row(b, h, i);
    Back back;
    if (row.s.empty()) return back;
    const auto n = static_cast<Real>(row.s.size()), Dv = static_cast<Real>(reader.Dv), D = static_cast<Real>(reader.D);
    const std::int64_t g = h / (reader.Hq / reader.Hkv);
    const Real m = *std::max_element(row.s.begin(), row.s.end());
    Real total = 0;
    for (const Real s : row.s) total += std::exp(s - m);
    const Real lse = m + std::log(total);
    const Real alone = u * std::fabs(m) <= 0.125L ? std::fabs(m) : 0; // one key: lse is m to the bit
    const Real kappa = u * (n + 4 + (row.s.size() == 1 ? alone : std::fabs(m) + std::fabs(lse)));
    std::vector<Real> theta, dP, size;
    Real mean = 0, delta = 0, sizes = 0;
    for (std::size_t k = 0; k < row.s.size(); ++k) {
        back.p.push_back(std::exp(row.s[k] - lse));
        theta.push_back(std::expm1(u * ((D + 4) * row.a[k] + 3 * (m - row.s[k]) + 8)));
        dP.push_back(dot(problem.array("dout"), problem.array("v"), b, h, i, g, row.key[k], false));
        size.push_back(dot(problem.array("dout"), problem.array("v"), b, h, i, g, row.key[k], true));
        mean += back.p[k] * theta[k];
        delta += back.p[k] * dP[k];
        sizes += back.p[k] * size[k];
    }
    Real Edelta = (u * (Dv + n + 4) + kappa) * sizes + n * flushed;
    for (std::size_t k = 0; k < row.s.size(); ++k)
        Edelta += (back.p[k] * (theta[k] + mean) + flushed) * std::fabs(dP[k] - delta);
    for (std::size_t k = 0; k < row.s.size(); ++k) {
        const Real apart = std::fabs(dP[k] - delta);
        back.E.push_back(back.p[k] * (theta[k] + mean + kappa) + flushed);
        back.dS.push_back(back.p[k] * (dP[k] - delta));
        back.EdS.push_back(back.E[k] * apart + 3 * u * back.p[k] * apart +
                           back.p[k] * (u * (Dv + 1) * size[k] + Edelta) + 2 * flushed);
    }
    return back;
}

struct Bounds {
    std::vector<Real> dq, dk, dv;
};

Bounds bounds_of(const Problem& problem) {
    const Reader reader(problem);
    const Array &q = problem.array("q"), &k = problem.array("k"), &dout = problem.array("dout");
    const Real scale = problem.has("scale")
                           ? std::fabs(static_cast<Real>(static_cast<float>(problem.number_or("scale", 0))))
                           : 1 / std::sqrt(static_cast<Real>(reader.D));
    const auto keys = static_cast<std::size_t>(reader.B * reader.Hkv * reader.Lk);
    const auto D = static_cast<std::size_t>(reader.D), Dv = static_cast<std::size_t>(reader.Dv);
    std::vector<Real> N(keys);
    reader.each_row([&](std::int64_t b, std::int64_t h, std::int64_t i, std::size_t) {
        for (const std::int64_t j : reader.row(b, h, i).key)
            N[static_cast<std::size_t>((b * reader.Hkv + h / (reader.Hq / reader.Hkv)) * reader.Lk + j)] += 1;
    });
    Bounds bounds{std::vector<Real>(static_cast<std::size_t>(q.size())), std::vector<Real>(keys * D),
                  std::vector<Real>(keys * Dv)};
    const auto least = [](Real terms, Real factor) { return (terms + 2) * flushed * (1 + factor) + 1e-36L; };
    std::size_t query = 0;
    reader.each_row([&](std::int64_t b, std::int64_t h, std::int64_t i, std::size_t) {
        const Row row = reader.row(b, h, i);
        const Back back = back_of(problem, reader, b, h, i);
        const auto n = static_cast<Real>(row.s.size());
        const std::int64_t g = h / (reader.Hq / reader.Hkv);
        for (std::size_t at = 0; at < row.key.size(); ++at) {
            const std::int64_t j = row.key[at];
            const auto key = static_cast<std::size_t>((b * reader.Hkv + g) * reader.Lk + j);
            for (std::size_t d = 0; d < D; ++d) {
                const auto feature = static_cast<std::int64_t>(d);
                bounds.dq[query * D + d] += scale * std::fabs(static_cast<Real>(k.at({b, g, j, feature}))) *
                                            (back.EdS[at] + u * (n + 4) * std::fabs(back.dS[at]));
                bounds.dk[key * D + d] += scale * std::fabs(static_cast<Real>(q.at({b, h, i, feature}))) *
                                          (back.EdS[at] + u * (N[key] + 4) * std::fabs(back.dS[at]));
            }
            for (std::size_t d = 0; d < Dv; ++d)
                bounds.dv[key * Dv + d] +=
                    std::fabs(static_cast<Real>(dout.at({b, h, i, static_cast<std::int64_t>(d)}))) *
                    (back.E[at] + u * (N[key] + 2) * back.p[at]);
        }
        for (std::size_t d = 0; d < D && !row.s.empty(); ++d) bounds.dq[query * D + d] += least(n, scale);
        ++query;
    });
    for (std::size_t key = 0; key < keys; ++key) {
        if (N[key] == 0) continue;
        for (std::size_t d = 0; d < D; ++d) bounds.dk[key * D + d] += least(N[key], scale);
        for (std::size_t d = 0; d < Dv; ++d) bounds.dv[key * Dv + d] += least(N[key], 1);
    }
    return bounds;
}

} // namespace

TEST_CASE("the gradients' bounds are TOLERANCES' sdpa backward, term by term") {
    for (const char* id :
         {"grad-default-scale", "grad-given-scale", "grad-one-key", "grad-overflow", "grad-mask-and-causal",
          "grad-single-rows", "grad-grouped-of-three", "grad-transposed", "grad-length-31"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        const Truths truths = gradients_of(problem);
        const Bounds bounds = bounds_of(problem);
        const std::vector<Real>* formula[] = {&bounds.dq, &bounds.dk, &bounds.dv};
        for (std::size_t n = 0; n < 3; ++n) {
            REQUIRE(truths[n].bound.size() == formula[n]->size());
            double worst = 0;
            for (std::size_t at = 0; at < formula[n]->size(); ++at) {
                const auto wanted = static_cast<double>((*formula[n])[at]);
                if (wanted != truths[n].bound[at])
                    worst = std::max(worst, std::fabs(truths[n].bound[at] - wanted) / wanted);
            }
            INFO(truths[n].name);
            CHECK(worst < 1e-6); // of a bound: what is left of 1e-16 where dP and delta cancel
        }
    }
}

TEST_CASE("plain float32 gradients lie within the bound on every case and every random problem") {
    double worst = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (const Level& level : sdpa().levels)
            for (const Case& one : level.cases) {
                const Problem problem = one.make(seed);
                if (!is_backward(problem)) continue;
                INFO("case " << one.id);
                const double ratio = worst_ratio(sdpa().plain(problem), gradients_of(problem));
                CHECK(ratio <= 1);
                worst = std::max(worst, ratio);
            }
    double random = 0;
    int asked = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = sdpa().random(seed);
        if (!is_backward(problem)) continue;
        ++asked;
        const double ratio = worst_ratio(sdpa().plain(problem), gradients_of(problem));
        if (!(ratio <= 1)) FAIL_CHECK("random problem " << seed << ": " << ratio);
        random = std::max(random, ratio);
    }
    WARN("largest error / bound of plain float32 gradients: cases " << worst << ", random " << random);
    CHECK(asked > 200);
    CHECK(random < 0.5); // a bound that right code uses up is one that other right code breaks
    CHECK(worst > 0.02); // and one fifty times too wide would be no evidence
}
