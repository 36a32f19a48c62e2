// Levels softmax and saturation, and random problems over the whole contract.
#include "cases.hpp"

#include "core/random.hpp"

#include <cmath>

namespace assay::attention_scaling_judge {

namespace {

Case fixed(std::string id, std::string why, Problem problem, std::string stays = "") {
    return {std::move(id), std::move(why), [problem = std::move(problem)](std::uint64_t) { return problem; },
            std::move(stays)};
}

Case logits(std::string id, std::string why, const std::vector<double>& x, std::string stays = "") {
    return fixed(std::move(id), std::move(why), softmax_problem(x), std::move(stays));
}

const char* const edge = "an edge of the domain, one condition at a time";

} // namespace

Problem softmax_problem(const std::vector<double>& x) {
    const auto n = static_cast<std::int64_t>(x.size());
    return {"softmax",
            {{"logits", Array::of(Dtype::f64, {n}, x), {"n"}},
             {"p", Array::zeros(Dtype::f64, {n}), {"n"}},
             {"jacobian", Array::zeros(Dtype::f64, {n, n}), {"n", "n"}}}};
}

Problem saturation_problem(std::int64_t d, std::int64_t keys) {
    return {"saturation", {{"d", d, {}}, {"keys", keys, {}}}};
}

std::vector<Case> softmax_cases() {
    std::vector<Case> cases{
        logits("four-logits", "four logits a few apart", {0.5, 2, -1, 0.25}),
        logits("overflow", "exp(720) is beyond float64, exp(700) is not", {720, 700, 690, 715.5}),
        logits("exact-zero", "a weight that underflows to exactly 0: 0 ln 0 is 0", {0.2, 1.4, -2000, 0.7}),
        logits("minus-infinity-logit", "a logit of minus infinity is invalid here: all NaN, items unset",
               {0.5, -infinity, 1.5}),
        logits("one-logit", "a single logit: p is 1, and nothing moves it", {3.5}, "every gradient is exactly 0"),
        logits("equal-logits", "five equal logits: p = 1/5, and the entropy is at its most, ln 5", {2, 2, 2, 2, 2},
               "the other end: no saturation at all"),
        logits("far-above", "logits at 1e4: only their differences count", {1e4, 9998.5, -1e4, 9999.25},
               "the largest logits asked"),
        logits("far-below", "logits at -1e4: every exp is 0 unless the largest is subtracted",
               {-1e4, -9998.5, -10000.75}, "0/0 in place of infinity/infinity"),
        logits("nearly-one-hot", "other weights of 2e-12 and 8e-12: a norm from power sums of p cancels here",
               {0.5, 27.5, 2}, "what saturation does; differences from 1 must not be lost"),
    };
    cases.push_back({"forty-logits", "forty random logits",
                     [](std::uint64_t seed) {
                         Random random(seed, "forty-logits");
                         std::vector<double> x;
                         for (int i = 0; i < 40; ++i) x.push_back(2 * random.normal());
                         return softmax_problem(x);
                     },
                     "bounds grow with n; a mistake of small n cannot hide"});
    cases.push_back(logits("no-logits", "no logits at all: nothing to write, norm and entropy stay unset", {}, edge));
    cases.push_back(logits("infinite-logit", "an infinite logit is invalid", {0.5, infinity, 1.5}, edge));
    cases.push_back(logits("nan-logit", "a logit of NaN is invalid", {0.5, 1.5, nan}, edge));
    return cases;
}

std::vector<Case> saturation_cases() {
    return {
        fixed("head-of-96", "d = 96, seven keys: the three scales side by side", saturation_problem(96, 7)),
        fixed("two-keys", "two keys, the fewest: z is -1 and 1", saturation_problem(12, 2),
              "the smallest set there is"),
        fixed("d-of-one", "d = 1: all three scales are 1", saturation_problem(1, 5), "nothing to tell apart"),
        fixed("wide-head", "d = 1e6: unscaled logits at 1463 overflow exp, and the softmax is one-hot",
              saturation_problem(1'000'000, 6), "full saturation: gradient and entropy underflow"),
        fixed("many-keys", "33 keys at d = 128: more keys, closer together", saturation_problem(128, 33),
              "the gaps between keys shrink with their number"),
        fixed("saturation-no-features", "d = 0 is invalid", saturation_problem(0, 7), edge),
        fixed("saturation-negative-d", "d = -4 is invalid", saturation_problem(-4, 7), edge),
        fixed("single-key", "one key has no spread: fewer than two are invalid", saturation_problem(64, 1), edge),
        fixed("no-keys", "no key at all is invalid", saturation_problem(64, 0), edge),
        fixed("negative-keys", "a negative number of keys is invalid", saturation_problem(64, -2), edge),
    };
}

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    const auto sigma = [&] {
        if (random.chance(0.04)) return 0.0;
        if (random.chance(0.04)) return random.chance(0.5) ? infinity : -1.5;
        return random.chance(0.02) ? nan : std::exp(random.uniform(-4, 4));
    };
    const auto count = [&] {
        if (random.chance(0.05)) return random.integer(-2, 0);
        return random.chance(0.1) ? random.integer(1, std::int64_t{1} << 40) : random.integer(1, 300);
    };
    // signs at exactly ±1 have a variance of exactly 0, which only some roundings of the sigmas give
    const auto rho = [&] { return random.chance(0.06) ? random.uniform(-2, 2) : random.uniform(-0.98, 0.98); };
    const std::int64_t route = random.integer(0, 4);
    const std::int64_t d = count();
    if (route == 0) return moments_problem(d, sigma(), sigma());
    if (route == 1) {
        const double q = sigma(), k = sigma(), r = rho();
        return correlation_problem(d, q, k, r, static_cast<Law>(random.integer(0, 2)));
    }
    if (route == 2) {
        const double q = sigma(), k = sigma();
        return aligned_problem(d, q, k, random.chance(0.05) ? 0 : rho());
    }
    if (route == 3) return saturation_problem(d, random.chance(0.06) ? random.integer(-1, 1) : random.integer(2, 40));
    const auto n = random.integer(random.chance(0.06) ? 0 : 1, 12);
    const double spread = std::exp(random.uniform(-3, 9)), offset = random.chance(0.3) ? random.uniform(-1e4, 1e4) : 0;
    std::vector<double> x;
    for (std::int64_t i = 0; i < n; ++i) x.push_back(offset + random.uniform(-spread, spread));
    if (n > 0 && random.chance(0.06)) x.back() = random.chance(0.5) ? nan : -infinity;
    return softmax_problem(x);
}

} // namespace assay::attention_scaling_judge
