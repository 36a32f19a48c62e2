// Cases of the levels that run on ranks: weights, their parts and tokens, laid out over the ranks.
#include "cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::parallelism_judge {

namespace {

/// One (rows, columns) matrix a rank, all the same memory.
Array shared(const Array& one, std::int64_t ranks) {
    Array all = one;
    all.extents.insert(all.extents.begin(), ranks);
    all.strides.insert(all.strides.begin(), 0);
    return all;
}

Array normals(Index extents, double scale, Random& random) {
    return Array::generate(Dtype::f32, std::move(extents), [&](const Index&) { return scale * random.normal(); });
}

/// Columns outermost and a gap behind every element.
Array transposed(const Array& matrix) { return matrix.laid_out(std::array{1, 0}, std::array<std::int64_t, 2>{1, 2}); }

Array gapped(const Array& array) {
    std::vector<int> order;
    for (std::size_t axis = 0; axis < array.rank(); ++axis) order.push_back(static_cast<int>(axis));
    std::reverse(order.begin() + 1, order.end());
    std::vector<std::int64_t> step(array.rank(), 1);
    step.back() = 2;
    return array.laid_out(order, step);
}

struct Weights {
    Array w1, b1, w2, b2;
    Weights(const Shape& s, Random& random)
        : w1(normals({s.d, s.f}, 1 / std::sqrt(static_cast<double>(s.d)), random)),
          b1(normals({s.f}, 0.5 * s.scale, random)),
          w2(normals({s.f, s.d}, 1 / std::sqrt(static_cast<double>(s.f)), random)),
          b2(normals({s.d}, s.scale, random)) {}
};

std::int64_t width_of(const Shape& s) { return (s.f + s.ranks - 1) / s.ranks; }

Case shard_case(std::string id, std::string why, const Shape& shape, std::string stays = "") {
    auto make = [shape, id](std::uint64_t seed) { return shard_problem(shape, Random(seed, id)); };
    return {id, std::move(why), make, std::move(stays)};
}

Case layer_case(std::string route, std::string id, std::string why, const Shape& shape, std::string stays = "") {
    auto make = [shape, id, route](std::uint64_t seed) { return layer_problem(route, shape, Random(seed, id)); };
    return {id, std::move(why), make, std::move(stays)};
}

} // namespace

Problem shard_problem(const Shape& s, Random random) {
    const Weights weights(s, random);
    const std::int64_t n = s.ranks, width = width_of(s);
    const auto out = [&](Index extents) {
        const Array plain = Array::zeros(Dtype::f32, std::move(extents));
        return s.strided ? gapped(plain) : plain;
    };
    return {"shard",
            {{"ranks", n, {}},
             {"w1", shared(s.strided ? transposed(weights.w1) : weights.w1, n), {"", "d", ""}},
             {"b1", shared(weights.b1, n), {"", ""}},
             {"w2", shared(s.strided ? transposed(weights.w2) : weights.w2, n), {"", "", "d"}},
             {"w1_part", out({n, s.d, width}), {"", "d", ""}},
             {"b1_part", out({n, width}), {"", ""}},
             {"w2_part", out({n, width, s.d}), {"", "", "d"}}}};
}

Problem layer_problem(const std::string& route, const Shape& s, Random random) {
    const bool split = route == "sequence";
    const Weights weights(s, random);
    const std::int64_t n = s.ranks, width = width_of(s);
    const auto laid = [&](const Array& array) { return s.strided ? gapped(array) : array; };
    const auto unit = [&](const Index& at, std::size_t axis) { return at[0] * width + at[axis]; };
    const Array w1_part = Array::generate(Dtype::f32, {n, s.d, width}, [&](const Index& at) {
        return unit(at, 2) < s.f ? weights.w1.at({at[1], unit(at, 2)}) : 0;
    });
    const Array b1_part = Array::generate(
        Dtype::f32, {n, width}, [&](const Index& at) { return unit(at, 1) < s.f ? weights.b1.at({unit(at, 1)}) : 0; });
    const Array w2_part = Array::generate(Dtype::f32, {n, width, s.d}, [&](const Index& at) {
        return unit(at, 1) < s.f ? weights.w2.at({unit(at, 1), at[2]}) : 0;
    });
    const Array x =
        split ? laid(normals({n, s.tokens, s.d}, 1, random)) : shared(normals({s.tokens, s.d}, 1, random), n);
    const std::string rows = split ? "t" : "T";
    return {route,
            {{"ranks", n, {}},
             {split ? "x_part" : "x", x, {"", rows, "d"}},
             {"w1_part", laid(w1_part), {"", "d", "w"}},
             {"b1_part", laid(b1_part), {"", "w"}},
             {"w2_part", laid(w2_part), {"", "w", "d"}},
             {"b2", shared(weights.b2, n), {"", "d"}},
             {split ? "y_part" : "y", laid(Array::zeros(Dtype::f32, {n, s.tokens, s.d})), {"", rows, "d"}}}};
}

