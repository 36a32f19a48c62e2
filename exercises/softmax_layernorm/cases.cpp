// The draft of a case and how it becomes a problem.
#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::softmax_layernorm_judge {

namespace {

Array normal(const Index& extents, Random& random, double mean = 0) {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents) size *= extent;
    std::vector<double> values(static_cast<std::size_t>(size));
    for (double& value : values) value = mean + random.normal();
    return Array::of(Dtype::f32, extents, values);
}

const std::array<std::string, 3> axis_names{"I", "J", "K"};

} // namespace

Draft::Draft(std::string route_name, const Shape& of, std::uint64_t seed, std::string_view id)
    : route(std::move(route_name)), shape(of), random(seed, id) {
    const Index extents(shape.extents.begin(), shape.extents.end());
    x = normal(extents, random);
    if (backward()) dy = normal(extents, random);
    if (layernorm()) {
        gamma = normal({n()}, random, 1);
        beta = normal({n()}, random);
    }
    y = dx = Array::zeros(Dtype::f32, extents);
    dgamma = dbeta = Array::zeros(Dtype::f32, {n()});
}

void Draft::change_x(const std::function<double(const Index&, double)>& rule) {
    for_each_index(x.extents, [&](const Index& at) { x.set(at, rule(at, x.at(at))); });
}

std::int64_t Draft::slice_of(const Index& at) const {
    std::int64_t number = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (axis != shape.axis) number = number * shape.extents[axis] + at[axis];
    return number;
}

void Draft::shift_slices(const std::function<double(std::int64_t)>& offset) {
    change_x([&](const Index& at, double old) { return old + offset(slice_of(at)); });
}

void Draft::settle_slices() {
    std::map<std::int64_t, std::array<double, 2>> sums; // of elements and of their squares
    const auto count = static_cast<double>(n());
    change_x([&](const Index& at, double old) {
        sums[slice_of(at)][0] += old / count;
        sums[slice_of(at)][1] += old * old / count;
        return old;
    });
    shift_slices([&](std::int64_t slice) {
        const auto [mean, squares] = sums[slice];
        return 0.5 * std::sqrt(std::max(squares - mean * mean, 0.0)) - mean;
    });
}

Problem Draft::problem() const {
    Problem problem;
    problem.route = route;
    const std::vector<std::string> all(axis_names.begin(), axis_names.end());
    const std::vector<std::string> along{axis_names[shape.axis]};
    const auto add = [&](const char* name, const Array& array) {
        problem.fields.push_back({name, array, array.rank() == 1 ? along : all});
    };
    add("x", x);
    if (layernorm()) add("gamma", gamma);
    if (route == "layernorm") add("beta", beta);
    if (backward()) add("dy", dy);
    problem.fields.push_back({"axis", static_cast<std::int64_t>(shape.axis), {}});
    if (layernorm()) problem.fields.push_back({"eps", eps, {}});
    add(backward() ? "dx" : "y", backward() ? dx : y);
    if (route == "layernorm_backward") {
        add("dgamma", dgamma);
        add("dbeta", dbeta);
    }
    return problem;
}

Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change, std::string stays,
               std::string drawn_as) {
    Case one;
    one.id = id;
    one.why = std::move(why);
    one.stays = std::move(stays);
    one.make = [route = std::move(route), name = drawn_as.empty() ? id : drawn_as, shape,
                change = std::move(change)](std::uint64_t seed) {
        Draft draft(route, shape, seed, name);
        if (change) change(draft);
        return draft.problem();
    };
    return one;
}

Array laid_out(const Array& array, const std::array<int, 3>& order, const std::array<std::int64_t, 3>& step) {
    return array.laid_out(order, step);
}

Array repeated(const Array& array, std::size_t axis) {
    Array first = array.take(axis, std::array<std::int64_t, 1>{0});
    first.extents[axis] = array.extents[axis];
    first.strides[axis] = 0;
    return first;
}

} // namespace assay::softmax_layernorm_judge
