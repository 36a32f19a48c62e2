// The oracle: reads a problem, computes every slice right or with one mistake switched on, and bounds every element.
#include "oracle.hpp"
#include "oracle_slices.hpp"

#include <algorithm>
#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

Truth blank(const Problem& problem, const char* name) {
    Truth truth;
    truth.name = name;
    truth.extents = problem.array(name).extents;
    truth.value.assign(static_cast<std::size_t>(problem.array(name).size()), 0.0);
    truth.bound = truth.value;
    return truth;
}

std::vector<double> picked(const std::vector<double>& from, const Slice& slice) {
    std::vector<double> values;
    for (const std::size_t at : slice) values.push_back(from[at]);
    return values;
}

void put(const Values& values, const Slice& slice, Truth& truth) {
    for (std::size_t j = 0; j < slice.size(); ++j) {
        truth.value[slice[j]] = values.value[j];
        truth.bound[slice[j]] = values.bound[j];
    }
}

std::vector<Slice> slices_for(const Inputs& in, const Switch& as) {
    switch (as.slip) {
    case Slip::last_axis: return slices_of(in, Grouping::along, 2);
    case Slip::axis_from_the_end: return slices_of(in, Grouping::along, 2 - in.axis);
    case Slip::whole_tensor: return slices_of(in, Grouping::whole, in.axis);
    case Slip::batch_statistics: return slices_of(in, Grouping::across, in.axis);
    default: return slices_of(in, Grouping::along, in.axis);
    }
}

/// dgamma and dbeta, gathered slice by slice.
class ParameterGradients {
  public:
    ParameterGradients(const Inputs& in, const Switch& as, std::size_t slices, Truth& dgamma, Truth& dbeta)
        : in_(in), as_(as), slices_(slices), dgamma_(dgamma), dbeta_(dbeta) {}

    void add(const Statistics& stats, const Slice& slice, std::size_t number, std::size_t parameter_axis) {
        const std::size_t inner = in_.axis == 2 ? in_.extents[1] : in_.extents[2];
        if (as_.slip == Slip::parameters_overwritten && number + (as_.variant == 0 ? 1 : inner) < slices_) return;
        const double count = static_cast<double>(slices_), u = unit_roundoff;
        const double share = as_.slip == Slip::parameters_averaged ? 1 / count : 1;
        for (std::size_t j = 0; j < slice.size(); ++j) {
            const std::size_t to = in_.coordinate(slice[j], parameter_axis);
            const bool scaled = as_.slip == Slip::parameters_with_gamma;
            const double dy = in_.dy[slice[j]] * (scaled ? in_.gamma[to] : 1) * share;
            const bool raw = as_.slip == Slip::dgamma_from_x;
            const double xhat = raw ? in_.x[slice[j]] : stats.normalised(j);
            const double Ex = (raw ? 0 : stats.error(j)) + u * std::fabs(xhat);
            dgamma_.value[to] += dy * xhat;
            dgamma_.bound[to] += std::fabs(dy) * (Ex + u * (count + 2) * std::fabs(xhat)) + flushed(2, stats.r);
            dbeta_.value[to] += dy;
            dbeta_.bound[to] += std::fabs(dy) * u * (count + 1) + flushed(1, 0);
        }
    }

  private:
    const Inputs& in_;
    const Switch& as_;
    std::size_t slices_;
    Truth &dgamma_, &dbeta_;
};

/// A sum with NaN in it has no bound.
void drop_bounds_of_nan(Truth& truth) {
    for (std::size_t i = 0; i < truth.value.size(); ++i)
        if (!std::isfinite(truth.value[i])) truth.bound[i] = 0;
}

Truths run_softmax(const Problem& problem, const Inputs& in, const Switch& as) {
    const bool back = in.route == Route::softmax_backward;
    Truths truths{blank(problem, back ? "dx" : "y")};
    const double top = in.x.empty() ? 0 : *std::max_element(in.x.begin(), in.x.end());
    for (const Slice& slice : slices_for(in, as)) {
        const std::vector<double> z = picked(in.x, slice);
        if (back)
            put(softmax_backward_slice(z, picked(in.dy, slice), as, top), slice, truths[0]);
        else
            put(in.route == Route::softmax ? softmax_slice(z, as, top) : log_softmax_slice(z, as, top), slice,
                truths[0]);
    }
    return truths;
}

Truths run_layernorm(const Problem& problem, const Inputs& in, const Switch& as) {
    const bool back = in.route == Route::layernorm_backward;
    Truths truths{blank(problem, back ? "dx" : "y")};
    if (back) {
        truths.push_back(blank(problem, "dgamma"));
        truths.push_back(blank(problem, "dbeta"));
    }
    const std::size_t parameter_axis = as.slip == Slip::gamma_by_last_axis ? 2 : in.axis;
    const std::vector<Slice> slices = slices_for(in, as);
    for (std::size_t number = 0; number < slices.size(); ++number) {
        const Slice& slice = slices[number];
        const Statistics stats = statistics_of(picked(in.x, slice), in.eps, as);
        std::vector<double> gamma, beta;
        for (const std::size_t at : slice) {
            gamma.push_back(in.gamma[in.coordinate(at, parameter_axis)]);
            if (!back) beta.push_back(in.beta[in.coordinate(at, parameter_axis)]);
        }
        if (!back) {
            put(layernorm_slice(stats, gamma, beta, as), slice, truths[0]);
            continue;
        }
        put(layernorm_backward_slice(stats, gamma, picked(in.dy, slice), as), slice, truths[0]);
        ParameterGradients(in, as, slices.size(), truths[1], truths[2]).add(stats, slice, number, parameter_axis);
    }
    for (Truth& truth : truths) drop_bounds_of_nan(truth);
    return truths;
}

Truths run(const Problem& problem, const Inputs& in, const Switch& as) {
    const bool layernorm = in.route == Route::layernorm || in.route == Route::layernorm_backward;
    return layernorm ? run_layernorm(problem, in, as) : run_softmax(problem, in, as);
}

/// Whether some element of the two is farther apart than both bounds, or not a number in one alone.
bool differ(const Truths& wrong, const Truths& right) {
    for (std::size_t k = 0; k < right.size(); ++k)
        for (std::size_t i = 0; i < right[k].value.size(); ++i) {
            const double allowed = std::max(wrong[k].bound[i], right[k].bound[i]);
            if (!(std::fabs(wrong[k].value[i] - right[k].value[i]) <= allowed)) return true;
        }
    return false;
}

} // namespace

std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form) {
    const std::optional<Switch> as = find_switch(mistake, form);
    if (!as) return std::nullopt;
    const Route route = route_of(problem);
    if (!as->applies(route)) return std::nullopt;
    const std::optional<Inputs> in = read_inputs(problem, as->slip == Slip::strides_ignored);
    if (!in) return std::nullopt;
    // gamma has n elements: another axis may have more
    if (as->slip == Slip::gamma_by_last_axis && in->extents[2] > in->n()) return std::nullopt;
    Truths truths = run(problem, *in, *as);
    // A mistake may be right here but for its rounding, which can still be too much: it then explains nothing, and
    // rules nothing out.
    if (as->slip != Slip::none && !differ(truths, run(problem, *read_inputs(problem), Switch{}))) return std::nullopt;
    return truths;
}

} // namespace assay::softmax_layernorm_judge
