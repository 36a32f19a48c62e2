// The verdict codes of the judges' trade, and how several become one.
#ifndef ASSAY_CORE_VERDICT_HPP
#define ASSAY_CORE_VERDICT_HPP

#include <optional>
#include <string_view>

namespace assay {

enum class Verdict {
    AC,   // accepted
    WA,   // wrong answer: the findings say where
    TLE,  // time limit
    MLE,  // memory limit
    OLE,  // output limit
    RTE,  // run-time error: a signal, an exception, an early exit
    CE,   // compile error
    SV,   // sandbox violation
    JE,   // judge error: ours, never the attempt's
    SKIP, // not run, with a reason; never a pass
};

/// "AC", "WA", ...
std::string_view code(Verdict verdict);

/// "accepted", "wrong answer", ...
std::string_view meaning(Verdict verdict);

/// The verdict with this code, or nothing.
std::optional<Verdict> verdict_from(std::string_view code);

} // namespace assay

#endif
