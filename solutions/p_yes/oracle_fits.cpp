// The fits and their bounds. Near the minimum the loss is flat: a search that only compares losses stops where the
// excess drowns in their rounding. Right is whatever exceeds the least mean loss by at most e = 1e-12 (rounding is
// 1e-15 for these sizes). For a loss with second derivative h that is a parameter within sqrt(2 e / h); with two
// parameters and Hessian H, within sqrt(2 e (H^-1)_ii). The temperature is 1 / beta, so its bound is T^2 times that of
// beta.
#include "oracle_fits.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace assay::p_yes_judge {

namespace {

/// -ln sigmoid(-x)
real softplus(real x) { return std::max<real>(x, 0) + std::log1p(std::exp(-std::fabs(x))); }

/// The loss is convex in beta: its derivative is bracketed and halved.
Temperature temperature_of(const Points& points, bool below_zero) {
    bool all_zero = true, wrong_side = false;
    real at_zero = 0;
    for (const Point& one : points) {
        all_zero = all_zero && one.z == 0;
        wrong_side = wrong_side || (one.yes ? one.z < 0 : one.z > 0);
        at_zero += one.weight * one.z * (one.yes ? -1 : 1);
    }
    if (all_zero) return {fit::constant, 1};
    if (!wrong_side) return {fit::separable, infinity};
    const bool negative = at_zero > 0;
    const bool never_right =
        std::none_of(points.begin(), points.end(), [](const Point& one) { return one.yes ? one.z > 0 : one.z < 0; });
    if (at_zero == 0 || (negative && (!below_zero || never_right))) return {fit::uninformative, 0};
    const real sign = negative ? -1 : 1;
    real low = 0, high = sign;
    while (sign * objective(points, high, 0, 0).first[0] < 0) high *= 2;
    for (int step = 0; step < 120 && low != high; ++step) {
        const real middle = (low + high) / 2;
        (sign * objective(points, middle, 0, 0).first[0] < 0 ? low : high) = middle;
    }
    return {fit::ok, high, std::sqrt(2 * excess / objective(points, high, 0, 0).aa)};
}

/// Newton's method with halved steps. The loss is too flat to judge the last steps by: those are taken whole.
Platt platt_of(const Points& points, real penalty, bool intercept) {
    Platt best{0, 0};
    Slope at = objective(points, 0, 0, penalty);
    for (int step = 0, last_steps = 3; step < 200 && last_steps > 0; ++step) {
        const real det = intercept ? at.aa * at.bb - at.ab * at.ab : at.aa;
        real da = intercept ? (at.bb * at.first[0] - at.ab * at.first[1]) / det : at.first[0] / det;
        real db = intercept ? (at.aa * at.first[1] - at.ab * at.first[0]) / det : 0;
        Slope next = objective(points, best.a - da, best.b - db, penalty);
        if (std::fabs(da) + std::fabs(db) < 1e-6L) {
            --last_steps;
        } else {
            for (int halving = 0; halving < 60 && !(next.value <= at.value); ++halving) {
                da /= 2;
                db /= 2;
                next = objective(points, best.a - da, best.b - db, penalty);
            }
        }
        best.a -= da;
        best.b -= db;
        at = next;
    }
    const real det = intercept ? at.aa * at.bb - at.ab * at.ab : at.aa;
    best.a_bound = std::sqrt(2 * excess * (intercept ? at.bb : 1) / det);
    best.b_bound = intercept ? std::sqrt(2 * excess * at.aa / det) : 0;
    return best;
}

/// Every mistake and every two of them ask for the same few fits, up to 1 ms each: the latest are kept.
template <class Fitted, class... Options>
Fitted remembered(Fitted (*make)(const Points&, Options...), const Points& points, Options... options) {
    struct Entry {
        Points points;
        std::tuple<Options...> options;
        Fitted fitted;
    };
    constexpr std::size_t most = 256;
    thread_local std::vector<Entry> known;
    for (const Entry& one : known)
        if (one.options == std::tuple(options...) && one.points == points) return one.fitted;
    if (known.size() == most) known.erase(known.begin());
    known.push_back({points, {options...}, make(points, options...)});
    return known.back().fitted;
}

} // namespace

real sigmoid(real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

real total_of(const Points& points) {
    real total = 0;
    for (const Point& one : points) total += one.weight;
    return total;
}

real mean_loss(const Points& points, real slope, real intercept) {
    real sum = 0;
    for (const Point& one : points) {
        const real x = slope * one.z + intercept;
        sum += one.weight * softplus(one.yes ? -x : x);
    }
    return sum / total_of(points);
}

Slope objective(const Points& points, real a, real b, real penalty) {
    Slope s;
    const real total = total_of(points);
    for (const Point& one : points) {
        const real x = a * one.z + b, p = sigmoid(x), w = one.weight / total, curve = w * p * sigmoid(-x);
        s.value += w * (softplus(x) - one.target * x);
        s.first[0] += w * (p - one.target) * one.z;
        s.first[1] += w * (p - one.target);
        s.aa += curve * one.z * one.z;
        s.ab += curve * one.z;
        s.bb += curve;
    }
    s.value += penalty * a * a / 2;
    s.first[0] += penalty * a;
    s.aa += penalty;
    return s;
}

fit platt_state(const Points& points) {
    real least[2] = {infinity, infinity}, most[2] = {-infinity, -infinity};
    for (const Point& one : points) {
        least[one.yes] = std::min(least[one.yes], one.z);
        most[one.yes] = std::max(most[one.yes], one.z);
    }
    if (least[0] > most[0] || least[1] > most[1]) return fit::one_class;
    if (std::min(least[0], least[1]) == std::max(most[0], most[1])) return fit::constant;
    return least[1] >= most[0] || least[0] >= most[1] ? fit::separable : fit::ok;
}

Temperature fit_temperature(const Points& points, bool below_zero) {
    return remembered(temperature_of, points, below_zero);
}

Platt fit_platt(const Points& points, real penalty, bool intercept) {
    return remembered(platt_of, points, penalty, intercept);
}

} // namespace assay::p_yes_judge
