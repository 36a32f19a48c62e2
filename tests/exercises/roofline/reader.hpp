// What the tests of `roofline` share: the exercise, its cases as problems, and items of its answers.
#ifndef ASSAY_TESTS_ROOFLINE_READER_HPP
#define ASSAY_TESTS_ROOFLINE_READER_HPP

#include "catch.hpp"
#include "core/exercise.hpp"
#include "core/registry.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::roofline_test {

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("roofline");
    REQUIRE(found != nullptr);
    return *found;
}

inline Problem problem_of(std::string_view id) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(0);
    FAIL("no case " << id);
    return {};
}

/// The problem with some numbers changed: {"gpus", 8}.
using Change = std::pair<const char*, Value>;
inline Problem changed(Problem problem, const std::vector<Change>& changes) {
    for (const auto& [name, value] : changes) {
        Field* field = problem.find(name);
        REQUIRE(field != nullptr);
        field->value = value;
    }
    return problem;
}

inline Truths truths_of(const Problem& problem) {
    const auto truths = exercise().oracle(problem, "", 0);
    REQUIRE(truths.has_value());
    return *truths;
}

inline const Truth& truth_of(const Truths& truths, std::string_view name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return truth;
    FAIL("no item " << name);
    return truths.front();
}

inline double item(const Problem& problem, std::string_view name) {
    return truth_of(truths_of(problem), name).value.front();
}

} // namespace assay::roofline_test

#endif
