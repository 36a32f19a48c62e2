// Level errors: one row that may be anything.
#include "cases.hpp"

namespace assay::p_yes_judge {

std::vector<Case> errors_cases() {
    const double banned = -unbounded;
    const Numbers usual{0.5, 2, -1, 0.25, 1.5, -0.75};
    const char* const edge = "an edge of the domain, one condition at a time";
    const auto with = [&](std::size_t at, double value) {
        Numbers x = usual;
        x[at] = value;
        return x;
    };
    return {
        fixed("nothing-wrong", "a usual row: the state is ok", checked_problem(usual, {1, 3}, {0, 4, 2}),
              "not everything is an error"),
        fixed("no-yes-id", "yes has no id", checked_problem(usual, {}, {2, 4})),
        fixed("no-no-id", "no has no id", checked_problem(usual, {2, 4}, {}), edge),
        fixed("no-id", "neither label has an id", checked_problem(usual, {}, {}), edge),
        fixed("negative-id", "an id of -1 is no token", checked_problem(usual, {1, -1}, {0, 4})),
        fixed("id-past-the-end", "V = 6, and an id of 6", checked_problem(usual, {1, 3}, {0, 6}), edge),
        fixed("id-in-both", "id 3 is in both groups", checked_problem(usual, {1, 3}, {3, 4})),
        fixed("nan-logit", "a NaN spoils the softmax, though no label has it",
              checked_problem(with(5, not_a_number), {1}, {0, 4})),
        fixed("infinite-logit", "+infinity spoils the softmax, though no label has it",
              checked_problem(with(2, unbounded), {1}, {0, 4})),
        fixed("infinite-label", "a label's own logit is +infinity", checked_problem(with(1, unbounded), {1}, {0, 4}),
              edge),
        fixed("banned-other", "a banned token elsewhere is no error", checked_problem(with(5, banned), {1, 3}, {0, 4})),
        fixed("yes-banned", "yes is banned, no is not: p = 0, and no error",
              checked_problem(with(1, banned), {1}, {0, 4})),
        fixed("no-banned", "no is banned, yes is not: p = 1", checked_problem({0.5, banned, 2, banned}, {0}, {1, 3}),
              edge),
        fixed("both-banned", "every id of both groups is banned: no mass to share",
              checked_problem({0.5, banned, 2, banned, banned}, {1, 4}, {3})),
        fixed("all-banned", "the whole vocabulary is banned", checked_problem({banned, banned, banned}, {1}, {2, 0}),
              edge),
        fixed("tiny-mass", "label probabilities of e^-2000 are 0 in float64, and their quotient is fine all the same",
              checked_problem({0, -2000, -2000.5, 1, -1999}, {1, 4}, {2})),
        fixed("repeated-id", "id 3 stands twice in yes and counts once", checked_problem(usual, {3, 1, 3}, {0, 2})),
        fixed("empty-and-outside", "an empty group beside an id that is out of range: the first state applies",
              checked_problem(usual, {}, {2, 9})),
        fixed("outside-and-both", "an id out of range, another in both groups",
              checked_problem(usual, {1, 17, 3}, {3, 4}), "the order of the states"),
        fixed("outside-twice", "one id out of range in both groups", checked_problem(usual, {1, 8}, {8, 4}),
              "the order of the states"),
        fixed("both-and-nan", "an id in both groups, and a NaN", checked_problem(with(5, not_a_number), {1, 3}, {3, 4}),
              "the order of the states"),
        fixed("banned-and-infinite", "both groups banned, and an infinite logit elsewhere",
              checked_problem({unbounded, banned, 2, banned}, {1}, {3}), "the order of the states"),
        fixed("far-up", "logits near 10000 in float64", checked_problem({1e4, 9999.25, 10000.75, 9997}, {1, 3}, {2}),
              "no largest logit subtracted shows here too"),
        fixed("most-negative-id", "an id of -2147483648", checked_problem(usual, {1}, {0, -2147483648}), edge),
        fixed("empty-vocabulary", "V = 0: every id is out of range", checked_problem({}, {0}, {1}), edge),
    };
}

} // namespace assay::p_yes_judge
