// Level calibration: fits, bins and decisions.
#include "cases.hpp"

#include "core/random.hpp"

#include <cmath>

namespace assay::p_yes_judge {

namespace {

const char* const edge = "an edge of the domain, one condition at a time";

std::vector<Case> fit_cases() {
    const Examples usual{{3.5, true, 2},    {-2, false, 1},  {1.25, false, 0.5}, {4, true, 1},     {-0.5, true, 1.5},
                         {-3, false, 0.75}, {0.75, true, 1}, {2.5, false, 1.25}, {-1.5, false, 2}, {0.25, true, 0.5}};
    const auto with = [&](Example one) {
        Examples examples = usual;
        examples.push_back(one);
        return calibrate_problem(examples);
    };
    std::vector<Case> cases{
        fixed("overconfident", "ten scores that are surer than right, with weights", calibrate_problem(usual)),
        fixed(
            "wrong-way", "yes scores lie below no scores: no temperature mends that, a negative slope does",
            calibrate_problem(
                {{-2, true, 1}, {1.5, false, 2}, {0.5, true, 0.5}, {-1, false, 1}, {-0.75, true, 1.5}, {3, false, 1}})),
        fixed("sure-and-wrong", "a score of 40 that is wrong: 1 - p is 0 in float64, and the loss is 40",
              calibrate_problem({{40, false, 0.25},
                                 {3, true, 2},
                                 {-2, false, 1},
                                 {1, true, 1.5},
                                 {-4, false, 2},
                                 {5, true, 1},
                                 {0.5, false, 1}})),
        fixed("one-class", "all labels are yes: no slope and intercept fit best",
              calibrate_problem({{2, true, 1}, {-1, true, 0.5}, {3, true, 1.5}, {-0.5, true, 1}})),
        fixed("equal-scores", "all scores are 1.5: the intercept is the logit of the share of yes",
              calibrate_problem({{1.5, true, 2}, {1.5, false, 0.5}, {1.5, true, 1}, {1.5, false, 1.5}})),
        fixed("weightless-class", "the only no has weight 0, and so does not count: one class",
              calibrate_problem({{2, true, 1}, {-1, false, 0}, {0.5, true, 2}, {3, true, 1.5}})),
        fixed("separable", "every yes scores above 0, every no below: the temperature goes to 0, the slope to infinity",
              calibrate_problem({{2, true, 1}, {-1, false, 2}, {0.5, true, 0.5}, {-3, false, 1}, {0, true, 0.75}}),
              "the loss has no minimum"),
        fixed("separable-off-zero", "apart at 2 instead of 0: a finite temperature, and no finite slope",
              calibrate_problem({{3, true, 1}, {1, false, 2}, {2.5, true, 0.5}, {-3, false, 1}, {1.5, false, 0.75}}),
              "only one of the two fits ends"),
        fixed("touching", "the lowest yes and the highest no share a score: still separable",
              calibrate_problem({{3, true, 1}, {1, false, 2}, {1, true, 0.5}, {-3, false, 1}, {-1.5, false, 0.75}}),
              "the edge between separable and not"),
        fixed("separable-backwards", "every yes lies below every no",
              calibrate_problem({{-2, true, 1}, {1, false, 2}, {-0.5, true, 0.5}}),
              "a slope of -infinity, a temperature of +infinity"),
        fixed("nowhere", "scores that balance exactly: the derivative is 0 where 1/T is 0",
              calibrate_problem({{1, true, 1}, {1, false, 1}, {-2, true, 0.5}, {-2, false, 0.5}}),
              "the edge of uninformative"),
        fixed("zero-scores", "all scores are 0: any temperature is as good, and 1 is the answer",
              calibrate_problem({{0, true, 1}, {0, false, 2.5}, {0, true, 0.5}}), "both fits are constant"),
        fixed("weightless-example", "an example of weight 0 changes nothing", with({9, false, 0}),
              "0 is a valid weight"),
    };
    cases.push_back({"forty-scores", "forty random scores",
                     [](std::uint64_t seed) {
                         Random random(seed, "forty-scores");
                         Examples examples;
                         for (int i = 0; i < 40; ++i) {
                             const double z = 3 * random.normal();
                             const bool yes = random.chance(1 / (1 + std::exp(-(0.4 * z - 0.5))));
                             examples.push_back({z, yes, random.uniform(0.25, 2)});
                         }
                         examples.push_back({1.5, true, 1}); // neither separable nor uninformative, whatever the seed
                         examples.push_back({1, false, 1});
                         examples.push_back({-4, false, 1});
                         examples.push_back({2, false, 1});
                         examples.push_back({6, true, 4});
                         return calibrate_problem(examples);
                     },
                     "more than a hand can balance"});
    cases.push_back(fixed("no-scores", "no examples at all are invalid", calibrate_problem({}), edge));
    cases.push_back(fixed("nan-score", "a score of NaN is invalid", with({not_a_number, true, 1}), edge));
    cases.push_back(fixed("infinite-score", "an infinite score is invalid", with({-unbounded, false, 1}), edge));
    cases.push_back(fixed("negative-weight", "a negative weight is invalid", with({1, true, -0.5}), edge));
    cases.push_back(fixed("infinite-weight", "an infinite weight is invalid", with({1, true, unbounded}), edge));
    cases.push_back(fixed("nan-weight", "a weight of NaN is invalid", with({1, true, not_a_number}), edge));
    cases.push_back(fixed("weightless", "weights that are all 0 are invalid",
                          calibrate_problem({{1, true, 0}, {-1, false, 0}}), edge));
    return cases;
}

std::vector<Case> assess_cases() {
    const Examples usual{{0.91, true, 1},   {0.82, false, 2}, {0.07, false, 0.5},
                         {0.64, true, 1.5}, {0.33, false, 1}, {0.38, true, 0.75},
                         {0.97, true, 2.5}, {0.12, true, 1},  {0.58, false, 0.25}};
    const auto with = [&](Example one) {
        Examples examples = usual;
        examples.push_back(one);
        return assess_problem(examples, 5, 1, 4);
    };
    std::vector<Case> cases{
        fixed("nine-in-seven",
              "nine examples in seven bins, two of them empty; a false no costs three times a false yes",
              assess_problem(usual, 7, 2, 6)),
        fixed("on-the-edges",
              "p of 0, 1/4, 1/2, 3/4 and 1 in four bins: an edge belongs to the bin below it, 0 to the first",
              assess_problem({{0, false, 1},
                              {0.25, true, 2},
                              {0.5, false, 0.5},
                              {0.75, true, 1.5},
                              {1, true, 1},
                              {0.625, true, 1},
                              {0.125, true, 0.75}},
                             4, 1, 2)),
        fixed("tie", "p = 1/4 where the threshold is 1/4: yes",
              assess_problem({{0.25, true, 1}, {0.75, false, 0.5}, {0.125, true, 2}}, 3, 1, 3)),
        fixed("one-bin", "one bin: the mean p against the share of yes", assess_problem(usual, 1, 5, 2),
              "the fewest bins"),
        fixed("weightless-p", "an example of weight 0 fills no bin", with({0.5, true, 0}), "0 is a valid weight"),
    };
    cases.push_back({"fifty-in-fifteen", "fifty random examples in fifteen bins",
                     [](std::uint64_t seed) {
                         Random random(seed, "fifty-in-fifteen");
                         Examples examples;
                         for (int i = 0; i < 50; ++i) {
                             // off every edge: 60 p is a whole number and a half
                             const double p = (static_cast<double>(random.integer(0, 59)) + 0.5) / 60;
                             examples.push_back({p, random.chance(p * p), random.uniform(0.25, 2)});
                         }
                         return assess_problem(examples, 15, 3, 2);
                     },
                     "the usual number of bins"});
    cases.push_back(fixed("no-examples", "no examples at all are invalid", assess_problem({}, 3, 1, 1), edge));
    cases.push_back(fixed("p-above-one", "a p above 1 is invalid", with({1.25, true, 1}), edge));
    cases.push_back(fixed("p-below-zero", "a p below 0 is invalid", with({-0.01, true, 1}), edge));
    cases.push_back(fixed("p-nan", "a p of NaN is invalid", with({not_a_number, true, 1}), edge));
    cases.push_back(fixed("p-weight-negative", "a negative weight is invalid", with({0.5, true, -1}), edge));
    cases.push_back(
        fixed("p-weightless", "weights that are all 0 are invalid", assess_problem({{0.5, true, 0}}, 2, 1, 1), edge));
    cases.push_back(fixed("no-bins", "0 bins are invalid", assess_problem(usual, 0, 1, 4), edge));
    cases.push_back(fixed("negative-bins", "-3 bins are invalid", assess_problem(usual, -3, 1, 4), edge));
    cases.push_back(fixed("free-mistakes", "a cost of 0 is invalid", assess_problem(usual, 5, 0, 4), edge));
    cases.push_back(fixed("negative-cost", "a negative cost is invalid", assess_problem(usual, 5, 2, -4), edge));
    cases.push_back(
        fixed("infinite-cost", "an infinite cost is invalid", assess_problem(usual, 5, 2, unbounded), edge));
    cases.push_back(fixed("nan-cost", "a cost of NaN is invalid", assess_problem(usual, 5, not_a_number, 1), edge));
    return cases;
}

} // namespace

std::vector<Case> calibration_cases() {
    std::vector<Case> cases = fit_cases();
    for (Case& one : assess_cases()) cases.push_back(std::move(one));
    return cases;
}

} // namespace assay::p_yes_judge
