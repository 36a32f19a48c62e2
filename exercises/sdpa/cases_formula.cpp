// Levels formula and stability: the formula itself, and logits that exp cannot take.
#include "cases.hpp"

#include <array>

#include <cmath>

namespace assay::sdpa_judge {

namespace {

Case attention(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("attention", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

} // namespace

std::vector<Case> formula_cases() {
    std::vector<Case> cases;
    cases.push_back(attention("one-key", "the softmax of a single logit is 1, so every row of a head is its one v",
                              {2, 3, 3, 3, 1, 2, 2}));
    cases.push_back(attention("default-scale", "no two extents alike, the scale left at 1/sqrt(D)", {}));
    cases.push_back(attention("given-scale", "a scale of 0.37: 1/sqrt(D), 1/D and the square all differ from it", {},
                              [](Draft& d) { d.scale = 0.37; }));
    cases.push_back(attention(
        "seventy-keys", "blocks of up to 64 keys, some keys after the last whole one, the largest logits last",
        {1, 2, 2, 3, 70, 5, 5}, [](Draft& d) {
            d.offset_logits([](std::int64_t) { return 1.0; },
                            [](std::int64_t j) { return static_cast<double>(j) / 16 + (j < 64 ? 0 : 4); });
        }));
    cases.push_back(attention("square", "Lq = Lk = D: k read the wrong way round stays in range", {1, 2, 2, 6, 6, 6, 6},
                              {}, "the square case in which no shape gives a transposed k away"));
    cases.push_back(attention(
        "zero-scale", "a scale of 0 was given and is not absent: the mean of v", {3, 2, 2, 2, 5, 3, 3},
        [](Draft& d) { d.scale = 0.0; }, "parts a given 0 from an absent scale"));
    cases.push_back(attention(
        "negative-scale", "a negative scale turns the order of the logits round", {1, 3, 3, 4, 9, 2, 2},
        [](Draft& d) { d.scale = -0.6; }, "a maximum taken before scaling is the minimum after it"));
    cases.push_back(attention("one-feature", "D = 1: the default scale is 1", {2, 2, 2, 3, 4, 1, 1}, {},
                              "the smallest D the contract allows"));
    return cases;
}

std::vector<Case> stability_cases() {
    std::vector<Case> cases;
    cases.push_back(attention("overflow", "logits near 95 in some rows: exp(95) is beyond float32",
                              {2, 3, 3, 5, 7, 3, 3}, [](Draft& d) {
                                  d.offset_rows([](std::int64_t i) {
                                      return std::array{40.0, 95.0, 60.0, 100.0, 50.0}[static_cast<std::size_t>(i)];
                                  });
                              }));
    cases.push_back(attention("far-rows", "rows of one head lie up to 300 apart: each needs its own maximum",
                              {2, 3, 3, 5, 7, 3, 3}, [](Draft& d) {
                                  d.offset_rows([](std::int64_t i) {
                                      return std::array{20.0, 60.0, 320.0, 150.0, 30.0}[static_cast<std::size_t>(i)];
                                  });
                              }));
    cases.push_back(attention("far-below", "every logit of some rows lies below -150: a maximum of 0 leaves no weight",
                              {1, 2, 2, 4, 6, 3, 3}, [](Draft& d) {
                                  d.offset_rows([](std::int64_t i) {
                                      return std::array{-20.0, -160.0, -400.0, -30.0}[static_cast<std::size_t>(i)];
                                  });
                              }));
    cases.push_back(attention(
        "ascending", "the largest logit so far grows from block to block, by 60 in all", {1, 2, 2, 3, 130, 3, 3},
        [](Draft& d) {
            d.offset_logits([](std::int64_t i) { return i == 0 ? 60.0 : 20.0; },
                            [](std::int64_t j) { return static_cast<double>(j) / 128; });
        },
        "decisive for every way to rescale wrongly, whatever the block size"));
    cases.push_back(attention(
        "descending", "the largest logit comes first, and all later blocks lie below it", {1, 2, 2, 3, 130, 3, 3},
        [](Draft& d) {
            d.offset_logits([](std::int64_t i) { return i == 0 ? 60.0 : 200.0; },
                            [](std::int64_t j) { return -static_cast<double>(j) / 128; });
        },
        "the running maximum must not follow the block"));
    cases.push_back(attention(
        "small-products", "q·k of size 0.002 under a scale of 1000: what is added to q·k is magnified",
        {2, 3, 3, 4, 7, 3, 3},
        [](Draft& d) {
            d.scale = 1000.0;
            for_each_index(d.q.extents, [&](const Index& at) { d.q.set(at, d.q.at(at) / 1024); });
        },
        "a shift of q·k cancels in softmax, but its rounding does not"));
    cases.push_back(attention(
        "far-below-long", "70 keys at logits of -150, 160 and -400: every block of keys lies far from 0",
        {1, 2, 2, 3, 70, 3, 3},
        [](Draft& d) {
            d.offset_rows([](std::int64_t i) {
                return std::array{-150.0, 160.0, -400.0}[static_cast<std::size_t>(i)];
            });
        },
        "partial results are joined relative to their own maxima"));
    cases.push_back(attention(
        "ten-thousand", "logits of size 1e4 of both signs: nothing but the largest counts", {2, 3, 3, 5, 7, 4, 4},
        [](Draft& d) { d.scale = 2000.0; }, "the far end of the domain"));
    return cases;
}

} // namespace assay::sdpa_judge
