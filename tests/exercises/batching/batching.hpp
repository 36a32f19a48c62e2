// How the tests reach the exercise: its problems and its reference, by the headers of its own judge.
#ifndef ASSAY_TESTS_BATCHING_HPP
#define ASSAY_TESTS_BATCHING_HPP

#include "../../../exercises/batching/cases.hpp"
#include "../../../solutions/batching/oracle.hpp"
#include "../../../solutions/batching/oracle_batcher.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

#include <string>
#include <string_view>

namespace assay::batching_test {

using namespace batching_judge;

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("batching");
    REQUIRE(found != nullptr);
    return *found;
}

inline Truths truths_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    return batching_judge::oracle(problem, mistake.empty() ? Slips() : Slips{{std::string(mistake), form}});
}

inline const Truth& item(const Truths& truths, std::string_view name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return truth;
    FAIL("no item " << name);
    return truths.front();
}

inline double number(const Truths& truths, std::string_view name) { return item(truths, name).value.front(); }

/// Times in milliseconds, from an item in nanoseconds; -1 stays.
inline std::vector<double> in_ms(const Truths& truths, std::string_view name) {
    std::vector<double> values = item(truths, name).value;
    for (double& value : values)
        if (value > 0) value /= 1e6;
    return values;
}

} // namespace assay::batching_test

#endif
