// Levels formula and extremes: logits, moderate and not.
#include "cases.hpp"

#include "core/random.hpp"

#include <cmath>

namespace assay::p_yes_judge {

namespace {

/// Rows of logarithms of probabilities, shifted: a shift changes no probability.
Array rows_of(const std::vector<Numbers>& probabilities, double shift) {
    const auto V = static_cast<std::int64_t>(probabilities[0].size());
    return Array::generate(Dtype::f32, {static_cast<std::int64_t>(probabilities.size()), V}, [&](const Index& at) {
        return std::log(probabilities[static_cast<std::size_t>(at[0])][static_cast<std::size_t>(at[1])]) + shift;
    });
}

Array matrix(Dtype dtype, const std::vector<Numbers>& rows) {
    return Array::generate(
        dtype, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())},
        [&](const Index& at) { return rows[static_cast<std::size_t>(at[0])][static_cast<std::size_t>(at[1])]; });
}

Array normal_rows(Dtype dtype, std::int64_t B, std::int64_t V, Random& random, double spread, double offset = 0) {
    return Array::generate(dtype, {B, V}, [&](const Index&) { return offset + spread * random.normal(); });
}

/// The last of `positions` positions of (B, positions, V), as a slice of what a model returns.
Array last_position(const Array& rows, std::int64_t positions, Random& random) {
    const std::int64_t B = rows.extents[0], V = rows.extents[1];
    Array whole = normal_rows(rows.dtype, B * positions, V, random, 2);
    Array slice = whole;
    slice.extents = {B, V};
    slice.strides = {positions * V, 1};
    slice.offset = (positions - 1) * V;
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t v = 0; v < V; ++v) slice.set(Index{b, v}, rows.at({b, v}));
    return slice;
}

} // namespace

std::vector<Case> formula_cases() {
    std::vector<Case> cases{
        fixed("two-spellings-against-one", "yes has two spellings, .2 and .1, no has one of .3: p = .5",
              score_problem(rows_of({{0.2, 0.15, 0.3, 0.1, 0.25}}, 1.5), {0, 3}, {2})),
        fixed("first-is-not-best", "the first spelling is not the most probable one, and the groups differ in size",
              score_problem(
                  rows_of({{0.1, 0.06, 0.24, 0.05, 0.17, 0.08, 0.3}, {0.2, 0.1, 0.08, 0.12, 0.15, 0.22, 0.13}}, -0.75),
                  {1, 2}, {0, 4, 3})),
    };
    cases.push_back(
        {"many-spellings", "thirty-two rows over 40 tokens, four spellings against five",
         [](std::uint64_t seed) {
             Random random(seed, "many-spellings");
             return score_problem(normal_rows(Dtype::f32, 32, 40, random, 1), {7, 3, 21, 38}, {12, 0, 39, 18, 5});
         },
         "many rows leave rounding no place to hide"});
    cases.push_back({"last-position", "the logits are the last of four positions: rows lie 4 V apart",
                     [](std::uint64_t seed) {
                         Random random(seed, "last-position");
                         return score_problem(last_position(normal_rows(Dtype::f32, 3, 11, random, 1), 4, random),
                                              {2, 9}, {5, 1, 7});
                     },
                     ""});
    cases.push_back(
        {"transposed", "tokens lie V apart: memory holds (V, B)",
         [](std::uint64_t seed) {
             Random random(seed, "transposed");
             const Array rows = normal_rows(Dtype::f32, 4, 9, random, 1);
             return score_problem(rows.laid_out(std::vector<int>{1, 0}, std::vector<std::int64_t>{1, 1}), {8, 2}, {3});
         },
         "the other stride"});
    cases.push_back(fixed("two-tokens", "a vocabulary of two: the mass is 1, p the softmax",
                          score_problem(matrix(Dtype::f32, {{0.5, -0.25}, {-1, 2}}), {1}, {0}),
                          "the smallest vocabulary there is"));
    return cases;
}

std::vector<Case> extremes_cases() {
    const double banned = -unbounded;
    std::vector<Case> cases{
        fixed("logits-at-1e4", "one usual row, then one near +10000: exp is infinite unless the largest is subtracted",
              score_problem(matrix(Dtype::f32, {{0.5, 2, -1, 1, 0.25}, {10000, 9999.5, 10001.25, 9998, 10000.5}}),
                            {0, 3}, {2})),
        fixed("both-far-below", "logits 0, -200, -201: both labels underflow, and p = sigmoid(1) = .7311 all the same",
              score_problem(matrix(Dtype::f32, {{0, -200, -201}, {0, -1, -1.5}}), {1}, {2})),
        fixed("far-apart", "yes lies 150 above no, and in the next row below it",
              score_problem(matrix(Dtype::f32, {{75, -75, 3, -80}, {-75, 75, 3, 40}, {0, 0.5, 1, 2}}), {0, 3}, {1})),
        fixed("banned-groups", "a banned token has logit -infinity: all of yes, all of no, one of yes",
              score_problem(matrix(Dtype::f32, {{banned, 1, 0.5, banned, 2},
                                                {0.25, banned, 0.5, -1, banned},
                                                {banned, 1, 0.5, 0.75, banned}}),
                            {0, 3}, {1, 4})),
        fixed("logits-at-minus-1e4",
              "one usual row, then one near -10000: every exp is 0 unless the largest is subtracted",
              score_problem(matrix(Dtype::f32, {{0.5, 2, -1, 1}, {-10000, -9999.5, -10001.25, -9998}}), {0, 3}, {2}),
              "0/0 in place of infinity/infinity"),
        fixed("ends-of-the-range", "yes at 10000 and no at -10000, and the other way round: p is 1 and 0",
              score_problem(matrix(Dtype::f32, {{10000, -10000, 0}, {-10000, 10000, 0}, {10000, 9999, -10000}}), {0},
                            {1}),
              "the widest differences asked"),
        fixed("small-p", "p = e^-30 is small, not 0: its digits count",
              score_problem(matrix(Dtype::f32, {{-30, 0, -4}, {-20, -3, 1}, {-12.5, 0, 0}}), {0}, {1}),
              "a relative bound: 1 - 1 is 0"),
        fixed("half-extremes", "float16 logits: far up, far down, banned, and the largest number there is",
              score_problem(matrix(Dtype::f16, {{0.5, -1.25, 2, 0.75, -0.5},
                                                {10000, 9992, 10008, 9984, 10000},
                                                {-9984, -9992, -10008, -10000, banned},
                                                {65504, 65472, -65504, 65440, banned}}),
                            {0, 4}, {1, 3}),
              "storage of 16 bits, arithmetic of 32"),
    };
    cases.push_back({"half-equal", "4096 equal logits in float16: a sum kept in float16 sticks at 2048",
                     [](std::uint64_t) {
                         return score_problem(Array::generate(Dtype::f16, {2, 4096},
                                                              [](const Index& at) {
                                                                  return at[1] == 17 || at[1] == 4000
                                                                             ? 3.0 + static_cast<double>(at[0])
                                                                             : 1.5;
                                                              }),
                                              {17, 4000}, {5, 1, 4095});
                     },
                     "the sum must be float32"});
    cases.push_back({"256k-tokens", "a vocabulary of 256000 tokens",
                     [](std::uint64_t seed) {
                         Random random(seed, "256k-tokens");
                         Array rows = normal_rows(Dtype::f32, 1, 256000, random, 2);
                         return score_problem(std::move(rows), {3763, 200000, 8505, 255999}, {0, 645, 131072});
                     },
                     "the size of today's largest vocabularies"});
    return cases;
}

} // namespace assay::p_yes_judge
