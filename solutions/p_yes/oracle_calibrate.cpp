// Level calibration: what is asked of the fits, item by item, and how far each may be off.
#include "core/items.hpp"
#include "oracle_fits.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::p_yes_judge {

namespace {

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
        Temperature fitted = fit_temperature(fitted_points(false), on_("temperature-below-zero"));
        if (on_("temperature-with-intercept") && fitted.state == fit::ok && platt_state(points_) == fit::ok) {
            const Platt both = fit_platt(points_, 0, true);
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
        Platt fitted =
            fit_platt(points, on_("penalty-left-on") ? 1 / total_of(points) : 0, !on_("intercept-forgotten"));
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
