// Level heads-and-views: grouped heads, widths of their own, every kind of view, short and odd lengths.
#include "cases.hpp"

namespace assay::sdpa_judge {

namespace {

Case attention(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("attention", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

} // namespace

std::vector<Case> view_cases() {
    const Shape grouped{2, 6, 3, 5, 7, 3, 4};
    std::vector<Case> cases;
    cases.push_back(attention("wide-values", "v wider than q and k: D = 3, Dv = 5", {2, 3, 3, 4, 6, 3, 5}));
    cases.push_back(attention("narrow-values", "v narrower than q and k: D = 6, Dv = 2", {2, 3, 3, 4, 5, 6, 2}, {},
                              "the other way round: an output row is Dv wide"));
    cases.push_back(attention("grouped", "six query heads share three key/value heads in pairs", grouped));
    cases.push_back(attention(
        "grouped-masked", "grouped heads with a mask by query head, and causal", {2, 4, 2, 3, 6, 5, 3},
        [](Draft& d) {
            d.causal = true;
            d.mask_randomly({true, true, true, true}, 0.6);
        },
        "the mask follows the query head, not the key head"));
    cases.push_back(attention("one-kv-head", "all query heads share one key/value head (multi-query attention)",
                              {3, 4, 1, 2, 5, 4, 3}, {}, "Hkv = 1"));
    cases.push_back(attention("transposed", "q, k and v lie in memory as (B, L, H, D)", grouped, [](Draft& d) {
        d.q = Draft::heads_inside(d.q);
        d.k = Draft::heads_inside(d.k);
        d.v = Draft::heads_inside(d.v);
    }));
    const std::array<const char*, 3> names{"q", "k", "v"};
    for (std::size_t n = 0; n < 3; ++n)
        cases.push_back(attention(
            std::string("transposed-") + names[n],
            std::string(names[n]) + " alone lies in memory with its features outermost", grouped,
            [n](Draft& d) {
                Array& array = n == 0 ? d.q : n == 1 ? d.k : d.v;
                array = Draft::features_first(array);
            },
            "the strides of one tensor say nothing about the others'"));
    cases.push_back(attention(
        "transposed-mask", "a full mask whose memory runs over queries fastest", grouped,
        [](Draft& d) {
            d.mask_randomly(full_mask, 0.6);
            d.mask = d.mask->laid_out(std::array{1, 0, 3, 2}, std::array<std::int64_t, 4>{1, 1, 1, 1});
        },
        "masks are views as well"));
    cases.push_back(attention(
        "stepped", "every tensor steps over gaps in memory", grouped,
        [](Draft& d) {
            d.mask_randomly({true, false, true, true}, 0.6);
            d.q = Draft::stepped(d.q, 2);
            d.k = Draft::stepped(d.k, 3);
            d.v = Draft::stepped(d.v, 2);
            d.mask = Draft::stepped(*d.mask, 2);
        },
        "strides of the innermost axis are not 1"));
    cases.push_back(attention(
        "padded-rows", "rows and heads lie apart, features together", grouped,
        [](Draft& d) {
            const std::array<std::int64_t, 4> step{1, 2, 2, 1};
            d.q = d.q.laid_out(std::array{0, 1, 2, 3}, step);
            d.k = d.k.laid_out(std::array{0, 1, 2, 3}, step);
            d.v = d.v.laid_out(std::array{0, 1, 2, 3}, step);
        },
        "an innermost stride of 1 does not make a tensor contiguous"));
    cases.push_back(attention(
        "repeated-batch", "k and v are one batch row repeated by stride 0, q one head", grouped,
        [](Draft& d) {
            d.q = Draft::repeated(d.q, 1);
            d.k = Draft::repeated(d.k, 0);
            d.v = Draft::repeated(d.v, 0);
        },
        "stride 0: the tensor is smaller in memory than its extents say"));
    cases.push_back(attention(
        "repeated-keys", "k is one key and v one head repeated by stride 0, a full mask repeats over heads", grouped,
        [](Draft& d) {
            d.mask_randomly({true, true, true, true}, 0.6);
            d.mask = Draft::repeated(*d.mask, 1);
            d.k = Draft::repeated(d.k, 2);
            d.v = Draft::repeated(d.v, 1);
        },
        "stride 0 along keys, and in a mask of full extents"));
    cases.push_back(attention(
        "out-transposed", "the output lies in memory as (B, L, H, Dv)", grouped,
        [](Draft& d) { d.out = Draft::heads_inside(d.out); }, "outputs are views as well"));
    cases.push_back(attention(
        "out-stepped", "the output steps over gaps, which stay untouched", grouped,
        [](Draft& d) {
            d.out = d.out.laid_out(std::array{0, 1, 2, 3}, std::array<std::int64_t, 4>{1, 1, 2, 2});
        },
        "writing through data() would hit the gaps"));
    cases.push_back(attention(
        "out-stepped-empty", "zeros of empty rows go to a strided output too", {2, 4, 2, 5, 2, 3, 4},
        [](Draft& d) {
            d.causal = true;
            d.out = Draft::features_first(d.out);
        },
        "an empty row is written element by element"));
    cases.push_back(attention(
        "decode", "one query against 33 keys, causal: it sees all of them", {3, 6, 2, 1, 33, 8, 5},
        [](Draft& d) { d.causal = true; }, "decoding: Lq = 1 is the last position"));
    // 32 rows and more: short rows are where a lost bit shows (half logits, TF32, half sums pass on one long row).
    for (const std::int64_t keys : {1, 2, 3, 16, 31, 33, 127})
        cases.push_back(attention("length-" + std::to_string(keys), "40 rows of " + std::to_string(keys) + " keys",
                                  {2, 4, 2, 5, keys, 8, 3}, {},
                                  "lengths beside the powers of two, and enough rows for the bound to bite"));
    cases.push_back(attention(
        "causal-127", "causal over 33 queries and 127 keys, grouped and transposed", {1, 4, 2, 33, 127, 6, 5},
        [](Draft& d) {
            d.causal = true;
            d.k = Draft::heads_inside(d.k);
            d.v = Draft::heads_inside(d.v);
        },
        "tails of every block size under causal"));
    return cases;
}

} // namespace assay::sdpa_judge
