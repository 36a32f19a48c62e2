// Fits by weighted log-loss, in extended precision: a temperature, and Platt's slope and intercept.
#ifndef ASSAY_P_YES_ORACLE_FITS_HPP
#define ASSAY_P_YES_ORACLE_FITS_HPP

#include "contract.hpp"
#include "oracle.hpp"

#include <array>
#include <vector>

namespace assay::p_yes_judge {

using ::p_yes::fit;

/// By how much the mean loss of a right fit may exceed the least one (why: oracle_fits.cpp).
constexpr real excess = 1e-12L;

struct Point {
    real z, weight;
    bool yes;
    real target; // of the fit: 1 or 0, unless somebody smooths it
    bool operator==(const Point&) const = default;
};
using Points = std::vector<Point>;

real sigmoid(real x);
real total_of(const Points& points);
real mean_loss(const Points& points, real slope, real intercept);

/// Of the mean of softplus(x) - target x, x = a z + b, with derivatives.
struct Slope {
    real value = 0;
    std::array<real, 2> first{};
    real aa = 0, ab = 0, bb = 0;
};

Slope objective(const Points& points, real a, real b, real penalty);

struct Temperature {
    fit state;
    real beta; // 1 / T
    real bound = 0;
};

/// `below_zero`: beta may be negative.
Temperature fit_temperature(const Points& points, bool below_zero);

fit platt_state(const Points& points);

struct Platt {
    real a = nan, b = nan, a_bound = 0, b_bound = 0;
};

/// `penalty` on the slope; without an intercept, its column is left out.
Platt fit_platt(const Points& points, real penalty, bool intercept);

} // namespace assay::p_yes_judge

#endif
