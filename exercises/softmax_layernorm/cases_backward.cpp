// Levels softmax-backward and layernorm-backward.
#include "cases.hpp"

#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

Case through_softmax(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("softmax_backward", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

Case through_layernorm(std::string id, std::string why, const Shape& shape, Change change = {},
                       std::string stays = "") {
    return make_case("layernorm_backward", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

void set_all(Array& array, const std::function<double(const Index&)>& rule) {
    for_each_index(array.extents, [&](const Index& at) { array.set(at, rule(at)); });
}

} // namespace

std::vector<Case> softmax_backward_cases() {
    std::vector<Case> cases;
    cases.push_back(through_softmax("back-innermost", "the gradient along axis 2", {{3, 4, 5}, 2}));
    cases.push_back(through_softmax("back-middle", "the gradient along axis 1", {{3, 5, 4}, 1}));
    cases.push_back(through_softmax("back-outermost", "the gradient along axis 0", {{5, 2, 3}, 0}, {},
                                    "the third of the three axes"));
    cases.push_back(
        through_softmax("back-far", "slices at 120, -160 and 1e4: softmax has to be sound in the backward pass too",
                        {{4, 3, 5}, 2}, [](Draft& d) {
                            d.shift_slices([](std::int64_t slice) {
                                return std::array{120.0, 0.0, -160.0, 1e4}[static_cast<std::size_t>(slice % 4)];
                            });
                        }));
    cases.push_back(through_softmax(
        "back-constant", "dy constant in each slice: y sums to 1 whatever x, so the gradient is 0", {{3, 4, 6}, 2},
        [](Draft& d) { set_all(d.dy, [](const Index& at) { return static_cast<double>(at[0] - at[1]) + 0.5; }); },
        "what is left is rounding alone"));
    cases.push_back(through_softmax(
        "back-one-hot", "dy = 1 at one element: a row of the Jacobian, y_c (delta - y)", {{2, 3, 7}, 2},
        [](Draft& d) { set_all(d.dy, [](const Index& at) { return at[2] == at[1] + at[0] ? 1.0 : 0.0; }); },
        "the gradient of one probability"));
    cases.push_back(through_softmax(
        "back-saturated", "one element of each slice 30 above the rest: gradients near 0", {{3, 6, 4}, 1},
        [](Draft& d) {
            d.change_x([&](const Index& at, double old) { return at[1] == d.slice_of(at) % 6 ? old + 30 : old; });
        },
        "y (dy - sum y dy) cancels where y is 1"));
    for (const std::int64_t n : {3, 16, 31, 127})
        cases.push_back(through_softmax("back-length-" + std::to_string(n),
                                        "40 slices of " + std::to_string(n) + " elements", {{5, n, 8}, 1}, {},
                                        "short slices are where a lost bit shows, and there are enough of them"));
    return cases;
}

std::vector<Case> layernorm_backward_cases() {
    std::vector<Case> cases;
    cases.push_back(through_layernorm("grad-innermost", "all three gradients along axis 2", {{3, 4, 5}, 2}));
    cases.push_back(through_layernorm("grad-middle", "all three gradients along axis 1", {{3, 5, 4}, 1}));
    cases.push_back(through_layernorm("grad-outermost", "all three gradients along axis 0", {{6, 2, 3}, 0}, {},
                                      "the third of the three axes"));
    cases.push_back(through_layernorm(
        "grad-small", "x of size 1e-4: eps rules", {{3, 2, 16}, 2},
        [](Draft& d) { d.change_x([](const Index&, double old) { return 1e-4 * old; }); },
        "decisive for where eps stands"));
    cases.push_back(through_layernorm(
        "grad-constant", "equal elements: the variance is 0", {{2, 4, 3}, 1},
        [](Draft& d) { d.change_x([&](const Index& at, double) { return static_cast<double>(d.slice_of(at) - 2); }); },
        "without eps, 0/0"));
    cases.push_back(through_layernorm("grad-one-slice", "a single slice: nothing to sum dgamma and dbeta over",
                                      {{1, 1, 7}, 2}, {}, "N = 1 slice"));
    cases.push_back(through_layernorm(
        "grad-constant-dy", "gamma = 1 and dy constant: a shift of x changes nothing, so dx is 0", {{3, 2, 8}, 2},
        [](Draft& d) {
            set_all(d.gamma, [](const Index&) { return 1.0; });
            set_all(d.dy, [](const Index& at) { return static_cast<double>(at[0]) - 0.5; });
        },
        "what is left is rounding alone"));
    cases.push_back(through_layernorm(
        "grad-scale", "gamma = 1 and dy = x: a scale of x changes nothing, so dx is next to 0", {{3, 2, 8}, 2},
        [](Draft& d) {
            set_all(d.gamma, [](const Index&) { return 1.0; });
            d.dy = d.x;
        },
        "the second reduction takes out what lies along x"));
    cases.push_back(through_layernorm(
        "grad-eps", "eps 0.5", {{2, 3, 8}, 2}, [](Draft& d) { d.eps = 0.5; }, "eps is an argument"));
    cases.push_back(through_layernorm(
        "grad-mean-1e4", "1e4 + N, n = 31", {{3, 31, 4}, 1},
        [](Draft& d) { d.change_x([](const Index&, double old) { return 1e4 + old; }); },
        "the statistics are sound in the backward pass too"));
    for (const std::int64_t n : {3, 16, 31, 127})
        cases.push_back(through_layernorm("grad-length-" + std::to_string(n),
                                          "40 slices of " + std::to_string(n) + " elements", {{5, n, 8}, 1}, {},
                                          "short slices are where a lost bit shows, and there are enough of them"));
    return cases;
}

} // namespace assay::softmax_layernorm_judge
