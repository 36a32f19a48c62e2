// Levels window, global-tokens and error: softmax over some of the keys.
#include "cases.hpp"
#include "growth.hpp"

#include <cmath>

namespace assay::long_attention_judge {

namespace {

Case sliding(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("sliding_window", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}
Case with_globals(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("window_with_globals", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}
Case compared(std::string id, std::string why, const Shape& shape, Change change = {}, std::string stays = "") {
    return make_case("compare", std::move(id), std::move(why), shape, std::move(change), std::move(stays));
}

Case long_case(std::string id, std::string route) {
    Case one;
    one.id = std::move(id);
    one.why = "100003 tokens: O(L²) runs out of time or memory";
    one.stays = "its length alone; every mistake shows on shorter ones";
    one.make = [route = std::move(route)](std::uint64_t seed) { return growth_problem(route, longest, seed); };
    return one;
}

/// Adds `logit` to q·k / sqrt(D) of every query of head h with key j (all keys where j < 0): q's first dimension is
/// made 4, k's is raised.
void raise(Draft& d, std::int64_t h, std::int64_t j, double logit) {
    for (std::int64_t i = 0; i < d.L; ++i) {
        d.q.set(Index{h, i, 0}, 4);
        if (j < 0 || i == j) {
            const double old = d.k.at({h, i, 0});
            d.k.set(Index{h, i, 0}, old + logit * std::sqrt(static_cast<double>(d.D)) / 4);
        }
    }
}

} // namespace

std::vector<Case> window_cases() {
    std::vector<Case> cases;
    cases.push_back(sliding("window-5-of-13",
                            "two heads, D = 3, Dv = 4, a window of 5 that counts the query's own token",
                            {2, 13, 3, 4, 5}));
    cases.push_back(sliding("window-1", "a window of 1 attends itself: the output is v", {2, 6, 3, 2, 1}, {},
                            "w = 1 copies v, which anyone can see"));
    cases.push_back(sliding("window-but-one", "L = w + 1: in the last row alone, the first token is gone",
                            {2, 7, 3, 2, 6}, {}, "the first length at which the window bites"));
    cases.push_back(sliding("window-all", "a window past the sequence: causal attention", {1, 9, 3, 2, 50}, {},
                            "a window need not be cut by the caller"));
    cases.push_back(sliding("window-one-token", "L = 1", {3, 1, 2, 3, 4}, {}, "the shortest sequence"));
    cases.push_back(sliding("window-high", "head 0 with logits near 300, head 1 near -300, head 2 near 0",
                            {3, 9, 2, 3, 4}, [](Draft& d) {
                                raise(d, 0, -1, 300);
                                raise(d, 1, -1, -300);
                            }));
    cases.push_back(sliding("largest-leaves", "token 2 has a logit 250 above the others, and leaves a window of 3",
                            {1, 10, 2, 3, 3}, [](Draft& d) { raise(d, 0, 2, 250); }));
    cases.push_back(sliding("window-wide-head", "D = 48, of which a scale shows most", {2, 10, 48, 3, 4}, {},
                            "1/sqrt(D), 1/D and 1 lie farther apart"));
    for (const auto& [length, width] : {std::array<std::int64_t, 2>{16, 3}, {31, 16}, {127, 31}, {300, 127}})
        cases.push_back(sliding("window-" + std::to_string(width) + "-of-" + std::to_string(length),
                                "rows of " + std::to_string(width) + " keys", {2, length, 7, 5, width}, {},
                                "short rows are where a lost bit shows, and there are enough of them"));
    cases.push_back(long_case("window-long", "sliding_window"));
    return cases;
}

std::vector<Case> global_cases() {
    std::vector<Case> cases;
    cases.push_back(with_globals("globals-2", "a window of 3 and 2 global tokens", {2, 13, 3, 4, 3, 2}));
    cases.push_back(with_globals("globals-in-window", "a window of 8 and 4 global tokens, which it holds at first",
                                 {2, 15, 3, 2, 8, 4}, {}, "the overlap shrinks from row to row"));
    cases.push_back(
        with_globals("globals-none", "no global tokens: the sliding window", {2, 8, 3, 2, 3, 0}, {}, "globals = 0"));
    cases.push_back(with_globals("globals-over-length", "more global tokens than tokens: causal attention",
                                 {1, 7, 3, 2, 2, 40}, {}, "every token is global"));
    cases.push_back(with_globals("sink", "a window of 1 and one global token: an attention sink", {2, 9, 3, 2, 1, 1},
                                 {}, "the smallest of both"));
    cases.push_back(with_globals(
        "globals-high", "the global token has a logit 40 above the others", {1, 12, 2, 3, 4, 1},
        [](Draft& d) { raise(d, 0, 0, 40); }, "what an attention sink looks like"));
    cases.push_back(with_globals("globals-127", "rows of 16 window and 5 global keys", {2, 127, 7, 5, 16, 5}, {},
                                 "rounding over enough rows"));
    cases.push_back(long_case("globals-long", "window_with_globals"));
    return cases;
}

std::vector<Case> error_cases() {
    std::vector<Case> cases;
    cases.push_back(compared("error-12", "a window of 4 and one global token of 12", {2, 12, 4, 3, 4, 1}));
    cases.push_back(compared(
        "error-far", "a token that all attend lies outside the window, and its value is high", {2, 11, 3, 5, 2, 0},
        [](Draft& d) {
            for (std::int64_t h = 0; h < d.H; ++h) {
                raise(d, h, 3, 3);
                for (std::int64_t c = 0; c < d.Dv; ++c) d.v.set(Index{h, 3, c}, 6);
            }
        },
        "the largest difference is negative, whatever the seed"));
    cases.push_back(compared("error-none", "the window holds the sequence: nothing is lost", {2, 9, 4, 3, 9, 0}, {},
                             "an error of 0, and a mass of 1"));
    cases.push_back(compared(
        "error-sink", "the first token carries the mass, and is global", {1, 14, 4, 3, 3, 1},
        [](Draft& d) { raise(d, 0, 0, 8); }, "a small error at a small cost"));
    cases.push_back(compared("error-overlap", "a window of 6 and 4 global tokens overlap", {2, 10, 3, 4, 6, 4}, {},
                             "pairs in both count once"));
    cases.push_back(compared("error-long", "60 tokens, a window of 8, 2 global tokens", {2, 60, 16, 5, 8, 2}, {},
                             "rounding over enough rows"));
    return cases;
}

} // namespace assay::long_attention_judge
