// Reads a problem's tensors into dense float64 arrays, and sorts their elements into slices.
#include "oracle_inputs.hpp"

#include <stdexcept>

namespace assay::softmax_layernorm_judge {

namespace {

/// Elements in row-major order; with `contiguous` by row-major strides whatever the view's own are.
std::optional<std::vector<double>> read(const Array& array, bool contiguous) {
    if (!contiguous) return array.values();
    std::vector<double> values(static_cast<std::size_t>(array.size()));
    if (!values.empty() && array.offset + array.size() > array.storage_elements()) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = array.stored(array.offset + static_cast<std::int64_t>(i));
    return values;
}

} // namespace

Route route_of(const Problem& problem) {
    if (problem.route == "softmax") return Route::softmax;
    if (problem.route == "log_softmax") return Route::log_softmax;
    if (problem.route == "softmax_backward") return Route::softmax_backward;
    if (problem.route == "layernorm") return Route::layernorm;
    if (problem.route == "layernorm_backward") return Route::layernorm_backward;
    throw std::logic_error("softmax_layernorm has no route '" + problem.route + "'");
}

std::size_t Inputs::coordinate(std::size_t position, std::size_t along) const {
    for (std::size_t inner = 2; inner > along; --inner) position /= extents[inner];
    return position % extents[along];
}

std::optional<Inputs> read_inputs(const Problem& problem, bool contiguous) {
    Inputs in;
    in.route = route_of(problem);
    for (std::size_t i = 0; i < 3; ++i) in.extents[i] = static_cast<std::size_t>(problem.array("x").extents[i]);
    in.axis = static_cast<std::size_t>(problem.integer("axis"));
    in.eps = static_cast<double>(static_cast<float>(problem.number_or("eps", 0)));
    for (const auto& [name, values] :
         {std::pair{"x", &in.x}, std::pair{"dy", &in.dy}, std::pair{"gamma", &in.gamma}, std::pair{"beta", &in.beta}}) {
        if (!problem.has(name)) continue;
        std::optional<std::vector<double>> own = read(problem.array(name), contiguous);
        if (!own) return std::nullopt;
        *values = std::move(*own);
    }
    return in;
}

std::vector<Slice> slices_of(const Inputs& in, Grouping grouping, std::size_t axis) {
    const auto& e = in.extents;
    const std::size_t size = e[0] * e[1] * e[2];
    if (size == 0) return {};
    const std::size_t count = grouping == Grouping::whole ? 1 : grouping == Grouping::across ? e[axis] : size / e[axis];
    std::vector<Slice> slices(count);
    const std::size_t outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2; // the two other axes
    for (std::size_t at = 0; at < size; ++at) {
        std::size_t slice = 0;
        if (grouping == Grouping::across) slice = in.coordinate(at, axis);
        if (grouping == Grouping::along) slice = in.coordinate(at, outer) * e[inner] + in.coordinate(at, inner);
        slices[slice].push_back(at);
    }
    return slices;
}

} // namespace assay::softmax_layernorm_judge
