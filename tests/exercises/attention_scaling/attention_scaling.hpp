// How the tests ask the exercise's oracle.
#ifndef ASSAY_TESTS_ATTENTION_SCALING_HPP
#define ASSAY_TESTS_ATTENTION_SCALING_HPP

#include "catch.hpp"
#include "core/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::attention_scaling_test {

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("attention_scaling");
    REQUIRE(found != nullptr);
    return *found;
}

inline Truths truths_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const auto truths = exercise().oracle(problem, mistake, form);
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

inline Problem independent(std::int64_t d, double q, double k) {
    return {"independent", {{"d", d, {}}, {"sigma_q", q, {}}, {"sigma_k", k, {}}}};
}

inline Problem correlated(std::int64_t d, double q, double k, double rho, std::int64_t law) {
    return {"correlated",
            {{"d", d, {}}, {"sigma_q", q, {}}, {"sigma_k", k, {}}, {"rho", rho, {}}, {"distribution", law, {}}}};
}

inline Problem aligned(std::int64_t d, double q, double k, double rho) {
    return {"aligned", {{"d", d, {}}, {"sigma_q", q, {}}, {"sigma_k", k, {}}, {"rho", rho, {}}}};
}

inline Problem softmax(const std::vector<double>& x) {
    const auto n = static_cast<std::int64_t>(x.size());
    return {"softmax",
            {{"logits", Array::of(Dtype::f64, {n}, x), {"n"}},
             {"p", Array::zeros(Dtype::f64, {n}), {"n"}},
             {"jacobian", Array::zeros(Dtype::f64, {n, n}), {"n", "n"}}}};
}

inline Problem saturation(std::int64_t d, std::int64_t keys) {
    return {"saturation", {{"d", d, {}}, {"keys", keys, {}}}};
}

} // namespace assay::attention_scaling_test

#endif
