// Level calibration, the fits: a temperature, and Platt's slope and intercept, by weighted log-loss, in extended
// precision.
//
// Bounds. Near the minimum the loss is flat: a search that only compares losses stops where the excess drowns in their
// rounding. Right is whatever exceeds the least mean loss by at most e = 1e-12 (rounding is 1e-15 for these sizes). For
// a loss with second derivative h that is a parameter within sqrt(2 e / h); with two parameters and Hessian H, within
// sqrt(2 e (H^-1)_ii). The temperature is 1 / beta, so its bound is T^2 times that of beta.
#include "contract.hpp"

#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

namespace assay::p_yes_judge {

namespace {

using ::p_yes::fit;

constexpr real excess = 1e-12L;

struct Point {
    real z, weight;
    bool yes;
    real target; // of the fit: 1 or 0, unless somebody smooths it
    bool operator==(const Point&) const = default;
};
using Points = std::vector<Point>;

real sigmoid(real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
/// -ln sigmoid(-x)
real softplus(real x) { return std::max<real>(x, 0) + std::log1p(std::exp(-std::fabs(x))); }

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

/// Of the mean of softplus(x) - target x, x = a z + b, with derivatives.
struct Slope {
    real value = 0;
    std::array<real, 2> first{};
    real aa = 0, ab = 0, bb = 0;
};

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

struct Temperature {
    fit state;
    real beta; // 1 / T
    real bound = 0;
};

/// The loss is convex in beta: its derivative is bracketed and halved. `below_zero`: beta may be negative.
Temperature fit_temperature(const Points& points, bool below_zero) {
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

struct Platt {
    real a = nan, b = nan, a_bound = 0, b_bound = 0;
};

/// Newton's method with halved steps; without an intercept, its column is left out. The loss is too flat to judge the
/// last steps by: those are taken whole.
Platt fit_platt(const Points& points, real penalty, bool intercept) {
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

/// Platt's own targets, which keep a fit finite: (N+ + 1) / (N+ + 2) and 1 / (N- + 2).
void smooth(Points& points) {
    real yes = 0, no = 0;
    for (const Point& one : points) (one.yes ? yes : no) += one.weight;
    for (Point& one : points) one.target = one.yes ? (yes + 1) / (yes + 2) : 1 / (no + 2);
}

/// Of weight above 0, unless `all`; nothing where the input is invalid.
Points points_of(const Problem& problem, const Slips& on, bool all) {
    const std::vector<double> z = problem.array("scores").values(), y = problem.array("labels").values();
    const std::vector<double> w = problem.array("weights").values();
    Points points;
    bool some = false;
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (!std::isfinite(z[i]) || !(w[i] >= 0) || std::isinf(w[i])) return {};
        some = some || w[i] > 0;
        const bool ignored = on("weights-ignored", 0) || on("weights-ignored", 1);
        if (w[i] > 0 || all || ignored)
            points.push_back({z[i], ignored ? 1 : w[i], y[i] != 0, y[i] != 0 ? 1.0L : 0.0L});
    }
    return some ? points : Points{};
}

class Calibration {
  public:
    Calibration(const Problem& problem, const Slips& on)
        : on_(on), points_(points_of(problem, on, false)), all_(points_of(problem, on, true)) {}

    Truths run() {
        if (points_.empty()) return invalid();
        losses_ = on_("loss-in-bits") ? 1 / std::log(2.0L) : 1;
        if (on_("loss-summed")) losses_ *= total_of(points_);
        if (on_("loss-by-count", 0)) losses_ *= total_of(points_) / static_cast<real>(points_.size());
        if (on_("loss-by-count", 1)) losses_ *= total_of(points_) / static_cast<real>(all_.size());
        add_loss("raw_loss", 1, 0, 0);
        temperature();
        platt();
        return std::move(truths_);
    }

  private:
    const Slips& on_;
    Points points_, all_;
    real losses_ = 1;
    Truths truths_;

    void add(const char* name, real value, real bound, const char* unit = "") {
        Truth truth;
        truth.name = name;
        truth.value = {static_cast<double>(value)};
        truth.bound = {std::isfinite(value) && std::isfinite(bound) ? static_cast<double>(bound) : 0};
        truth.dtype = Dtype::f64;
        truth.unit = unit;
        truths_.push_back(std::move(truth));
    }

    void add_state(const char* name, fit state) {
        Items items;
        items.choice(name, static_cast<std::int64_t>(state),
                     "0 ok, 1 constant, 2 one_class, 3 separable, 4 uninformative");
        truths_.push_back(std::move(items.take().front()));
    }

    Truths invalid() {
        add("raw_loss", nan, 0);
        add_state("temperature_state", fit::none);
        add("temperature", nan, 0);
        add("temperature_loss", nan, 0);
        add_state("platt_state", fit::none);
        for (const char* name : {"slope", "intercept", "platt_loss"}) add(name, nan, 0);
        return std::move(truths_);
    }

    /// n weighted terms, each of a few roundings at the size of its score.
    void add_loss(const char* name, real a, real b, real allowed) {
        real loss = mean_loss(points_, a, b), size = 0;
        for (const Point& one : points_) size = std::max(size, std::fabs(a * one.z + b));
        allowed += float64.unit * (static_cast<real>(points_.size()) + 32) * (loss + size + 1);
        if (on_("log-of-sigmoid")) {
            for (const Point& one : points_) {
                const real x = a * one.z + b, wrong = one.yes ? -x : x;
                // 1 - p is exact, and 0 where p has rounded to 1; for a yes the sigmoid itself keeps its digits
                if (!one.yes && sigmoid(-x) < 0x1p-54L) loss = infinity;
                if (one.yes && wrong > 709) loss = infinity;
                if (!one.yes) allowed += float64.unit * one.weight / total_of(points_) * std::exp(std::max<real>(x, 0));
            }
        }
        add(name, losses_ * loss, losses_ * allowed, on_("loss-in-bits") ? "bits" : "nats");
    }

    /// What a fit sees of the examples; `form` of the mistake is about this fit alone.
    Points fitted_points(bool platt, int form = -1) const {
        Points points = points_;
        if (on_("weights-ignored", 3) || (platt && on_("weights-ignored", 4)) ||
            (form >= 0 && on_("weights-ignored", form)))
            for (Point& one : points) one.weight = 1;
        return points;
    }

    /// By how much a loss moves where parameters do that are not at its minimum.
    real moved(real a, real b, real a_bound, real b_bound) const {
        const Slope at = objective(points_, a, b, 0);
        return std::fabs(at.first[0]) * a_bound + std::fabs(at.first[1]) * b_bound;
    }

    void temperature() {
        Temperature fitted = remembered(fit_temperature, fitted_points(false), on_("temperature-below-zero"));
        if (on_("temperature-with-intercept") && fitted.state == fit::ok && platt_state(points_) == fit::ok) {
            const Platt both = remembered(fit_platt, points_, real(0), true);
            if (both.a > 0) fitted = {fit::ok, both.a, both.a_bound};
        }
        add_state("temperature_state", fitted.state);
        const real T = 1 / fitted.beta;
        const real bound = fitted.state == fit::ok ? T * T * fitted.bound : 0;
        if (on_("temperature-inverted"))
            add("temperature", fitted.beta, fitted.bound);
        else
            add("temperature", T, bound);
        if (fitted.state == fit::separable) {
            real zero = 0;
            for (const Point& one : points_) zero += one.z == 0 ? one.weight : 0;
            const real loss = zero / total_of(points_) * std::log(2.0L);
            return add("temperature_loss", losses_ * loss, losses_ * loss * 64 * float64.unit, "nats");
        }
        add_loss("temperature_loss", fitted.beta, 0,
                 excess + (fitted.state == fit::ok ? moved(fitted.beta, 0, fitted.bound, 0) : 0));
    }

    void platt() {
        fit state = platt_state(points_);
        if (on_("zero-weights-counted")) {
            const fit counted = platt_state(all_);
            if (counted != fit::ok) state = counted;
        }
        if (on_("constant-as-separable") && state == fit::constant) state = fit::separable;
        if (on_("one-class-as-separable") && state == fit::one_class) state = fit::separable;
        add_state("platt_state", state);
        if (state == fit::one_class || state == fit::separable) {
            for (const char* name : {"slope", "intercept", "platt_loss"}) add(name, nan, 0);
            return;
        }
        if (state == fit::constant) return constant();
        if (on_("targets-smoothed")) smooth(points_);
        const Points points = fitted_points(true, 5);
        Platt fitted = remembered(fit_platt, points, on_("penalty-left-on") ? 1 / total_of(points) : 0,
                                  !on_("intercept-forgotten"));
        const real a = fitted.a, b = fitted.b, sign = on_("platt-sign") ? -1 : 1;
        add("slope", sign * a, fitted.a_bound);
        add("intercept", sign * b, fitted.b_bound);
        add_loss("platt_loss", a, b, excess + moved(a, b, fitted.a_bound, fitted.b_bound));
    }

    void constant() {
        real yes = 0, no = 0;
        for (const Point& one : fitted_points(true, 6)) (one.yes ? yes : no) += one.weight;
        const real b = on_("intercept-forgotten") ? 0 : std::log(yes / no);
        const real sign = on_("platt-sign") ? -1 : 1;
        add("slope", 0, 0);
        add("intercept", sign * b, float64.unit * (static_cast<real>(points_.size()) + 32) * (1 + std::fabs(b)));
        add_loss("platt_loss", 0, b, excess);
    }
};

} // namespace

Truths calibrate_level(const Problem& problem, const Slips& on) { return Calibration(problem, on).run(); }

} // namespace assay::p_yes_judge
