// Levels linear, random-features and low-rank.
#include "cases.hpp"
#include "growth.hpp"

#include <cmath>

namespace assay::long_attention_judge {

namespace {

Case linear_case(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("linear_attention", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}
Case random_case(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("random_features", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}
Case rank_case(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("low_rank", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

const char* const enough_rows = "short sequences are where a lost bit shows, and there are enough of them";

/// Moves every vector of these heads' q or k by `by` in every dimension.
void move(Array& array, std::int64_t h, double by, double spread) {
    change_each(array, [&](const Index& at, double old) { return at[0] == h ? by + spread * old : old; });
}

void narrow(Draft& d) {
    change_each(d.omega, [](const Index&, double old) { return 0.3 * old; });
}

} // namespace

std::vector<Case> linear_cases() {
    std::vector<Case> cases;
    cases.push_back(linear_case("linear-11", "two heads, D = 3, Dv = 4, eps 1/4", {2, 11, 3, 4}));
    cases.push_back(linear_case("linear-square", "D = Dv: a transposed state has the same shape", {3, 9, 4, 4}));
    cases.push_back(linear_case(
        "linear-negative", "all features small: eps 1 is above the normaliser at first", {2, 12, 3, 2},
        [](Draft& d) {
            for (Array* array : {&d.q, &d.k})
                change_each(*array, [](const Index&, double old) { return -2.5 + 0.5 * old; });
            d.eps = 1;
        },
        "eps weighs more than the sums"));
    cases.push_back(
        linear_case("linear-one-token", "L = 1: v, less what eps takes", {3, 1, 2, 3}, {}, "the shortest sequence"));
    cases.push_back(linear_case(
        "linear-tiny-eps", "eps 1e-12 is lost beside the normaliser", {1, 9, 3, 2}, [](Draft& d) { d.eps = 1e-12; },
        "eps is an argument"));
    cases.push_back(linear_case(
        "linear-far-negative", "entries down to -8: exp, where elu is next to -1", {2, 10, 4, 3},
        [](Draft& d) {
            for (Array* array : {&d.q, &d.k})
                change_each(*array, [](const Index&, double old) { return -5 + 0.5 * old; });
            d.eps = 1e-6;
        },
        "elu + 1 taken literally loses digits here, and may"));
    cases.push_back(linear_case(
        "linear-constant", "v = 1 everywhere: normaliser / (normaliser + eps)", {1, 40, 3, 2},
        [](Draft& d) { change_each(d.v, [](const Index&, double) { return 1.0; }); }, "sums that round to one side"));
    for (const std::int64_t length : {3, 16, 31, 127})
        cases.push_back(linear_case(
            "linear-length-" + std::to_string(length), std::to_string(length) + " tokens", {4, length, 6, 5},
            [](Draft& d) { d.eps = 1e-6; }, enough_rows));
    Case longest_of_all;
    longest_of_all.id = "linear-long";
    longest_of_all.why = "100003 tokens: O(L²) runs out of time or memory";
    longest_of_all.stays = "its length alone; every mistake shows on shorter ones";
    longest_of_all.make = [](std::uint64_t seed) { return growth_problem("linear_attention", longest, seed); };
    cases.push_back(longest_of_all);
    return cases;
}

std::vector<Case> random_feature_cases() {
    std::vector<Case> cases;
    cases.push_back(random_case("random-11", "two heads, D = 3, Dv = 4, 5 features", {2, 11, 3, 4, 1, 0, 5}));
    cases.push_back(random_case("random-one", "a single feature", {2, 6, 3, 2, 1, 0, 1}, {}, "M = 1"));
    cases.push_back(
        random_case("random-keys-far", "head 1: all exponents of keys below -120", {2, 8, 4, 3, 1, 0, 5}, [](Draft& d) {
            narrow(d);
            move(d.k, 1, 12, 0.2);
        }));
    cases.push_back(random_case(
        "random-queries-far", "head 0: all exponents of queries below -120", {2, 8, 4, 3, 1, 0, 5},
        [](Draft& d) {
            narrow(d);
            move(d.q, 0, -12, 0.2);
        },
        "queries vanish as keys do"));
    for (const std::int64_t length : {16, 127})
        cases.push_back(random_case("random-length-" + std::to_string(length), std::to_string(length) + " tokens",
                                    {3, length, 8, 5, 1, 0, 12}, {}, enough_rows));
    return cases;
}

std::vector<Case> low_rank_cases() {
    std::vector<Case> cases;
    cases.push_back(rank_case("rank-5-of-11", "two heads, D = 3, Dv = 4, R = 5", {2, 11, 3, 4, 1, 0, 5}));
    cases.push_back(rank_case("rank-high", "head 1 with logits of hundreds", {2, 9, 3, 2, 1, 0, 4}, [](Draft& d) {
        change_each(d.q, [](const Index& at, double old) { return at[0] == 1 ? 4 + 0.4 * old : old; });
        change_each(d.k, [](const Index& at, double old) { return at[0] == 1 ? 20 + 4 * old : old; });
        change_each(d.e, [](const Index& at, double old) { return (at[0] % 2 == 0 ? 0.5 : 0.25) + 0.1 * old; });
    }));
    cases.push_back(rank_case("rank-1", "R = 1: every row is f v", {2, 6, 3, 2, 1, 0, 1}, {}, "a softmax of one"));
    cases.push_back(
        rank_case("rank-over-length", "R = 7 above L = 3", {2, 3, 3, 2, 1, 0, 7}, {}, "nothing bounds R by L"));
    cases.push_back(rank_case(
        "rank-full", "e = f = identity: exact attention over the whole sequence", {1, 8, 3, 2, 1, 0, 8},
        [](Draft& d) {
            for (Array* array : {&d.e, &d.f})
                change_each(*array, [](const Index& at, double) { return at[0] == at[1] ? 1.0 : 0.0; });
        },
        "where low rank is exact"));
    for (const std::int64_t length : {31, 127})
        cases.push_back(rank_case("rank-16-of-" + std::to_string(length), std::to_string(length) + " tokens, R = 16",
                                  {2, length, 8, 5, 1, 0, 16}, {}, enough_rows));
    return cases;
}

} // namespace assay::long_attention_judge
