// Level views: every function on views of every kind, on slices of one element, and on tensors without elements.
#include "cases.hpp"

namespace assay::softmax_layernorm_judge {

namespace {

constexpr std::array<int, 3> reversed{2, 1, 0};
constexpr std::array<int, 3> rotated{1, 2, 0};
constexpr std::array<int, 3> in_order{0, 1, 2};

Array stepped(const Array& vector, std::int64_t step) {
    return vector.laid_out(std::array{0}, std::array<std::int64_t, 1>{step});
}

void transpose_inputs(Draft& d) {
    d.x = laid_out(d.x, reversed, {1, 1, 1});
    if (d.backward()) d.dy = laid_out(d.dy, rotated, {1, 1, 1});
    if (d.layernorm()) d.gamma = stepped(d.gamma, 3);
    if (d.layernorm()) d.beta = stepped(d.beta, 2);
}

void step_inputs(Draft& d) {
    d.x = laid_out(d.x, in_order, {1, 2, 3});
    if (d.backward()) d.dy = laid_out(d.dy, in_order, {1, 1, 2});
}

void repeat_inputs(Draft& d) {
    d.x = repeated(d.x, (d.shape.axis + 1) % 3);
    if (d.backward()) d.dy = repeated(d.dy, (d.shape.axis + 2) % 3);
    if (d.layernorm()) d.gamma = repeated(d.gamma, 0);
}

void stride_outputs(Draft& d) {
    d.y = laid_out(d.y, rotated, {2, 1, 2});
    d.dx = laid_out(d.dx, reversed, {1, 2, 1});
    d.dgamma = stepped(d.dgamma, 2);
    d.dbeta = stepped(d.dbeta, 3);
}

} // namespace

std::vector<Case> view_cases() {
    std::vector<Case> cases;
    const std::array<std::string, 5> routes{"softmax", "log_softmax", "softmax_backward", "layernorm",
                                            "layernorm_backward"};
    const std::array<std::string, 5> names{"softmax", "log", "back", "layernorm", "grad"};
    const std::string views = "the strides of one tensor say nothing about another's, and each function reads its own";
    for (std::size_t r = 0; r < routes.size(); ++r) {
        const std::string& route = routes[r];
        const std::string& name = names[r];
        cases.push_back(make_case(route, name + "-transposed", "inputs whose memory order is not that of their axes",
                                  {{3, 4, 5}, r % 3}, transpose_inputs, views));
        cases.push_back(make_case(route, name + "-stepped", "inputs that step over gaps", {{3, 4, 5}, (r + 1) % 3},
                                  step_inputs,
                                  "an innermost stride need not be 1, nor the others products of extents"));
        cases.push_back(make_case(route, name + "-repeated", "inputs that repeat themselves by stride 0",
                                  {{3, 4, 5}, (r + 2) % 3}, repeat_inputs,
                                  "a tensor may be smaller in memory than its extents say"));
        cases.push_back(make_case(route, name + "-strided-output", "outputs with gaps and other memory orders",
                                  {{3, 4, 5}, r % 3}, stride_outputs, "gaps between elements belong to somebody else"));
        cases.push_back(make_case(route, name + "-one", "slices of one element", {{4, 1, 3}, 1}, {},
                                  "n = 1: softmax gives 1, its logarithm 0, layernorm beta, both gradients dx 0"));
        cases.push_back(make_case(route, name + "-no-slices", "no slices at all", {{0, 4, 3}, 1}, {},
                                  "an extent of 0; dgamma and dbeta are sums over nothing, 0"));
        cases.push_back(make_case(route, name + "-no-elements", "slices of no elements", {{2, 3, 0}, 2}, {},
                                  "n = 0: nothing to read, and nothing to divide by"));
    }
    return cases;
}

} // namespace assay::softmax_layernorm_judge
