// Level gradients: dq, dk and dv of everything the levels before it ask of the output.
#include "cases.hpp"

#include <array>

namespace assay::sdpa_judge {

namespace {

Case backward(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("attention_backward", "grad-" + std::move(id), std::move(why), shape, std::move(change),
                     std::move(stays));
}

void plain_cases(std::vector<Case>& cases) {
    cases.push_back(
        backward("default-scale", "no two extents alike, the scale left at 1/sqrt(D)", {2, 3, 3, 5, 7, 4, 6}));
    cases.push_back(backward("given-scale", "a scale of 0.37 stands in the logits once, and so in dq and dk once",
                             {2, 3, 3, 4, 6, 5, 2}, [](Draft& d) { d.scale = 0.37; }));
    cases.push_back(backward("one-key", "one key: its weight is 1 whatever q and k are, so dq and dk are 0",
                             {2, 3, 3, 5, 1, 4, 2}, {}, "all that is left of dq and dk is what does not cancel"));
    cases.push_back(backward("square", "Lq = Lk and Hq = Hkv: dq and dk have one shape, P and its transpose too",
                             {2, 2, 2, 6, 6, 3, 5}));
    cases.push_back(backward(
        "zero-scale", "a scale of 0 is a scale: dq and dk are 0, dv is the mean of dout", {1, 2, 2, 4, 5, 3, 4},
        [](Draft& d) { d.scale = 0.0; }, "a scale of 0 is not an absent one"));
}

void range_cases(std::vector<Case>& cases) {
    // Rows far apart from one another: each is an ordinary row once its own maximum is taken off.
    cases.push_back(backward("overflow", "logits near 150 and 300 in some rows: exp overflows without the maximum",
                             {1, 2, 2, 5, 6, 4, 3}, [](Draft& d) {
                                 d.offset_rows([](std::int64_t i) {
                                     return std::array<double, 5>{20, 150, 40, 300, 0}[static_cast<std::size_t>(i)];
                                 });
                             }));
    cases.push_back(backward(
        "far-below", "logits near -200 and -400 in some rows: every exp is 0 without the maximum",
        {1, 2, 2, 4, 7, 4, 3},
        [](Draft& d) {
            d.offset_rows([](std::int64_t i) {
                return std::array<double, 4>{-20, -200, -400, 10}[static_cast<std::size_t>(i)];
            });
        },
        "0/0 is another way to fail, and a guard against it another answer"));
}

void mask_cases_of(std::vector<Case>& cases) {
    cases.push_back(backward("mask", "a full mask: masked keys get no gradient from the row, and give none",
                             {2, 3, 3, 4, 7, 5, 3}, [](Draft& d) { d.mask_randomly(full_mask, 0.6); }));
    cases.push_back(backward("causal-short", "causal with Lq < Lk: the last query sees every key",
                             {2, 3, 3, 4, 9, 3, 5}, [](Draft& d) { d.causal = true; }));
    cases.push_back(backward(
        "mask-and-causal", "a padding mask (B, 1, 1, Lk) together with causal", {3, 2, 2, 4, 6, 5, 3},
        [](Draft& d) {
            d.causal = true;
            d.mask_randomly({true, false, false, true}, 0.6);
        },
        "a key must be allowed by both, in the way back as well"));
    cases.push_back(backward("single-rows", "two rows may attend nothing: dq is 0 there, and they add nothing",
                             {2, 3, 3, 4, 7, 5, 3}, [](Draft& d) {
                                 d.mask_randomly(full_mask, 0.6);
                                 for (std::int64_t j = 0; j < d.shape.Lk; ++j) {
                                     d.mask->set(Index{0, 1, 2, j}, 0);
                                     d.mask->set(Index{1, 2, 0, j}, 0);
                                 }
                             }));
    cases.push_back(backward(
        "causal-long", "causal with Lq = 5, Lk = 2: the first three rows see no key", {2, 3, 3, 5, 2, 3, 4},
        [](Draft& d) { d.causal = true; }, "causal alone empties rows when Lq > Lk"));
    cases.push_back(backward(
        "unseen-keys", "keys that no query attends: their dk and dv are 0, and are written", {2, 2, 2, 3, 6, 4, 3},
        [](Draft& d) {
            d.mask_by({true, false, false, true}, [](auto b, auto, auto, auto j) { return j != 2 && j != 4 + b; });
        },
        "sums of nothing are written too"));
    cases.push_back(backward(
        "all-empty", "a (1, 1, 1, 1) mask that allows nothing: all three gradients are 0", {2, 4, 2, 3, 5, 4, 3},
        [](Draft& d) {
            d.mask_by({false, false, false, false}, [](auto, auto, auto, auto) { return false; });
        },
        "nothing but zeros, all of them written"));
    cases.push_back(backward("no-keys", "Lk = 0: dq is 0, dk and dv have no elements", {2, 4, 2, 3, 0, 4, 3}, {},
                             "nothing to read at all"));
}

void head_cases(std::vector<Case>& cases) {
    cases.push_back(backward("grouped", "six query heads on three key/value heads: dk and dv are sums over each pair",
                             {2, 6, 3, 5, 7, 3, 4}));
    cases.push_back(backward(
        "grouped-of-three", "groups of three, a mask by query head, causal, a negative scale", {2, 6, 2, 4, 6, 5, 3},
        [](Draft& d) {
            d.causal = true;
            d.scale = -0.8;
            d.mask_randomly(full_mask, 0.7);
        },
        "the first, the last and the sum of three heads are three things"));
    cases.push_back(backward(
        "grouped-empty-head", "one of two heads of a group may attend nothing: the other one's part remains",
        {2, 4, 2, 3, 5, 4, 3},
        [](Draft& d) {
            d.mask_by({false, true, true, true},
                      [](auto, auto h, auto i, auto j) { return h != 1 && (i + j) % 3 != 0; });
        },
        "an empty head inside a group must not wipe out or poison the sum"));
    cases.push_back(backward(
        "decode", "one query of each of eight heads against 33 keys, causal", {2, 8, 2, 1, 33, 8, 5},
        [](Draft& d) { d.causal = true; }, "Lq = 1 is the last position, and sees every key"));
}

void view_cases_of(std::vector<Case>& cases) {
    const Shape grouped{2, 6, 3, 5, 7, 3, 4};
    cases.push_back(backward("dout-transposed", "dout lies in memory as (B, L, H, Dv)", grouped,
                             [](Draft& d) { d.dout = Draft::heads_inside(d.dout); }));
    cases.push_back(backward("dout-stepped", "dout's features lie two apart", grouped,
                             [](Draft& d) { d.dout = Draft::stepped(d.dout, 2); }));
    cases.push_back(backward(
        "dout-one-number", "dout is one number with all strides 0, as the gradient of a sum arrives", grouped,
        [](Draft& d) {
            const Index extents = d.dout.extents;
            d.dout = Array::of(Dtype::f32, {1, 1, 1, 1}, std::array{d.random.normal()});
            d.dout.extents = extents;
            d.dout.strides = {0, 0, 0, 0};
        },
        "what autograd hands over after sum(): memory holds a single element"));
    cases.push_back(backward(
        "transposed", "q, k, v and dout lie in memory as (B, L, H, D)", grouped,
        [](Draft& d) {
            for (Array* array : {&d.q, &d.k, &d.v, &d.dout}) *array = Draft::heads_inside(*array);
        },
        "parts reading dout by the wrong strides from reading everything so"));
    cases.push_back(backward(
        "transposed-mask", "a mask whose memory runs over queries fastest, all else with its features outermost",
        grouped,
        [](Draft& d) {
            d.mask_randomly(full_mask, 0.6);
            d.mask = d.mask->laid_out(std::array{1, 0, 3, 2}, std::array<std::int64_t, 4>{1, 1, 1, 1});
            for (Array* array : {&d.q, &d.k, &d.v, &d.dout}) *array = Draft::features_first(*array);
        },
        "masks are views on the way back as well"));
    cases.push_back(backward(
        "repeated", "k and v are one batch row repeated by stride 0: each index has a gradient of its own", grouped,
        [](Draft& d) {
            d.k = Draft::repeated(d.k, 0);
            d.v = Draft::repeated(d.v, 0);
        },
        "the gradient is that of the view's elements, not of the memory behind them"));
    cases.push_back(backward(
        "outputs-strided", "dq transposed, dk stepping over gaps, dv with its features outermost; some rows empty",
        grouped,
        [](Draft& d) {
            d.mask_by({false, true, true, true}, [](auto, auto h, auto i, auto j) { return i != h % 5 && j != 3; });
            d.dq = Draft::heads_inside(d.dq);
            d.dk = Draft::stepped(d.dk, 2);
            d.dv = Draft::features_first(d.dv);
        },
        "outputs are views as well, and sums are kept in their gaps by nobody"));
}

} // namespace

std::vector<Case> gradient_cases() {
    std::vector<Case> cases;
    plain_cases(cases);
    range_cases(cases);
    mask_cases_of(cases);
    head_cases(cases);
    view_cases_of(cases);
    // 32 rows and more: short rows are where a lost bit shows.
    for (const std::int64_t keys : {3, 16, 31, 127})
        cases.push_back(backward("length-" + std::to_string(keys), "40 rows of " + std::to_string(keys) + " keys",
                                 {2, 4, 2, 5, keys, 8, 3}, {},
                                 "lengths beside the powers of two, and enough rows for the bound to bite"));
    return cases;
}

} // namespace assay::sdpa_judge
