// A value, or a verdict with its reason: the attempt's failure and the judge's are values, not exceptions.
#ifndef ASSAY_CORE_OUTCOME_HPP
#define ASSAY_CORE_OUTCOME_HPP

#include "core/verdict.hpp"

#include <string>
#include <utility>
#include <variant>

namespace assay {

/// Why there is no value. `reason` is one sentence for a person: what, where, how to mend it.
struct Failure {
    Verdict verdict = Verdict::JE;
    std::string reason;
    std::string detail = {}; // lines of evidence (a compiler's diagnostics, a sanitiser's report), may be ""
};

template <class T> class [[nodiscard]] Outcome {
  public:
    Outcome(T value) : state_(std::move(value)) {}
    Outcome(Failure failure) : state_(std::move(failure)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// The value; only where ok().
    T& operator*() { return std::get<0>(state_); }
    const T& operator*() const { return std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }

    /// The failure; only where !ok().
    const Failure& failure() const { return std::get<1>(state_); }

  private:
    std::variant<T, Failure> state_;
};

/// Success carries nothing.
struct Done {};

} // namespace assay

#endif
