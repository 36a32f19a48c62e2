// What the tests of `grpo` share: the exercise, its truths, and the tensors of a problem as plain arrays.
#ifndef ASSAY_TESTS_GRPO_HPP
#define ASSAY_TESTS_GRPO_HPP

#include "catch.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace assay::grpo_test {

using Numbers = std::vector<double>;

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("grpo");
    REQUIRE(found != nullptr);
    return *found;
}

inline Truths truths_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = exercise().oracle(problem, mistake, form);
    REQUIRE(truths);
    return *truths;
}

/// The oracle's other way, with no mistake in it: the loss in Var, run backward. (A name that no mistake has.)
inline Truths by_tape(const Problem& problem) {
    const std::optional<Truths> truths = exercise().combined(problem, Slips{{"none-of-them", 0}});
    REQUIRE(truths);
    return *truths;
}

inline Problem problem_of(std::string_view id, std::uint64_t seed = 0) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(seed);
    FAIL("no case " << id);
    return {};
}

inline bool is_advantages(const Problem& problem) { return problem.route == "advantages" || problem.route == "groups"; }

inline Problem advantages_problem(const Numbers& rewards, std::int64_t G, std::int64_t ddof, double eps, bool scale) {
    const auto N = static_cast<std::int64_t>(rewards.size());
    return {"groups",
            {{"rewards", Array::of(Dtype::f64, {N}, rewards), {}},
             {"group_size", G, {}},
             {"ddof", ddof, {}},
             {"eps", eps, {}},
             {"scale", scale, {}},
             {"advantage", Array::zeros(Dtype::f64, {N}), {}}}};
}

/// (N, T) each; lp_old and lp_ref may be empty, which is absent.
struct Batch {
    std::int64_t N = 1, T = 1;
    Numbers lp_new, lp_old, lp_ref, advantage, mask;
    double clip_low = 0.2, clip_high = 0.2, limit = 20, beta = 0;
    std::int64_t how = 0, longest = 1;

    Problem problem() const {
        const auto matrix = [&](Dtype dtype, const Numbers& values) { return Array::of(dtype, {N, T}, values); };
        const auto optional = [&](const char* name, const Numbers& values) {
            return values.empty() ? Field{name, std::monostate{}, {}} : Field{name, matrix(Dtype::f64, values), {}};
        };
        return {"gradient",
                {{"lp_new", matrix(Dtype::f64, lp_new), {}},
                 {"lp_new_grad", Array::zeros(Dtype::f64, {N, T}), {}},
                 optional("lp_old", lp_old),
                 optional("lp_ref", lp_ref),
                 {"advantage", Array::of(Dtype::f64, {N}, advantage), {}},
                 {"mask", matrix(Dtype::boolean, mask), {}},
                 {"clip_low", clip_low, {}},
                 {"clip_high", clip_high, {}},
                 {"log_ratio_limit", limit, {}},
                 {"beta", beta, {}},
                 {"how", how, {}},
                 {"longest", longest, {}},
                 {"terms", Array::zeros(Dtype::f64, {N, T}), {}}}};
    }
};

inline Batch batch_of(const Problem& problem) {
    const Array& lp_new = problem.array("lp_new");
    Batch b;
    b.N = lp_new.extents[0];
    b.T = lp_new.extents[1];
    b.lp_new = lp_new.values();
    if (problem.has("lp_old")) b.lp_old = problem.array("lp_old").values();
    if (problem.has("lp_ref")) b.lp_ref = problem.array("lp_ref").values();
    b.advantage = problem.array("advantage").values();
    b.mask = problem.array("mask").values();
    b.clip_low = problem.number_or("clip_low", 0);
    b.clip_high = problem.number_or("clip_high", 0);
    b.limit = problem.number_or("log_ratio_limit", 0);
    b.beta = problem.number_or("beta", 0);
    b.how = problem.integer("how");
    b.longest = problem.integer("longest");
    return b;
}

} // namespace assay::grpo_test

#endif