std::vector<Case> shard_cases() {
    return {
        shard_case("even", "12 hidden units on 3 ranks, four each; d = 6 divides by 3 as well", {3, 0, 6, 12}),
        shard_case("padded", "10 hidden units on 3 ranks: 4, 4 and 2, and two places of padding", {3, 0, 5, 10}),
        shard_case("rank-without-units", "5 on 4: 2, 2, 1 and nothing but padding", {4, 0, 3, 5},
                   "a rank whose block begins behind the last unit: an unsigned or unchecked length crashes here"),
        shard_case("more-ranks-than-units", "3 on 5, one each and two ranks with padding alone", {5, 0, 4, 3},
                   "floor(f / n) is 0 here, which a division by it does not survive"),
        shard_case("one-rank", "n = 1: the part is the whole", {1, 0, 5, 7},
                   "every way of cutting is right here; what fails is the copy itself"),
        shard_case("strided", "transposed weights, parts with gaps behind every element", {3, 0, 4, 7, true},
                   "weights read through data() as if row-major, which the oracle cannot play"),
    };
}

std::vector<Case> forward_cases() {
    const auto one = [](std::string id, std::string why, const Shape& shape, std::string stays = "") {
        return layer_case("forward", std::move(id), std::move(why), shape, std::move(stays));
    };
    return {
        one("two-ranks", "n = 2, no bias behind the reduction: what is added up, and when", {2, 3, 5, 6, false, 0}),
        one("bias", "n = 3 and b2 is not 0: it counts once, not three times", {3, 4, 7, 12}),
        one("columns-divide", "d = 6 on 3 ranks: as if each rank held two columns of y", {3, 5, 6, 9}),
        one("padded-parts", "10 hidden units on 3 ranks: padding adds nothing", {3, 4, 5, 10},
            "b1 of a padded place is 0 and so is its row of W2: nothing needs to know of it"),
        one("alone", "n = 1: nothing is sent", {1, 3, 5, 7}, "(n - 1) / n is 0; the collective may be left out"),
        one("strided-views", "parts and y in transposed memory with gaps", {3, 4, 5, 9, true},
            "views read through data() as if row-major, which the oracle cannot play"),
        one("eight-ranks", "n = 8, one unit a rank and one rank of padding", {8, 3, 5, 7},
            "many ranks: each piece is short, the reduction is long"),
        one("long-sums", "32 tokens, d = 63, f = 252 on 4 ranks", {4, 32, 63, 252},
            "sums in 16 bits lie beyond the bound here, sums in float32 well below it"),
        one("large-bias", "biases a hundred times the rest", {3, 4, 5, 8, false, 100},
            "the bound follows the magnitudes: right code must pass here, a bias counted n times must not"),
    };
}

std::vector<Case> sequence_cases() {
    const auto one = [](std::string id, std::string why, const Shape& shape, std::string stays = "") {
        return layer_case("sequence", std::move(id), std::move(why), shape, std::move(stays));
    };
    return {
        one("own-tokens", "3 ranks with 2 tokens each", {3, 2, 5, 9}),
        one("one-token-each", "t = 1: T = n", {4, 1, 6, 8},
            "rank and token index are easily mixed up where both count to n"),
        one("padded-hidden", "7 hidden units on 3 ranks, 4 tokens each", {3, 4, 5, 7},
            "padding and the split of tokens have nothing to do with each other"),
        one("sequence-alone", "n = 1: gather and scatter are copies", {1, 3, 4, 5},
            "a rank that leaves its collectives out must copy by itself"),
        one("strided-tokens", "x_part and y_part in transposed memory with gaps", {3, 3, 5, 6, true},
            "views read through data() as if row-major, which the oracle cannot play"),
    };
}

} // namespace assay::parallelism_judge
