// How the cases of `softmax_layernorm` are made: random tensors of a shape, then what the case is about.
#ifndef ASSAY_SOFTMAX_LAYERNORM_CASES_HPP
#define ASSAY_SOFTMAX_LAYERNORM_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay::softmax_layernorm_judge {

struct Shape {
    std::array<std::int64_t, 3> extents;
    std::size_t axis;
};

/// A problem in the making: x and dy standard normal, gamma of size 1 around 1, beta standard normal, eps 1e-5,
/// contiguous outputs. Fields that the route has not are left out of the problem.
struct Draft {
    Draft(std::string route, const Shape& shape, std::uint64_t seed, std::string_view id);

    std::string route;
    Shape shape;
    Random random;
    Array x, dy, gamma, beta;
    double eps = 1e-5;
    Array y, dx, dgamma, dbeta;

    std::int64_t n() const { return shape.extents[shape.axis]; }
    bool backward() const { return route == "softmax_backward" || route == "layernorm_backward"; }
    bool layernorm() const { return route == "layernorm" || route == "layernorm_backward"; }

    /// x = rule(index, old value)
    void change_x(const std::function<double(const Index& at, double old)>& rule);
    /// Adds offset(number of the slice, counted row-major over the two other axes) to every element of x.
    void shift_slices(const std::function<double(std::int64_t slice)>& offset);
    /// Shifts each slice so that its mean is half its standard deviation: whichever way a variance is summed, no digits
    /// are lost.
    void settle_slices();
    /// The number of the slice an index lies in.
    std::int64_t slice_of(const Index& at) const;

    Problem problem() const;
};

using Change = std::function<void(Draft&)>;

/// Stream of random numbers that two cases share, so that one is the other's input changed: "" = the case's own id.
Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change = {},
               std::string stays = "", std::string drawn_as = "");

/// Axes in another memory order (a permutation, outermost first), each element `step` slots apart.
Array laid_out(const Array& array, const std::array<int, 3>& order, const std::array<std::int64_t, 3>& step);
/// `axis` repeats its first element with stride 0.
Array repeated(const Array& array, std::size_t axis);

std::vector<Case> softmax_cases();
std::vector<Case> softmax_range_cases();
std::vector<Case> log_softmax_cases();
std::vector<Case> layernorm_cases();
std::vector<Case> layernorm_precision_cases();
std::vector<Case> softmax_backward_cases();
std::vector<Case> layernorm_backward_cases();
std::vector<Case> view_cases();

/// A small random valid problem over all routes.
Problem random_problem(std::uint64_t seed);

} // namespace assay::softmax_layernorm_judge

#endif
