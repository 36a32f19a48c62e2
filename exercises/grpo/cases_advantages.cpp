// Level advantages.
#include "cases.hpp"

namespace assay::grpo_judge {

std::vector<Case> advantages_cases() {
    const GroupRule paper{4, 0, 0, true}, trl{4, 1, 1e-4, true};
    std::vector<Case> cases;
    cases.push_back(advantages_case("advantages", "pair", "one prompt, two answers, one of them right: about 1 and -1",
                                    {1, 0}, {2, 0, 1e-4, true}));
    cases.push_back(advantages_case("advantages", "paper",
                                    "two prompts, four answers each, nothing added to the deviation",
                                    {1, 0, 0, 2.5, 3, 5, 4, 9}, paper));
    cases.push_back(advantages_case("advantages", "trl",
                                    "the same rewards with ddof 1 and eps 1e-4: another convention in use",
                                    {1, 0, 0, 2.5, 3, 5, 4, 9}, trl));
    cases.push_back(advantages_case("advantages", "large-eps",
                                    "eps 0.1 beside deviations that are not 0.5: where eps stands shows",
                                    {0.2, 0.9, 0.4, 2, -1, 0.5}, {3, 0, 0.1, true},
                                    "decisive for where eps stands: a fifth of the answer, not the last digits"));
    cases.push_back(advantages_case("advantages", "unscaled",
                                    "scale false (Dr. GRPO): reward - mean, whatever eps and ddof say",
                                    {1, 0, 0.25, 4, -2, 7}, {3, 1, 0.1, false}));
    cases.push_back(advantages_case("advantages", "tiny-eps", "eps 1e-8, the least there is", {0.5, 2, -1, 0.125},
                                    {4, 1, 1e-8, true}, "the other end of eps"));
    cases.push_back(advantages_case(
        "advantages", "right-or-wrong", "rewards of 0 and 1 for three prompts, five answers each",
        {1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1}, {5, 1, 1e-4, true}, "the rewards that verifiers give"));
    cases.push_back(advantages_case(
        "advantages", "far-from-zero", "rewards near 1000, 1 apart: the mean cancels, and must not be lost",
        {1000, 1001, 1000.5, 999.75, 997, 998.5, 1002, 1000}, {4, 1, 1e-4, true}, "what rounding of the mean costs"));
    cases.push_back(advantages_case("advantages", "one-group", "G = N: the batch is one group",
                                    {0.3, 0.7, 0.1, 0.9, 0.4}, {5, 0, 1e-6, true}, "the least number of groups"));
    return cases;
}

} // namespace assay::grpo_judge
