// Level streaming: keys in blocks, states merged in any order, blocks and states with nothing in them.
#include "cases.hpp"

#include <array>

namespace assay::sdpa_judge {

namespace {

Case streaming(std::string id, std::string why, const Shape& shape, std::vector<std::int64_t> blocks,
               Change change = {}, std::string stays = "") {
    return make_case(
        "stream", std::move(id), std::move(why), shape,
        [blocks = std::move(blocks), change = std::move(change)](Draft& d) {
            d.blocks = blocks;
            if (change) change(d);
        },
        std::move(stays));
}

Change merged(std::int64_t split, std::int64_t after = 0, bool into_second = false) {
    return [=](Draft& d) {
        d.split = split;
        d.after = after;
        d.into_second = into_second;
    };
}

/// 0, 1/3, 2/3 and 1 for the keys of four blocks of 6.
double ascending_blocks(std::int64_t j) {
    const std::int64_t block = j / 6;
    return static_cast<double>(block) / 3;
}

/// Keys before first_seen[i] are masked for row i.
void hide_until(Draft& d, const std::vector<std::int64_t>& first_seen) {
    d.mask_by(full_mask, [&](auto, auto, auto i, auto j) { return j >= first_seen[static_cast<std::size_t>(i)]; });
}

} // namespace

std::vector<Case> streaming_cases() {
    const Shape shape{1, 1, 1, 4, 11, 3, 5};
    std::vector<Case> cases;
    cases.push_back(streaming("one-block", "all keys in one block: absorb, then finish", shape, {11},
                              [](Draft& d) { d.scale = 0.37; }));
    cases.push_back(streaming("three-blocks", "the maximum grows with every block", shape, {4, 5, 2}, [](Draft& d) {
        d.offset_logits([](std::int64_t) { return 1.0; }, [](std::int64_t j) { return static_cast<double>(j) / 3; });
    }));
    cases.push_back(streaming("masked-blocks", "masks of every block", shape, {3, 4, 4}, [](Draft& d) {
        d.mask_randomly(full_mask, 0.6);
        for (std::int64_t i = 0; i < d.shape.Lq; ++i) d.mask->set(Index{i, i % 3}, 1);
    }));
    cases.push_back(streaming("empty-block-first", "the first block has no keys", shape, {0, 6, 5}));
    cases.push_back(streaming("first-block-masked",
                              "the first block is masked for rows 1 and 3, the second for row 3 too", shape, {4, 3, 4},
                              [](Draft& d) {
                                  hide_until(d, {0, 4, 2, 8});
                              }));
    cases.push_back(streaming("empty-blocks", "blocks without keys between the others and at the end", shape,
                              {5, 0, 0, 6, 0}, {}, "an empty block changes nothing"));
    cases.push_back(streaming("far-apart", "rows at logits of 120 and -150: each block needs the running maximum",
                              shape, {4, 4, 3}, [](Draft& d) {
                                  d.offset_rows([](std::int64_t i) { return i == 0 ? 120.0 : i == 1 ? -150.0 : 20.0; });
                              }));
    cases.push_back(
        streaming("nothing-attended", "row 2 may attend nothing in any block", shape, {4, 4, 3}, [](Draft& d) {
            hide_until(d, {0, 0, 11, 1});
        }));
    cases.push_back(streaming("merge", "two states of different maxima become one", shape, {4, 3, 4}, merged(2)));
    cases.push_back(streaming("merge-empty-rows",
                              "rows that neither state, the first, the second and both attended something in", shape,
                              {3, 4, 4}, [](Draft& d) {
                                  d.mask_by(full_mask, [](auto, auto, auto i, auto j) {
                                      return i == 3 || (i == 1 && j < 7) || (i == 2 && j >= 7);
                                  });
                                  d.split = 1;
                              }));
    cases.push_back(streaming("merge-into-second", "the first state merged into the second", shape, {4, 3, 4},
                              merged(1, 0, true), "merging is the same both ways round"));
    cases.push_back(streaming("merge-then-absorb", "a merged state goes on absorbing", shape, {3, 2, 3, 3},
                              merged(2, 1), "a merge leaves a whole state behind"));
    cases.push_back(streaming(
        "merge-nothing", "a state that absorbed nothing merged into one that absorbed all", shape, {5, 6},
        [](Draft& d) {
            d.offset_rows([](std::int64_t i) {
                return std::array{-150.0, 20.0, 160.0, -40.0}[static_cast<std::size_t>(i)];
            });
            merged(0)(d);
        },
        "merging an empty state changes nothing"));
    cases.push_back(streaming(
        "merge-into-nothing", "all keys merged into a state that absorbed nothing", shape, {5, 6},
        [](Draft& d) {
            d.offset_rows([](std::int64_t i) {
                return std::array{-150.0, 20.0, 160.0, -40.0}[static_cast<std::size_t>(i)];
            });
            merged(2)(d);
        },
        "the empty state on the other side"));
    cases.push_back(streaming(
        "merge-nothing-then-absorb", "two empty states merged before the first key", shape, {6, 5},
        [](Draft& d) {
            d.offset_rows([](std::int64_t i) {
                return std::array{-150.0, 20.0, 160.0, -40.0}[static_cast<std::size_t>(i)];
            });
            merged(0, 2)(d);
        },
        "both states empty, and keys afterwards"));
    cases.push_back(streaming(
        "merge-far-below",
        "both states at logits of -150, -200 or 160: a merge relative to anything else leaves no weight", shape,
        {4, 3, 4},
        [](Draft& d) {
            d.offset_rows([](std::int64_t i) {
                return std::array{-150.0, -200.0, 160.0, 20.0}[static_cast<std::size_t>(i)];
            });
            d.split = 1;
            d.after = 1;
        },
        "a merge's maximum may only come from the two states' own"));
    cases.push_back(streaming(
        "merge-far-apart", "the first state 150 above or below the second", shape, {3, 3, 5},
        [](Draft& d) {
            d.offset_logits(
                [](std::int64_t i) {
                    return std::array{150.0, -150.0, 95.0, -95.0}[static_cast<std::size_t>(i)];
                },
                [](std::int64_t j) { return j < 6 ? 1.0 : 0.0; });
            d.split = 1;
        },
        "one of two states vanishes beside the other, whichever it is"));
    cases.push_back(streaming(
        "blocks-ascending", "block maxima that grow by 20 from block to block", {1, 1, 1, 3, 24, 3, 4}, {6, 6, 6, 6},
        [](Draft& d) {
            d.offset_logits([](std::int64_t i) { return i == 0 ? 60.0 : 15.0; }, ascending_blocks);
            d.split = 2;
        },
        "decisive for every rescale, in absorb and in merge"));
    cases.push_back(streaming(
        "blocks-descending", "block maxima that fall from block to block", {1, 1, 1, 3, 24, 3, 4}, {6, 6, 6, 6},
        [](Draft& d) {
            d.offset_logits([](std::int64_t i) { return i == 0 ? 200.0 : 15.0; },
                            [](std::int64_t j) { return -ascending_blocks(j); });
            d.split = 2;
            d.into_second = true;
        },
        "the later state has the smaller maximum"));
    cases.push_back(streaming("key-by-key", "every key a block of its own", {1, 1, 1, 2, 9, 5, 3},
                              {1, 1, 1, 1, 1, 1, 1, 1, 1}, merged(4, 2), "the shortest blocks there are"));
    cases.push_back(streaming("blocks-without-keys", "nothing but empty blocks, merged: every row is 0",
                              {1, 1, 1, 3, 0, 2, 4}, {0, 0}, merged(1), "finish of a state without keys"));
    cases.push_back(streaming("no-blocks", "a state that is finished as it began", {1, 1, 1, 2, 0, 3, 2}, {}, {},
                              "absorb was never called"));
    cases.push_back(streaming(
        "transposed-blocks", "k, v, q and the mask of each block are views with strides of their own",
        {1, 1, 1, 3, 10, 4, 6}, {4, 6},
        [](Draft& d) {
            const std::array order{1, 0};
            d.mask_randomly(full_mask, 0.7);
            d.q = d.q.laid_out(order, std::array<std::int64_t, 2>{1, 1});
            d.k = d.k.laid_out(order, std::array<std::int64_t, 2>{1, 2});
            d.v = d.v.laid_out(order, std::array<std::int64_t, 2>{1, 1});
            d.mask = d.mask->laid_out(order, std::array<std::int64_t, 2>{1, 1});
            d.out = d.out.laid_out(order, std::array<std::int64_t, 2>{1, 1});
        },
        "the views of streaming are views like any other"));
    cases.push_back(streaming("lone-key", "one key in all: its weight is 1, and so is the sum of weights",
                              {1, 1, 1, 3, 1, 2, 4}, {1}, {}, "a sum of weights of exactly 1 is no empty row"));
    cases.push_back(streaming(
        "small-products-in-blocks", "q·k of size 0.002 under a scale of 1000", {1, 1, 1, 8, 9, 3, 3}, {4, 5},
        [](Draft& d) {
            for_each_index(d.q.extents, [&](const Index& at) { d.q.set(at, d.q.at(at) * 0.001); });
            d.scale = 1000;
        },
        "what is added to q·k is magnified"));
    cases.push_back(streaming("many-rows", "36 rows of 31 keys in blocks of 8", {1, 1, 1, 36, 31, 8, 3}, {8, 8, 8, 7},
                              merged(2), "enough rows for the bound to bite"));
    return cases;
}

} // namespace assay::sdpa_judge
