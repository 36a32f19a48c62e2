// Var: a number that remembers how it was computed, so that a loss written in it can be differentiated. What it offers
// is a small part of what an autograd library does for tensors: reverse mode, one scalar at a time, in double.
#ifndef ASSAY_VAR_HPP
#define ASSAY_VAR_HPP

namespace assay {

/// Keeps the steps of one computation. The caller of a contract function owns it; an attempt has no need of it.
class tape {
  public:
    /// A step with value f(a, b): its partial derivatives, and the steps they are taken with respect to (-1: none).
    virtual long record(long a, double df_da, long b, double df_db) = 0;

  protected:
    ~tape() = default;
};

/// Arithmetic on it works as on double, and is recorded. A plain number converts to a Var that has no gradient.
class Var {
  public:
    Var(double value = 0) : value_(value) {}
    /// A step of `steps`.
    Var(double value, tape* steps, long step) : value_(value), tape_(steps), step_(step) {}

    /// The number itself. What is computed from it has no gradient.
    double value() const { return value_; }
    /// The same number as a constant: no gradient flows back through it.
    Var detach() const { return Var(value_); }

    /// For the judge: the step that this is, -1 for a constant; and the tape it lies on.
    long step() const { return tape_ != nullptr ? step_ : -1; }
    tape* steps() const { return tape_; }

  private:
    double value_ = 0;
    tape* tape_ = nullptr;
    long step_ = -1;
};

namespace detail {
inline Var step(double value, const Var& a, double df_da, const Var& b = {}, double df_db = 0) {
    tape* steps = a.steps() != nullptr ? a.steps() : b.steps();
    if (steps == nullptr) return Var(value);
    return Var(value, steps, steps->record(a.step(), df_da, b.step(), df_db));
}
} // namespace detail

inline Var operator+(const Var& a, const Var& b) { return detail::step(a.value() + b.value(), a, 1, b, 1); }
inline Var operator-(const Var& a, const Var& b) { return detail::step(a.value() - b.value(), a, 1, b, -1); }
inline Var operator*(const Var& a, const Var& b) {
    return detail::step(a.value() * b.value(), a, b.value(), b, a.value());
}
inline Var operator/(const Var& a, const Var& b) {
    const double quotient = a.value() / b.value();
    return detail::step(quotient, a, 1 / b.value(), b, -quotient / b.value());
}
inline Var operator-(const Var& a) { return detail::step(-a.value(), a, -1); }
inline Var operator+(const Var& a) { return a; }
inline Var& operator+=(Var& a, const Var& b) { return a = a + b; }
inline Var& operator-=(Var& a, const Var& b) { return a = a - b; }
inline Var& operator*=(Var& a, const Var& b) { return a = a * b; }
inline Var& operator/=(Var& a, const Var& b) { return a = a / b; }

// Comparisons are of the values.
inline bool operator<(const Var& a, const Var& b) { return a.value() < b.value(); }
inline bool operator>(const Var& a, const Var& b) { return a.value() > b.value(); }
inline bool operator<=(const Var& a, const Var& b) { return a.value() <= b.value(); }
inline bool operator>=(const Var& a, const Var& b) { return a.value() >= b.value(); }
inline bool operator==(const Var& a, const Var& b) { return a.value() == b.value(); }
inline bool operator!=(const Var& a, const Var& b) { return a.value() != b.value(); }

inline Var exp(const Var& a) {
    const double value = __builtin_exp(a.value());
    return detail::step(value, a, value);
}
/// Natural logarithm.
inline Var log(const Var& a) { return detail::step(__builtin_log(a.value()), a, 1 / a.value()); }

/// The smaller one, or the larger; NaN where one is NaN. The gradient goes to that one; where both are equal, half to
/// each.
inline Var min(const Var& a, const Var& b) {
    const double x = a.value(), y = b.value();
    const double to_a = x < y ? 1 : y < x ? 0 : 0.5;
    return detail::step(x < y ? x : y < x ? y : x == y ? x : x + y, a, to_a, b, 1 - to_a);
}
inline Var max(const Var& a, const Var& b) { return -min(-a, -b); }
/// `a` moved into [low, high]. The gradient is 1 inside and at the ends, 0 outside.
inline Var clamp(const Var& a, double low, double high) {
    const double moved = a.value() < low ? low : a.value() > high ? high : a.value();
    return detail::step(moved, a, a.value() < low || a.value() > high ? 0 : 1);
}
/// Sum of `count` numbers that lie one after the other; 0 of none.
inline Var sum(const Var* first, long count) {
    Var total;
    for (long i = 0; i < count; ++i) total += first[i];
    return total;
}

} // namespace assay

// std::exp of a Var would otherwise be answered with twenty candidates, none of which is the remedy. Templates, so that
// exp(x) after `using namespace std` means Assay's.
namespace assay::detail {
template <class T, class R> struct only_var {};
template <class R> struct only_var<Var, R> { using type = R; };
} // namespace assay::detail
#define ASSAY_REFUSE(result, function, remedy)                                                                         \
    template <class T>                                                                                                 \
    __attribute__((error("a Var is no double: " remedy))) typename assay::detail::only_var<T, result>::type function(  \
        const T&);
namespace std { // NOLINT(cert-dcl58-cpp): declared to be refused, never defined
ASSAY_REFUSE(assay::Var, exp, "write exp(x) in place of std::exp(x)")
ASSAY_REFUSE(assay::Var, log, "write log(x) in place of std::log(x)")
ASSAY_REFUSE(assay::Var, expm1, "there is no expm1 of one, write exp(x) - 1")
ASSAY_REFUSE(assay::Var, log1p, "there is no log1p of one, write log(1 + x)")
ASSAY_REFUSE(assay::Var, abs, "there is no abs of one, write max(x, -x)")
ASSAY_REFUSE(assay::Var, fabs, "there is no fabs of one, write max(x, -x)")
ASSAY_REFUSE(assay::Var, sqrt, "there is no sqrt of one; where no gradient is due, write std::sqrt(x.value())")
ASSAY_REFUSE(bool, isnan, "write std::isnan(x.value())")
ASSAY_REFUSE(bool, isfinite, "write std::isfinite(x.value())")
} // namespace std
#undef ASSAY_REFUSE

#endif
