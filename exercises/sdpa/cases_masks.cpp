// Levels masks and empty-rows: who may attend whom, and rows that may attend nothing.
#include "cases.hpp"

#include <cmath>

namespace assay::sdpa_judge {

namespace {

Case attention(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("attention", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

/// Allowed logits near `low` and masked ones near 0: the last feature carries the difference.
Change allowed_at(double low) {
    return [low](Draft& d) {
        d.mask_by({true, false, false, true}, [](auto b, auto, auto, auto j) { return (j + b) % 3 != 1; });
        d.offset_logits([](std::int64_t) { return 1.0; }, [](std::int64_t) { return 0.0; });
        for (std::int64_t b = 0; b < d.shape.B; ++b)
            for (std::int64_t h = 0; h < d.shape.Hkv; ++h)
                for (std::int64_t j = 0; j < d.shape.Lk; ++j)
                    if ((j + b) % 3 != 1) d.set(d.k, b, h, j, d.shape.D - 1, low);
    };
}

std::string name_of_shape(std::array<bool, 4> full) {
    std::string name = "mask";
    const std::array<const char*, 4> axes{"-b", "-h", "-q", "-k"};
    for (std::size_t axis = 0; axis < 4; ++axis)
        if (full[axis]) name += axes[axis];
    return name;
}

std::string words_of_shape(std::array<bool, 4> full) {
    std::string words = "(";
    const std::array<const char*, 4> axes{"B", "Hq", "Lq", "Lk"};
    for (std::size_t axis = 0; axis < 4; ++axis)
        words += std::string(axis == 0 ? "" : ", ") + (full[axis] ? axes[axis] : "1");
    return words + ")";
}

} // namespace

std::vector<Case> mask_cases() {
    const Shape shape{2, 3, 3, 4, 7, 5, 5};
    std::vector<Case> cases;
    cases.push_back(attention("mask-of-keys", "a (1, 1, 1, Lk) mask, true = may attend", shape, [](Draft& d) {
        d.mask_by({false, false, false, true},
                  [](auto, auto, auto, auto j) { return j == 0 || j == 2 || j == 3 || j == 6; });
    }));
    cases.push_back(attention("mask-full", "a (B, Hq, Lq, Lk) mask that repeats along no axis", shape,
                              [](Draft& d) { d.mask_randomly(full_mask, 0.6); }));
    cases.push_back(attention("causal-square", "causal with Lq = Lk: query i sees keys 0 to i", {2, 3, 3, 6, 6, 4, 4},
                              [](Draft& d) { d.causal = true; }));
    cases.push_back(attention("causal-short", "causal with Lq < Lk: the last query sees every key",
                              {2, 3, 3, 4, 9, 5, 5}, [](Draft& d) { d.causal = true; }));
    cases.push_back(attention("mask-and-causal", "a key must be allowed by the mask and by causal",
                              {2, 3, 3, 5, 8, 4, 4}, [](Draft& d) {
                                  d.causal = true;
                                  d.mask_randomly(full_mask, 0.6);
                              }));
    cases.push_back(attention(
        "mask-causal-keys", "a padding mask (B, 1, 1, Lk) together with causal", {3, 2, 2, 4, 6, 3, 3},
        [](Draft& d) {
            d.causal = true;
            d.mask_randomly({true, false, false, true}, 0.6);
        },
        "broadcasting and causal at once"));
    // Shapes with a key axis of extent 1 can only hide whole rows: they stand in level empty-rows.
    for (int bits = 1; bits < 7; ++bits) {
        const std::array<bool, 4> full{(bits & 4) != 0, (bits & 2) != 0, (bits & 1) != 0, true};
        cases.push_back(attention(
            name_of_shape(full), "mask of shape " + words_of_shape(full), shape,
            [full](Draft& d) { d.mask_randomly(full, 0.6); }, "every broadcast shape is asked once"));
    }
    cases.push_back(attention(
        "mask-of-two", "a full mask whose every extent is 2", {2, 2, 2, 2, 2, 3, 3},
        [](Draft& d) {
            d.mask_by(full_mask, [](auto b, auto h, auto i, auto j) { return (b ^ h ^ i) != j || (b & h) != 0; });
        },
        "the shortest extent that is not broadcast"));
    cases.push_back(attention(
        "mask-all-true", "a (B, 1, Lq, 1) mask that allows everything", shape,
        [](Draft& d) {
            d.mask_by({true, false, true, false}, [](auto, auto, auto, auto) { return true; });
        },
        "a key axis of extent 1 without empty rows"));
    cases.push_back(
        attention("hot-masked-key", "a masked key whose logit is 200 above every allowed one", {2, 3, 3, 4, 6, 3, 3},
                  [](Draft& d) {
                      d.mask_by({true, false, false, true}, [](auto b, auto, auto, auto j) { return j != 2 + b; });
                      d.offset_logits([](std::int64_t) { return 200.0; }, [](std::int64_t) { return 0.0; });
                      for (std::int64_t b = 0; b < d.shape.B; ++b)
                          for (std::int64_t h = 0; h < d.shape.Hkv; ++h)
                              d.set(d.k, b, h, 2 + b, d.shape.D - 1, b == 0 ? 0.05 : 1.0);
                  }));
    cases.push_back(attention("logits-at-minus-2e4", "allowed logits at -2e4: masked ones at -1e4 would win",
                              {2, 3, 3, 4, 7, 2, 2}, allowed_at(-2e4)));
    cases.push_back(attention("logits-at-minus-6e4", "allowed logits at -6e4: masked ones at -5e4 would win",
                              {2, 3, 3, 4, 7, 2, 2}, allowed_at(-6e4)));
    cases.push_back(attention(
        "logits-at-minus-2e9", "one allowed key a row, its logit at -2^31: masked ones at -1e9 would win",
        {2, 3, 3, 4, 6, 6, 6}, [](Draft& d) {
            d.scale = 1.0;
            d.mask_by({false, true, true, true}, [](auto, auto h, auto i, auto j) { return j == h + i; });
            // one product of powers of two, so that nobody rounds it; 0 for every masked key
            for_each_index(d.q.extents, [&](const Index& at) { d.q.set(at, at[3] == at[1] + at[2] ? 65536 : 0); });
            for_each_index(d.k.extents, [&](const Index& at) { d.k.set(at, at[3] == at[2] ? -32768 : 0); });
        }));
    cases.push_back(attention(
        "first-blocks-masked", "rows whose first 1, 4, 16, 32 or 64 keys are masked: blocks with nothing to add",
        {1, 2, 2, 6, 70, 3, 3}, [](Draft& d) {
            d.mask_by({false, false, true, true}, [](auto, auto, auto i, auto j) {
                return j >= std::array<std::int64_t, 6>{0, 1, 5, 18, 37, 66}[static_cast<std::size_t>(i)];
            });
        }));
    return cases;
}

std::vector<Case> empty_row_cases() {
    const Shape shape{2, 3, 3, 4, 7, 5, 5};
    std::vector<Case> cases;
    cases.push_back(attention("single-rows", "two rows may attend nothing, the others something", shape, [](Draft& d) {
        d.mask_randomly(full_mask, 0.6);
        for (std::int64_t j = 0; j < d.shape.Lk; ++j) {
            d.mask->set(Index{0, 1, 2, j}, 0);
            d.mask->set(Index{1, 2, 0, j}, 0);
        }
    }));
    cases.push_back(attention(
        "causal-long", "causal with Lq = 5, Lk = 2: the first three rows see no key", {2, 3, 3, 5, 2, 3, 3},
        [](Draft& d) { d.causal = true; }, "causal alone empties rows when Lq > Lk"));
    cases.push_back(attention(
        "causal-one-key", "causal with Lq = 4, Lk = 1: only the last row sees the key", {1, 2, 2, 4, 1, 3, 3},
        [](Draft& d) { d.causal = true; }, "the shortest causal case with Lq > Lk"));
    cases.push_back(attention(
        "mask-and-causal-disjoint", "mask and causal each allow something, both together nothing",
        {2, 3, 3, 5, 5, 4, 4},
        [](Draft& d) {
            d.causal = true;
            d.mask_by({false, true, false, true}, [](auto, auto h, auto, auto j) { return j > h; });
        },
        "emptiness shows only once both conditions are joined"));
    const std::array<std::array<bool, 4>, 7> shapes{{{true, true, true, false},
                                                     {false, true, true, false},
                                                     {true, false, true, false},
                                                     {false, false, true, false},
                                                     {true, true, false, false},
                                                     {false, true, false, false},
                                                     {true, false, false, false}}};
    for (const std::array<bool, 4>& full : shapes) {
        const bool rows = full[2];
        const std::string what = rows ? "rows" : full[1] ? "whole heads" : "a whole batch row";
        cases.push_back(attention(
            name_of_shape(full), "mask of shape " + words_of_shape(full) + ": " + what + " empty", shape,
            [full](Draft& d) {
                // false somewhere along every axis alone
                d.mask_by(full, [](auto b, auto h, auto i, auto) { return (b + 2 * h + i) % 3 != 1; });
            },
            "every broadcast shape is asked once"));
    }
    cases.push_back(attention(
        "all-empty", "a (1, 1, 1, 1) mask that allows nothing", shape,
        [](Draft& d) {
            d.mask_by({false, false, false, false}, [](auto, auto, auto, auto) { return false; });
        },
        "the one mask without an axis"));
    cases.push_back(attention(
        "all-keys-masked", "a (B, 1, 1, Lk) mask that hides every key of one batch row", shape,
        [](Draft& d) {
            d.mask_by({true, false, false, true}, [](auto b, auto, auto, auto j) { return b == 0 && j != 3; });
        },
        "a padded batch row of length 0"));
    cases.push_back(
        attention("no-keys", "Lk = 0: every row is 0", {2, 3, 3, 4, 0, 5, 5}, {}, "nothing to read at all"));
    cases.push_back(attention(
        "no-keys-masked", "Lk = 0 with causal and a mask of shape (B, 1, Lq, Lk)", {2, 3, 3, 4, 0, 5, 5},
        [](Draft& d) {
            d.causal = true;
            d.mask_by({true, false, true, true}, [](auto, auto, auto, auto) { return true; });
        },
        "i + Lk - Lq lies below 0, and the mask has no element"));
    return cases;
}

} // namespace assay::sdpa_judge
