// What the tests of `long_attention` share: the exercise, its cases and truths, and problems from plain lists.
#ifndef ASSAY_TESTS_LONG_ATTENTION_HPP
#define ASSAY_TESTS_LONG_ATTENTION_HPP

#include "catch.hpp"
#include "core/random.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::long_attention_test {

using Numbers = std::vector<double>;

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("long_attention");
    REQUIRE(found != nullptr);
    return *found;
}

inline Truths truths_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = exercise().oracle(problem, mistake, form);
    REQUIRE(truths);
    return *truths;
}

inline const Truth& item(const Truths& truths, std::string_view name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return truth;
    FAIL("no item " << name);
    return truths.front();
}
inline double number(const Truths& truths, std::string_view name) { return item(truths, name).value.front(); }

inline void for_each_case(std::uint64_t seed,
                          const std::function<void(const Level&, const Case&, const Problem&)>& visit) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) visit(level, one, one.make(seed));
}

inline Problem problem_of(std::string_view id, std::uint64_t seed = 0) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(seed);
    FAIL("no case " << id);
    return {};
}

inline Problem cost_problem(std::int64_t how, const std::vector<std::int64_t>& setup) {
    const char* const names[] = {"tokens", "heads", "head_dim", "element_bytes", "block", "window", "rank", "features"};
    Problem problem;
    problem.route = "cost_of";
    problem.fields.push_back({"how", how, {}});
    for (std::size_t i = 0; i < setup.size(); ++i) problem.fields.push_back({names[i], setup[i], {}});
    return problem;
}

inline Problem crossover_problem(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {
    return {"crossover", {{"head_dim", head_dim, {}}, {"rank", rank, {}}, {"features", features, {}}}};
}

/// One head; q and k are (L, D) with L = v's size and Dv = 1.
inline Problem one_head(const std::string& route, const Numbers& q, const Numbers& k, const Numbers& v,
                        std::vector<Field> more) {
    const Dtype dtype = route == "compare" ? Dtype::f64 : Dtype::f32;
    const auto L = static_cast<std::int64_t>(v.size());
    const std::int64_t D = static_cast<std::int64_t>(q.size()) / L;
    Problem problem{route,
                    {{"q", Array::of(dtype, {1, L, D}, q), {}},
                     {"k", Array::of(dtype, {1, L, D}, k), {}},
                     {"v", Array::of(dtype, {1, L, 1}, v), {}}}};
    for (Field& field : more) problem.fields.push_back(std::move(field));
    if (route != "compare") problem.fields.push_back({"out", Array::zeros(Dtype::f32, {1, L, 1}), {}});
    REQUIRE(exercise().valid(problem));
    return problem;
}

} // namespace assay::long_attention_test

#endif
