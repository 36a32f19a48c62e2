// The plain float32 implementation, and the contract's preconditions.
#include "oracle.hpp"
#include "oracle_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace assay::softmax_layernorm_judge {

namespace {

float narrow(double x) { return static_cast<float>(x); }

void softmax_slice(const Inputs& in, const Slice& slice, std::vector<float>& y) {
    float m = narrow(in.x[slice.front()]), sum = 0, dot = 0;
    for (const std::size_t at : slice) m = std::max(m, narrow(in.x[at]));
    for (const std::size_t at : slice) sum += y[at] = std::exp(narrow(in.x[at]) - m);
    if (in.route == Route::log_softmax) {
        const float log_sum = std::log(sum);
        for (const std::size_t at : slice) y[at] = narrow(in.x[at]) - m - log_sum;
        return;
    }
    for (const std::size_t at : slice) y[at] /= sum;
    if (in.route == Route::softmax) return;
    for (const std::size_t at : slice) dot += y[at] * narrow(in.dy[at]);
    for (const std::size_t at : slice) y[at] *= narrow(in.dy[at]) - dot;
}

void layernorm_slice(const Inputs& in, const Slice& slice, std::vector<float>& y, std::vector<float>& dgamma,
                     std::vector<float>& dbeta) {
    const auto n = static_cast<float>(slice.size());
    float sum = 0, squares = 0;
    for (const std::size_t at : slice) sum += narrow(in.x[at]);
    const float mean = sum / n;
    for (const std::size_t at : slice) squares += (narrow(in.x[at]) - mean) * (narrow(in.x[at]) - mean);
    const float r = 1 / std::sqrt(squares / n + narrow(in.eps));
    if (in.route == Route::layernorm) {
        for (std::size_t j = 0; j < slice.size(); ++j)
            y[slice[j]] = narrow(in.gamma[j]) * ((narrow(in.x[slice[j]]) - mean) * r) + narrow(in.beta[j]);
        return;
    }
    float a = 0, c = 0;
    for (std::size_t j = 0; j < slice.size(); ++j) {
        const float dy = narrow(in.dy[slice[j]]), xhat = (narrow(in.x[slice[j]]) - mean) * r;
        a += narrow(in.gamma[j]) * dy;
        c += narrow(in.gamma[j]) * dy * xhat;
        dgamma[j] += dy * xhat;
        dbeta[j] += dy;
    }
    for (std::size_t j = 0; j < slice.size(); ++j) {
        const float xhat = (narrow(in.x[slice[j]]) - mean) * r;
        y[slice[j]] = r * (narrow(in.gamma[j]) * narrow(in.dy[slice[j]]) - a / n - xhat * (c / n));
    }
}

bool bounded(const Array& array) {
    const std::vector<double> values = array.values();
    return std::all_of(values.begin(), values.end(), [](double x) { return std::fabs(x) <= 1e9; });
}

} // namespace

Outputs plain(const Problem& problem) {
    const Inputs in = *read_inputs(problem);
    const bool back = in.route == Route::softmax_backward || in.route == Route::layernorm_backward;
    std::vector<float> y(in.x.size()), dgamma(in.n()), dbeta(in.n());
    for (const Slice& slice : slices_of(in, Grouping::along, in.axis)) {
        if (in.route == Route::layernorm || in.route == Route::layernorm_backward)
            layernorm_slice(in, slice, y, dgamma, dbeta);
        else
            softmax_slice(in, slice, y);
    }
    Outputs outputs;
    const auto add = [&](const char* name, const std::vector<float>& values) {
        const std::vector<double> wide(values.begin(), values.end());
        outputs.arrays.emplace_back(name, Array::of(Dtype::f32, problem.array(name).extents, wide));
    };
    add(back ? "dx" : "y", y);
    if (in.route == Route::layernorm_backward) {
        add("dgamma", dgamma);
        add("dbeta", dbeta);
    }
    return outputs;
}

bool valid(const Problem& problem) {
    const bool back = problem.route == "softmax_backward" || problem.route == "layernorm_backward";
    const bool layernorm = problem.route == "layernorm" || problem.route == "layernorm_backward";
    std::vector<std::string> needed{"x", "axis", back ? "dx" : "y"};
    if (back) needed.emplace_back("dy");
    if (layernorm) needed.insert(needed.end(), {"gamma", "eps"});
    if (problem.route == "layernorm") needed.emplace_back("beta");
    if (problem.route == "layernorm_backward") needed.insert(needed.end(), {"dgamma", "dbeta"});
    for (const std::string& name : needed)
        if (!problem.has(name)) return false;

    const std::int64_t axis = problem.integer("axis");
    const Array& x = problem.array("x");
    if (axis < 0 || axis > 2 || x.rank() != 3) return false;
    for (const Field& field : problem.fields) {
        const auto* array = std::get_if<Array>(&field.value);
        if (array == nullptr) continue;
        const bool parameter =
            field.name == "gamma" || field.name == "beta" || field.name == "dgamma" || field.name == "dbeta";
        const Index wanted = parameter ? Index{x.extents[static_cast<std::size_t>(axis)]} : x.extents;
        if (array->extents != wanted || !bounded(*array)) return false;
    }
    if (!layernorm) return true;
    const double eps = problem.number_or("eps", 0);
    return eps >= 1e-12 && eps <= 1;
}

} // namespace assay::softmax_layernorm_judge
