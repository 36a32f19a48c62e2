// Levels softmax, softmax-range and log-softmax.
#include "cases.hpp"

#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

/// Slices of four lie at these places in turn.
Change at_places(std::array<double, 4> places) {
    return [places](Draft& d) {
        d.shift_slices([&](std::int64_t slice) { return places[static_cast<std::size_t>(slice % 4)]; });
    };
}

/// Multiples of 2^-10, so that whole numbers are added without rounding.
void grained(Draft& d) {
    d.change_x([](const Index&, double old) { return std::nearbyint(old * 1024) / 1024; });
}

/// One element of each slice lies `depths[..]` below the others.
Change with_depths(std::array<double, 4> depths) {
    return [depths](Draft& d) {
        d.change_x([&](const Index& at, double old) {
            const std::int64_t slice = d.slice_of(at);
            return at[d.shape.axis] == slice % d.n() ? old - depths[static_cast<std::size_t>(slice % 4)] : old;
        });
    };
}

/// The many short slices on which a lost bit shows.
void add_lengths(std::vector<Case>& cases, const std::string& route, const std::string& name) {
    for (const std::int64_t n : {3, 16, 31, 127})
        cases.push_back(make_case(route, name + "-length-" + std::to_string(n),
                                  "40 slices of " + std::to_string(n) + " elements", {{5, n, 8}, 1}, {},
                                  "short slices are where a lost bit shows, and there are enough of them"));
}

} // namespace

std::vector<Case> softmax_cases() {
    std::vector<Case> cases;
    const std::string route = "softmax";
    cases.push_back(make_case(route, "innermost", "slices along axis 2, no two extents alike", {{3, 4, 5}, 2}));
    cases.push_back(make_case(route, "middle", "slices along axis 1, between two others", {{3, 5, 4}, 1}, grained));
    cases.push_back(make_case(route, "outermost", "slices along axis 0: elements lie far apart", {{5, 2, 3}, 0}, {},
                              "the third of the three axes"));
    cases.push_back(make_case(route, "cube", "three equal extents: no shape gives a wrong axis away", {{4, 4, 4}, 0},
                              {}, "with equal extents a wrong axis reads and writes in range"));
    cases.push_back(make_case(
        route, "moved", "case middle with a whole number added to each slice: the answer is the same", {{3, 5, 4}, 1},
        [](Draft& d) {
            grained(d);
            d.shift_slices([](std::int64_t slice) { return static_cast<double>(slice - 6); });
        },
        "softmax does not see a shift of its slice", "middle"));
    cases.push_back(make_case(
        route, "stretched", "case middle times 3: sharper, since a scale is not cancelled", {{3, 5, 4}, 1},
        [](Draft& d) {
            grained(d);
            d.change_x([](const Index&, double old) { return 3 * old; });
        },
        "softmax does see a scale", "middle"));
    cases.push_back(make_case(
        route, "equal", "equal elements: 1/n each", {{2, 3, 7}, 2},
        [](Draft& d) { d.change_x([](const Index& at, double) { return static_cast<double>(at[1]); }); },
        "no element is the largest"));
    add_lengths(cases, route, "softmax");
    return cases;
}

std::vector<Case> softmax_range_cases() {
    std::vector<Case> cases;
    const std::string route = "softmax";
    cases.push_back(make_case(route, "overflow", "some slices near 95: exp(95) is beyond float32", {{4, 3, 5}, 2},
                              at_places({2, 95, 60, 130})));
    cases.push_back(make_case(route, "far-apart", "slices up to 300 apart: each needs its own maximum", {{3, 6, 4}, 1},
                              at_places({300, 20, 150, 5}),
                              "a maximum that all slices share leaves some of them nothing"));
    cases.push_back(make_case(route, "far-below", "some slices lie below -150: a maximum of 0 leaves nothing",
                              {{5, 3, 4}, 0}, at_places({-20, -160, -400, -3})));
    cases.push_back(make_case(route, "ten-thousand",
                              "slices at 1e4 and -1e4: 1e4 + log(sum) rounds to a multiple of 0.001", {{4, 3, 31}, 2},
                              at_places({1e4, 3, -1e4, 5e3}), "where the rounding of max + log(sum) is largest"));
    cases.push_back(make_case(
        route, "wide", "elements up to 1e4 apart within one slice: all but the largest vanish", {{3, 5, 4}, 1},
        [](Draft& d) { d.change_x([](const Index&, double old) { return 4e3 * old; }); },
        "underflow within a slice is right"));
    cases.push_back(make_case(
        route, "huge", "slices of size 1e9, where neighbouring floats are 64 apart", {{2, 3, 5}, 2},
        [](Draft& d) { d.change_x([](const Index&, double old) { return 1e9 + 64 * std::floor(old) - 640; }); },
        "the far end of the domain"));
    return cases;
}

std::vector<Case> log_softmax_cases() {
    std::vector<Case> cases;
    const std::string route = "log_softmax";
    cases.push_back(make_case(route, "log-innermost", "the formula along axis 2", {{3, 4, 5}, 2}));
    cases.push_back(make_case(route, "log-middle", "the formula along axis 1", {{3, 5, 4}, 1}));
    cases.push_back(make_case(route, "log-outermost", "the formula along axis 0", {{5, 2, 3}, 0}, {},
                              "the third of the three axes"));
    cases.push_back(make_case(route, "deep", "elements 95, 120 and 600 below the others: no exp reaches them",
                              {{3, 4, 6}, 2}, with_depths({120, 95, 600, 30})));
    cases.push_back(
        make_case(route, "log-overflow", "some slices near 95", {{4, 3, 5}, 2}, at_places({2, 95, 60, 130})));
    cases.push_back(make_case(route, "log-far-apart", "slices up to 300 apart", {{3, 6, 4}, 1},
                              at_places({300, 20, 150, 5}),
                              "a maximum that all slices share leaves some of them log(0)"));
    cases.push_back(
        make_case(route, "log-far-below", "some slices below -150", {{5, 3, 4}, 0}, at_places({-20, -160, -400, -3})));
    cases.push_back(make_case(route, "log-ten-thousand", "slices at 1e4: log-sum-exp rounds to a multiple of 0.001",
                              {{4, 3, 31}, 2}, at_places({1e4, 3, -1e4, 5e3}),
                              "where the rounding of max + log(sum) is largest"));
    add_lengths(cases, route, "log");
    return cases;
}

} // namespace assay::softmax_layernorm_judge
