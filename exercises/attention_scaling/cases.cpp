// Levels moments and correlation, and the bonus after-training: cases that are numbers only.
#include "cases.hpp"

namespace assay::attention_scaling_judge {

namespace {

Case fixed(std::string id, std::string why, Problem problem, std::string stays = "") {
    return {std::move(id), std::move(why), [problem = std::move(problem)](std::uint64_t) { return problem; },
            std::move(stays)};
}

const char* const edge = "an edge of the domain, one condition at a time";

} // namespace

Problem moments_problem(std::int64_t d, double sigma_q, double sigma_k) {
    return {"independent", {{"d", d, {}}, {"sigma_q", sigma_q, {}}, {"sigma_k", sigma_k, {}}}};
}

Problem correlation_problem(std::int64_t d, double sigma_q, double sigma_k, double rho, Law law) {
    return {"correlated",
            {{"d", d, {}},
             {"sigma_q", sigma_q, {}},
             {"sigma_k", sigma_k, {}},
             {"rho", rho, {}},
             {"distribution", static_cast<std::int64_t>(law), {}}}};
}

Problem aligned_problem(std::int64_t d, double sigma_q, double sigma_k, double rho) {
    return {"aligned", {{"d", d, {}}, {"sigma_q", sigma_q, {}}, {"sigma_k", sigma_k, {}}, {"rho", rho, {}}}};
}

std::vector<Case> moments_cases() {
    return {
        fixed("five-features", "d = 5, sigma 2 and 3: no two wrong ways give the same number",
              moments_problem(5, 2, 3)),
        fixed("no-features", "d = 0 is invalid", moments_problem(0, 2, 3)),
        fixed("negative-sigma-q", "a standard deviation below 0 is invalid, though its square looks fine",
              moments_problem(5, -2, 3)),
        fixed("infinite-sigma", "an infinite standard deviation is invalid", moments_problem(5, 2, infinity)),
        fixed("huge-d", "d is above 2^32", moments_problem(5'000'000'011, 0.3, 1.3)),
        fixed("unit-sigmas", "what the textbook assumes: both sigmas 1, so the scale is 1/sqrt(64)",
              moments_problem(64, 1, 1), "the case that everybody knows, and that hides every mistake about sigma"),
        fixed("one-feature", "d = 1: the sum is its only product", moments_problem(1, 0.7, 1.9),
              "d, d² and sqrt(d) are all 1 here: only mistakes about sigma show"),
        fixed("small-sigmas", "sigmas of an untrained projection: the scale is above 1", moments_problem(96, 0.02, 1.7),
              "the scale grows where the spread is small"),
        fixed("zero-sigma", "k is always 0: the variance is 0, and the scale 1/0", moments_problem(7, 1.5, 0),
              "the edge of what is valid: 0 is, anything below is not"),
        fixed("negative-d", "d = -3 is invalid", moments_problem(-3, 2, 3), edge),
        fixed("negative-sigma-k", "a negative sigma of k is invalid", moments_problem(5, 2, -0.5), edge),
        fixed("minus-infinity", "a sigma of minus infinity is invalid", moments_problem(5, -infinity, 3), edge),
        fixed("nan-sigma", "NaN is invalid, and no comparison with it is true", moments_problem(5, nan, 3), edge),
        fixed("nan-sigma-zero", "NaN beside a sigma of 0 is invalid still", moments_problem(5, 0, nan), edge),
    };
}

std::vector<Case> correlation_cases() {
    return {
        fixed("gaussian-half", "level 1's features with rho = 1/2, jointly Gaussian",
              correlation_problem(5, 2, 3, 0.5, gaussian)),
        fixed("signs-half", "gaussian-half's first two moments, but ±1 variables",
              correlation_problem(5, 2, 3, 0.5, signs)),
        fixed("uniform-half", "gaussian-half's first two moments, with a uniform q",
              correlation_problem(5, 2, 3, 0.5, uniform)),
        fixed("rho-above-one", "rho = 1.25 is invalid", correlation_problem(5, 2, 3, 1.25, gaussian)),
        fixed("gaussian-negative", "a negative rho: the mean changes sign, the variance does not",
              correlation_problem(7, 0.6, 1.9, -0.3, gaussian), "rho and rho² differ in sign"),
        fixed("signs-negative", "a negative rho with signs: the mean changes sign, the variance does not",
              correlation_problem(11, 1.4, 0.25, -0.85, signs), "rho and rho² differ in sign"),
        fixed("uncorrelated", "rho = 0: level 1's answer, whatever the distribution",
              correlation_problem(6, 2, 0.7, 0, uniform), "where all three distributions agree"),
        fixed("same-vector", "rho = 1, Gaussian: q·q is chi-square with d degrees of freedom, variance 2 d",
              correlation_problem(6, 1, 1, 1, gaussian), "the edge of what is valid, and a known distribution"),
        fixed("opposite-signs", "rho = -1, signs: q·k is the constant -d sigma_q sigma_k; variance 0, scale 1/0",
              correlation_problem(3, 2, 3, -1, signs), "the other edge: no scale gives a constant a variance"),
        fixed("nearly-constant", "rho = 0.999, signs: 1 - rho² cancels",
              correlation_problem(40, 1.1, 0.9, 0.999, signs), "bounds follow the cancellation"),
        fixed("rho-below", "rho = -1.5 is invalid", correlation_problem(5, 2, 3, -1.5, uniform), edge),
        fixed("rho-nan", "a rho of NaN is invalid", correlation_problem(5, 2, 3, nan, gaussian), edge),
        fixed("rho-infinite", "an infinite rho is invalid", correlation_problem(5, 2, 3, infinity, signs), edge),
        fixed("correlated-no-features", "d = 0 is invalid here too", correlation_problem(0, 2, 3, 0.5, gaussian), edge),
        fixed("correlated-negative-sigma", "a negative sigma is invalid with any rho",
              correlation_problem(5, 2, -3, 0.5, gaussian), edge),
        fixed("correlated-infinite-sigma", "an infinite sigma is invalid with any rho",
              correlation_problem(5, infinity, 3, 0.5, signs), edge),
        fixed("correlated-nan-sigma", "a sigma of NaN is invalid with any rho",
              correlation_problem(5, 2, nan, 0.5, uniform), edge),
    };
}

std::vector<Case> aligned_cases() {
    return {
        fixed("slightly-aligned", "rho = 1/5 at d = 96: 1/sqrt(d) lets the mean grow, 1/d holds it",
              aligned_problem(96, 1.5, 0.8, 0.2)),
        fixed("opposed", "a negative rho: the means are negative, the crossing is not",
              aligned_problem(7, 0.6, 1.9, -0.7), "the crossing compares absolute values"),
        fixed("untrained", "rho = 0: both means are 0 and never catch up; the crossing is at infinity",
              aligned_problem(48, 1, 1, 0), "1/0, as at initialisation"),
        fixed("fully-aligned", "rho = 1: they cross at d = 2", aligned_problem(3, 2, 3, 1), "the largest rho there is"),
        fixed("aligned-zero-sigma", "k is 0: so are all logits, and the crossing depends on rho alone",
              aligned_problem(5, 2, 0, 0.5), "the edge of what is valid"),
        fixed("aligned-no-features", "d = 0 is invalid", aligned_problem(0, 2, 3, 0.5), edge),
        fixed("aligned-negative-sigma", "a negative sigma is invalid", aligned_problem(5, -2, 3, 0.5), edge),
        fixed("aligned-infinite-sigma", "an infinite sigma is invalid", aligned_problem(5, 2, infinity, 0.5), edge),
        fixed("aligned-rho-above", "rho = 1.1 is invalid", aligned_problem(5, 2, 3, 1.1), edge),
        fixed("aligned-rho-nan", "a rho of NaN is invalid", aligned_problem(5, 2, 3, nan), edge),
    };
}

} // namespace assay::attention_scaling_judge
