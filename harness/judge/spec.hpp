// The one-line name of a case, shrunk or not, that --case takes: "causal-short@Lq:4@Lk:0,2@q=1@v~int".
#ifndef ASSAY_JUDGE_SPEC_HPP
#define ASSAY_JUDGE_SPEC_HPP

#include "core/exercise.hpp"
#include "core/outcome.hpp"
#include "core/problem.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

/// A case's id and the steps from its problem to a smaller one. Written with characters that no shell touches:
/// letters, digits, and @ : = ~ , . - + only.
///   @NAME:i,j,k     keep these indices of dimension NAME (a field axis's name), in order; a run may stand as 4-9, and
///                   nothing after the colon leaves the dimension empty
///   @FIELD=x        every element of tensor FIELD is x; a number, flag or integer field is x
///   @FIELD=x,y,...  elements in row-major order
///   @FIELD~int      every element rounded to the nearest integer
///   @FIELD~none     the optional field is absent
///   @FIELD~packed   same values, row-major strides
struct CaseSpec {
    struct Keep {
        std::string dimension;
        std::vector<std::int64_t> indices;
    };
    struct Set {
        std::string field;
        std::vector<double> values; // one: all elements
    };
    struct Change {
        std::string field;
        std::string to; // "int", "none", "packed"
    };
    using Step = std::variant<Keep, Set, Change>;

    std::string case_id;
    std::vector<Step> steps;

    std::string text() const;
};

/// One step without its @, as text() writes it: "Lq:4".
std::string text_of(const CaseSpec::Step& step);

/// Parses text() back. The failure is one sentence (verdict SKIP: wrong usage).
Outcome<CaseSpec> parse_spec(std::string_view text);

/// Applies one step, or all of them. The failure says which step does not fit the problem. Keep leaves the layout's
/// character as it was (axis order, gaps and what lies in them, stride 0), so that a stride bug still shows; an axis of
/// extent 1 along a longer dimension (broadcast) stays.
Outcome<Problem> apply(const Problem& problem, const CaseSpec::Step& step);
Outcome<Problem> apply(const Problem& problem, const CaseSpec& spec);

} // namespace assay

#endif
