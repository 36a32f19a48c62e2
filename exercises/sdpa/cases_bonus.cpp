// Bonuses: NaN and infinity lying where nobody attends, and ALiBi with a sliding window.
#include "cases.hpp"

#include <limits>

namespace assay::sdpa_judge {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

Case hygiene(std::string id, std::string why, const Shape& shape, Change change, std::string stays = "") {
    return make_case("attention", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

Case biased(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("attention_biased", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

/// A padding mask (B, 1, 1, Lk) that hides keys 2 and Lk - 1 - b.
void pad(Draft& d) {
    d.mask_by({true, false, false, true},
              [&](auto b, auto, auto, auto j) { return j != 2 && j != d.shape.Lk - 1 - b; });
}

/// `value` in feature `feature` of every head's key row j (of k or of v).
void plant(Draft& d, Array& array, std::int64_t b, std::int64_t j, std::int64_t feature, double value) {
    for (std::int64_t h = 0; h < d.shape.Hkv; ++h) d.set(array, b, h, j, feature, value);
}

} // namespace

std::vector<Case> hygiene_cases() {
    const Shape shape{2, 4, 2, 3, 7, 3, 5};
    std::vector<Case> cases;
    cases.push_back(hygiene("nan-values", "NaN in v at masked keys: 0 times NaN is NaN", shape, [](Draft& d) {
        pad(d);
        plant(d, d.v, 0, 2, 1, nan);
        plant(d, d.v, 1, 2, 3, nan);
    }));
    cases.push_back(hygiene(
        "infinite-values", "infinities in v at masked keys: 0 times infinity is NaN", shape,
        [](Draft& d) {
            pad(d);
            plant(d, d.v, 0, 6, 0, inf);
            plant(d, d.v, 1, 5, 4, -inf);
        },
        "infinities leak where NaN is looked for alone"));
    cases.push_back(
        hygiene("nan-keys", "NaN in k at masked keys of batch row 1: its scores are NaN", shape, [](Draft& d) {
            pad(d);
            plant(d, d.k, 1, 2, 0, nan);
        }));
    cases.push_back(hygiene(
        "infinite-keys", "infinities in k at masked keys: scores of either sign, or NaN", shape,
        [](Draft& d) {
            pad(d);
            plant(d, d.k, 0, 2, 0, inf);
            plant(d, d.k, 1, 5, 1, -inf);
        },
        "an infinite score survives a maximum that NaN does not"));
    cases.push_back(hygiene(
        "nan-partial-mask", "rows of different masks, all of which hide key 3 of a head, where k and v are NaN", shape,
        [](Draft& d) {
            d.causal = true;
            d.mask_by(full_mask,
                      [](auto, auto h, auto i, auto j) { return j == 0 || (j != 3 && (h + i + j) % 3 != 0); });
            for (std::int64_t feature = 0; feature < d.shape.Dv; ++feature) plant(d, d.v, 1, 3, feature, nan);
            d.set(d.k, 0, 1, 3, 2, nan);
        },
        "the mask of one row must not stand for all"));
    cases.push_back(hygiene(
        "nan-first-key", "the first key is masked and NaN throughout: a first maximum must not see it", shape,
        [](Draft& d) {
            d.mask_by({false, false, false, true}, [](auto, auto, auto, auto j) { return j > 0; });
            for (std::int64_t b = 0; b < d.shape.B; ++b) {
                for (std::int64_t feature = 0; feature < d.shape.D; ++feature) plant(d, d.k, b, 0, feature, nan);
                for (std::int64_t feature = 0; feature < d.shape.Dv; ++feature) plant(d, d.v, b, 0, feature, nan);
            }
        },
        "sums that start from key 0"));
    return cases;
}

std::vector<Case> alibi_cases() {
    std::vector<Case> cases;
    cases.push_back(biased("bias-square", "ALiBi with Lq = Lk and the default scale", {2, 3, 3, 6, 6, 4, 4}));
    cases.push_back(biased("bias-short", "Lq < Lk: query i stands at position i + Lk - Lq", {2, 3, 3, 4, 9, 5, 3}));
    cases.push_back(biased("window", "a window of 3 keys to either side, the key at p counted", {2, 3, 3, 5, 8, 4, 3},
                           [](Draft& d) { d.window = 3; }));
    cases.push_back(biased(
        "window-causal", "a window of 2 under causal: p and the key before it", {2, 4, 2, 4, 9, 3, 5},
        [](Draft& d) {
            d.window = 2;
            d.causal = true;
            d.scale = 0.37;
        },
        "window and causal are both kept"));
    cases.push_back(biased(
        "window-of-one", "a window of 1 leaves the key at p alone", {1, 2, 2, 3, 7, 3, 2},
        [](Draft& d) { d.window = 1; }, "the shortest window"));
    cases.push_back(biased(
        "window-mask", "window, mask and causal together, some rows empty", {2, 4, 2, 5, 7, 4, 3},
        [](Draft& d) {
            d.window = 2;
            d.causal = true;
            d.mask_randomly(full_mask, 0.5);
        },
        "the window is ANDed with the mask; rows may be left with nothing"));
    cases.push_back(biased(
        "window-long", "Lq > Lk: the first queries stand before every key", {2, 3, 3, 6, 3, 4, 5},
        [](Draft& d) { d.window = 3; }, "positions below 0, rows out of every key's reach"));
    cases.push_back(biased(
        "slopes", "slopes given head by head, one of them 0, grouped heads", {2, 6, 3, 4, 7, 3, 4},
        [](Draft& d) {
            d.slopes = {0.7, 0.0, 0.05, 1.5, 0.3, 0.11};
            d.scale = -0.8;
            d.mask_randomly({false, true, false, true}, 0.7);
        },
        "slopes go by the query head, and their sign does not follow the scale's"));
    cases.push_back(biased(
        "bias-views", "q, k, v and the output transposed, a large slope", {2, 4, 2, 3, 8, 5, 3},
        [](Draft& d) {
            d.slopes = {40, 0.5, 3, 0.125};
            d.causal = true;
            d.mask_randomly({true, false, true, true}, 0.7);
            d.q = Draft::heads_inside(d.q);
            d.k = Draft::heads_inside(d.k);
            d.v = Draft::heads_inside(d.v);
            d.out = Draft::heads_inside(d.out);
        },
        "the biased function reads views too"));
    return cases;
}

} // namespace assay::sdpa_judge
