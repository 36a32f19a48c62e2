// Levels layernorm and layernorm-precision.
#include "cases.hpp"

#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

Case layernorm(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "",
               std::string drawn_as = "") {
    return make_case("layernorm", std::move(id), std::move(why), shape, std::move(change), std::move(stays),
                     std::move(drawn_as));
}

void no_affine(Draft& d) {
    for_each_index(d.gamma.extents, [&](const Index& at) {
        d.gamma.set(at, 1);
        d.beta.set(at, 0);
    });
}

/// x of this size, as level layernorm has it: a variance lost to a large mean is the next level's matter.
Change settled(double spread = 1) {
    return [=](Draft& d) {
        d.settle_slices();
        d.change_x([=](const Index&, double old) { return spread * old; });
    };
}

Change around(double mean, double spread = 1) {
    return [=](Draft& d) { d.change_x([=](const Index&, double old) { return mean + spread * old; }); };
}

void grained(Draft& d) {
    d.settle_slices();
    d.change_x([](const Index&, double old) { return std::nearbyint(old * 1024) / 1024; });
}

} // namespace

std::vector<Case> layernorm_cases() {
    std::vector<Case> cases;
    cases.push_back(layernorm("one-hot", "1, 0, 0, 0 gives 1.7320 and -0.5773 three times (with n - 1: 1.5, -0.5)",
                              {{1, 1, 4}, 2}, [](Draft& d) {
                                  no_affine(d);
                                  d.change_x([](const Index& at, double) { return at[2] == 0 ? 1.0 : 0.0; });
                              }));
    cases.push_back(layernorm("affine", "gamma and beta along axis 2", {{3, 4, 5}, 2}, settled()));
    cases.push_back(layernorm("affine-middle", "gamma and beta along axis 1", {{3, 5, 4}, 1}, grained));
    cases.push_back(layernorm("affine-outermost", "gamma and beta along axis 0", {{6, 2, 3}, 0}, settled(),
                              "the third of the three axes"));
    cases.push_back(layernorm(
        "small", "x of size 1e-4: eps is a thousand times the variance, and where it stands shows", {{4, 2, 16}, 2},
        settled(1e-4), "decisive for where eps stands: 1 / (sigma + eps) is thirty times too large"));
    cases.push_back(layernorm(
        "constant", "equal elements: the variance is 0, and y is beta", {{2, 4, 3}, 1},
        [](Draft& d) { d.change_x([&](const Index& at, double) { return static_cast<double>(d.slice_of(at) - 2); }); },
        "without eps, 0/0"));
    cases.push_back(layernorm(
        "large-eps", "eps 0.5", {{2, 3, 8}, 2},
        [](Draft& d) {
            d.eps = 0.5;
            d.settle_slices();
        },
        "eps is an argument and not a constant"));
    cases.push_back(layernorm(
        "tiny-eps", "eps 1e-12 under x of size 0.01", {{2, 3, 8}, 2},
        [](Draft& d) {
            d.eps = 1e-12;
            settled(0.01)(d);
        },
        "the other end of eps"));
    cases.push_back(layernorm(
        "stretched-slices", "case affine-middle times 4 and eps times 16: the answer is the same", {{3, 5, 4}, 1},
        [](Draft& d) {
            grained(d);
            d.change_x([](const Index&, double old) { return 4 * old; });
            d.eps = 16 * static_cast<double>(static_cast<float>(d.eps));
        },
        "layernorm does not see a positive scale, once eps follows its square", "affine-middle"));
    for (const std::int64_t n : {3, 16, 31, 127})
        cases.push_back(layernorm("layernorm-length-" + std::to_string(n),
                                  "40 slices of " + std::to_string(n) + " elements", {{5, n, 8}, 1}, settled(),
                                  "short slices are where a lost bit shows, and there are enough of them"));
    return cases;
}

std::vector<Case> layernorm_precision_cases() {
    std::vector<Case> cases;
    cases.push_back(layernorm("mean-1e4", "1e4 + N, n = 31: the mean of squares is 1e8, where floats are 8 apart",
                              {{3, 31, 4}, 1}, around(1e4)));
    cases.push_back(layernorm("mean-1e3", "-1e3 + N, n = 16: floats at 1e6 are 1/16 apart", {{4, 3, 16}, 2},
                              around(-1e3), "the variance is wrong, and nothing is NaN"));
    cases.push_back(layernorm("mean-300", "300 + N, n = 127", {{2, 4, 127}, 2}, around(300),
                              "long sums of squares: every addition rounds at their size"));
    cases.push_back(layernorm("mean-1e6", "1e6 + 4 N, n = 9: elements themselves are multiples of 1/16", {{9, 5, 3}, 0},
                              around(1e6, 4), "the mean's own rounding counts"));
    cases.push_back(layernorm(
        "moved-slices", "case affine-middle with multiples of 512 added to its slices: the answer is the same",
        {{3, 5, 4}, 1},
        [](Draft& d) {
            grained(d);
            d.shift_slices([](std::int64_t slice) { return 512.0 * static_cast<double>(slice - 6); });
        },
        "layernorm does not see a shift of its slice", "affine-middle"));
    return cases;
}

} // namespace assay::softmax_layernorm_judge
