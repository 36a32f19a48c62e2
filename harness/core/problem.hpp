// One input of an exercise as named values, and the answers to it. Generic, so that shrinking, replay, printing and
// comparison are written once for all exercises.
#ifndef ASSAY_CORE_PROBLEM_HPP
#define ASSAY_CORE_PROBLEM_HPP

#include "core/array.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

/// An argument: absent, a flag, an integer, a number or a tensor.
using Value = std::variant<std::monostate, bool, std::int64_t, double, Array>;

/// An input value and, for a tensor, the name of the dimension that each axis runs over ("B", "Hq", "Lk", ...).
/// Axes of one name have one extent, save that an axis may have extent 1 (broadcast). An axis named "" never shrinks.
struct Field {
    std::string name;
    Value value;
    std::vector<std::string> axes;
};

/// What an attempt is asked: which route of the exercise (a contract function, or a level's own protocol), and inputs.
struct Problem {
    std::string route;
    std::vector<Field> fields;

    const Field* find(std::string_view name) const;
    Field* find(std::string_view name);
    /// The named tensor; throws std::logic_error where there is none (a bug in an exercise, reported as JE).
    const Array& array(std::string_view name) const;
    bool flag(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    /// The number, or `other` where it is absent.
    double number_or(std::string_view name, double other) const;
    bool has(std::string_view name) const; // present and not absent
};

/// Named result tensors, as the attempt wrote them.
struct Outputs {
    std::vector<std::pair<std::string, Array>> arrays;
    const Array* find(std::string_view name) const;
};

/// The right (or, with a mistake switched on, the wrong) value of one output in float64, row-major, and how far a
/// careful implementation in the contract's arithmetic may stray from it, element by element (same order, >= 0).
struct Truth {
    std::string name;
    Index extents;
    std::vector<double> value;
    std::vector<double> bound;
    Dtype dtype = Dtype::f32; // in which the attempt returns it
    std::string unit = {};    // of a single number: "s", "B"; or what its values mean: "(0 compute, 1 memory)"
};
using Truths = std::vector<Truth>;

} // namespace assay

#endif
