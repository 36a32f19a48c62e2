// What an exercise is to the judge: levels of cases, an oracle, and the mistakes it can name.
#ifndef ASSAY_CORE_EXERCISE_HPP
#define ASSAY_CORE_EXERCISE_HPP

#include "core/bench.hpp"
#include "core/caller.hpp"
#include "core/outcome.hpp"
#include "core/problem.hpp"
#include "core/slips.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One input, made from a seed (same seed, same bytes). `why` says in a line what it is there to catch; `stays`
/// says why it stays although every mistake it kills dies earlier ("" where it kills one first: `verify` checks).
struct Case {
    std::string id; // unique in the exercise, letters, digits and '-' only: "mask-key-axis"
    std::string why;
    std::function<Problem(std::uint64_t seed)> make;
    std::string stays;
};

/// Asks the attempt one problem by as many contract calls as it takes. The default (empty) calls the contract function
/// named by problem.route with the fields of its parameters' names. A writable parameter is passed as an output: its
/// field gives extents and strides, and its content is ignored.
using Script = std::function<Outcome<Outputs>(Caller&, const Problem&)>;

struct Level {
    std::string id;    // "masks"
    std::string title; // "Masks"
    int points = 0;
    bool must = true;                   // false: bonus, never decides pass or fail
    std::vector<std::string> functions; // contract functions it needs
    std::vector<Case> cases;
    std::string requires_level; // id of a level without which this one is skipped; may be ""
    Script script;
};

/// A wrong answer that people really give, as a switch of the oracle. Several `forms` are variants that behave
/// differently but are the same slip (a sentinel's value, a block size).
struct Mistake {
    std::string id;                  // "scale-missing"; also the file name of a rejected attempt
    std::string sentence;            // completes "Your output matches ...": "softmax(q·k) without the 1/sqrt(D)"
    std::vector<std::string> levels; // one a form: id of the level that must reject that form first
    std::vector<std::string> twins;  // ids of mistakes that no case can part from this one, by nature

    int forms() const { return static_cast<int>(levels.size()); }
};

/// Float64 truth of `problem`, or with `mistake` ("" = none) in its `form` switched on. Nothing where that mistake
/// cannot be made on this problem (it would read out of range, or needs a shape this problem has not).
using Oracle = std::function<std::optional<Truths>(const Problem& problem, std::string_view mistake, int form)>;

/// Indices of one dimension.
struct Suspects {
    std::string dimension;
    std::vector<std::int64_t> indices;
};

/// Everything the judge knows of one exercise. Registered by its levels.cpp; texts and limits come from exercise.toml.
struct Exercise {
    std::string id;
    std::vector<Signature> signatures; // of the contract's functions, in contract order
    std::vector<Level> levels;
    std::vector<Mistake> mistakes;
    Oracle oracle;
    /// The same with any number of mistakes at once. Given by calculators, whose answers are single numbers: there two
    /// mistakes made together, and each number by itself, are looked into as well. set_calculator sets both.
    std::function<std::optional<Truths>(const Problem&, const Slips&)> combined;
    /// The plain same-precision implementation: what a careful candidate's first version gives. For error figures.
    std::function<Outputs(const Problem&)> plain;
    /// Whether shrinking may ask this problem: the contract's preconditions.
    std::function<bool(const Problem&)> valid;
    /// A random valid problem over the whole domain of the contract, for fuzzing.
    std::function<Problem(std::uint64_t seed)> random;
    /// Exercises that a simulator drives: the run that gave `outputs` as a timeline, a line an event.
    std::function<std::vector<std::string>(const Problem&, const Outputs& outputs)> story;
    /// The id of the mistake that a failing run shows by itself, "" where it shows none of them: where a policy is
    /// free, no run of the oracle's is like the attempt's, but the simulator saw what happened. Told before all
    /// comparisons.
    std::function<std::string(const Problem&, const Outputs& outputs)> shown;
    /// And which indices of a dimension had a part in the failure, most likely first: shrinking tries these alone
    /// before it searches (of 100,000 arrivals the last ones before the failure).
    std::function<std::vector<Suspects>(const Problem&, const Outputs& outputs)> suspects;
    /// The level whose script and functions answer this route.
    std::function<std::string(const Problem&)> level_of;
    /// Problems that are worth a timing, the most telling first.
    std::vector<Bench> benches;
    /// What is measured as problems grow.
    std::vector<Growth> growths;
    /// Timed levels: never part of verdict and score.
    std::vector<SpeedLevel> speed;
};

/// Sets the oracle of a calculator: nothing, one, or any number of mistakes at once. A mistake that does not show on a
/// problem leaves its answer right; nothing where one cannot be made on it.
void set_calculator(Exercise& exercise, std::function<std::optional<Truths>(const Problem&, const Slips&)> oracle);

} // namespace assay

#endif
