// Asks the oracle of `memory` by the exercise's own problems, and reads items off its answers.
#ifndef ASSAY_TESTS_MEMORY_ASK_HPP
#define ASSAY_TESTS_MEMORY_ASK_HPP

#include "catch.hpp"
#include "core/random.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace assay::memory_test {

using Values = std::vector<std::pair<std::string, Value>>;

inline const Exercise& memory() {
    const Exercise* exercise = find_exercise("memory");
    REQUIRE(exercise != nullptr);
    return *exercise;
}

inline Problem problem_of(const std::string& route, const Values& values) {
    Problem problem;
    problem.route = route;
    for (const auto& [name, value] : values) problem.fields.push_back({name, value, {}});
    REQUIRE(memory().valid(problem));
    return problem;
}

/// The right answer's items.
class Items {
  public:
    explicit Items(const Problem& problem) {
        const std::optional<Truths> truths = memory().oracle(problem, "", 0);
        REQUIRE(truths);
        truths_ = *truths;
    }
    Items(const std::string& route, const Values& values) : Items(problem_of(route, values)) {}

    double operator[](const std::string& name) const {
        for (const Truth& truth : truths_)
            if (truth.name == name) return truth.value.front();
        FAIL("no item " << name);
        return 0;
    }
    bool all_unset() const {
        for (const Truth& truth : truths_)
            if (!std::isnan(truth.value.front())) return false;
        return !truths_.empty();
    }
    /// Whether every item is a number, infinity among them.
    bool all_set() const {
        for (const Truth& truth : truths_)
            if (std::isnan(truth.value.front())) return false;
        return !truths_.empty();
    }

  private:
    Truths truths_;
};

/// Equal but for the roundings of a few operations; infinities are equal to themselves.
inline bool near(double a, double b) { return a == b || std::fabs(a - b) <= 1e-13 * std::fabs(b); }

constexpr double gib = 1073741824;

inline Values product(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t bits) {
    return {{"m", m}, {"k", k}, {"n", n}, {"bits", bits}};
}
inline Values with(Values values, const Values& more) {
    values.insert(values.end(), more.begin(), more.end());
    return values;
}
/// The same values with one of them changed.
inline Values changed(Values values, const std::string& name, const Value& to) {
    for (auto& [own, value] : values)
        if (own == name) value = to;
    return values;
}

} // namespace assay::memory_test

#endif
