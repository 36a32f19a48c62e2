// The inputs of one problem as dense float64 arrays, and the slices that a function runs over.
#ifndef ASSAY_SOFTMAX_LAYERNORM_ORACLE_INPUTS_HPP
#define ASSAY_SOFTMAX_LAYERNORM_ORACLE_INPUTS_HPP

#include "core/problem.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace assay::softmax_layernorm_judge {

enum class Route { softmax, log_softmax, softmax_backward, layernorm, layernorm_backward };

Route route_of(const Problem& problem);

struct Inputs {
    Route route = Route::softmax;
    std::array<std::size_t, 3> extents{};
    std::size_t axis = 0;
    double eps = 0;                  // as the float the contract passes
    std::vector<double> x, dy;       // row-major
    std::vector<double> gamma, beta; // (n)

    std::size_t n() const { return extents[axis]; }
    /// Index along `along` of the element at this row-major position.
    std::size_t coordinate(std::size_t position, std::size_t along) const;
};

/// With `contiguous` every tensor is read as if it were (a mistake); nothing where that would leave the storage.
std::optional<Inputs> read_inputs(const Problem& problem, bool contiguous = false);

/// Row-major positions of one slice's elements, ascending.
using Slice = std::vector<std::size_t>;

/// What a slice is: all elements that agree in the two other axes; or, as mistakes, all that agree in this axis, or
/// all.
enum class Grouping { along, across, whole };
std::vector<Slice> slices_of(const Inputs& in, Grouping grouping, std::size_t axis);

} // namespace assay::softmax_layernorm_judge

#endif
