// What was wrong with an answer, where, and what the pattern of it suggests.
#ifndef ASSAY_CORE_FINDING_HPP
#define ASSAY_CORE_FINDING_HPP

#include "core/array.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class FindingKind {
    value,             // finite, but farther from the truth than the bound
    nan,               // NaN where a number (or an infinity) is right
    inf,               // an infinity where a number is right
    shape,             // the answer has the wrong extents
    mutated_input,     // an input was changed
    not_deterministic, // the same call gave another answer
    unwritten_output,  // an element still holds what lay there before the call
    out_of_bounds,     // bytes beside an output were written
};

/// "value", "nan", "inf", "shape", "mutated-input", "not-deterministic", "unwritten-output", "out-of-bounds".
std::string_view name_of(FindingKind kind);

/// The worst element of one output (or input) that is wrong, with how many are.
struct Finding {
    FindingKind kind = FindingKind::value;
    std::string tensor;      // "out"
    Index where;             // index of the worst (NaN, inf: the first) wrong element
    double got = 0;          // its value ...
    double expected = 0;     // ... the right one ...
    double error = 0;        // ... |got - expected| ...
    double bound = 0;        // ... what was allowed ...
    double plain_error = -1; // ... and the error of a plain same-precision implementation there; < 0: not known
    std::int64_t wrong = 0;  // wrong elements of the tensor ...
    std::int64_t total = 0;  // ... out of so many
    std::string unit;        // of a single number, as in its truth; may be ""
    std::string place; // the pattern in words: "every element of rows i = 2", "column 3", "from index 32 on"; may be ""
    std::vector<std::string> map; // a small picture of where it is wrong, a line each; may be empty
    std::string note;             // anything more in one sentence; may be ""
};

/// On a single number, a result's item, which has no index.
inline bool is_item(const Finding& finding) { return finding.where.empty() && finding.total <= 1; }

/// A named mistake (or a pattern that needs no oracle) that explains every failing case so far.
struct Diagnosis {
    std::string mistake;  // id, as in the oracle; patterns have ids starting with "pattern:"
    std::string sentence; // "your output matches softmax over the query axis"
};

} // namespace assay

#endif
