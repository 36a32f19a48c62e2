// softmax, its Jacobian, the Jacobian's norm and the entropy, with the bounds that a careful float64 implementation
// keeps, in whatever order it sums.
//
// First order, worst case, u = 2^-53, m the largest logit, lse the log-sum-exp, l_i = x_i - lse = ln p_i:
//   An error of a logit difference enters p relatively, as exp' = exp. Exponents are x_i - m (one rounding, relative to
//   the difference) or x_i - lse, where lse carries u|lse| and the subtraction u|l_i|. x_i itself carries
//   `logit_roundings` roundings, c. exp, the quotient and the like: 8 roundings more. So p_i is off relatively by
//     t_i = u (3|x_i - m| + |m| + |lse| + c |x_i| + 8)
//   in the numerator, and by the mean of the same and n - 1 additions in the denominator:
//     P_i = p_i (t_i + sum p_j t_j + u (n + 3)) + n 2^-1022          (the last: results that underflow)
//   Jacobian: off the diagonal P_i p_j + p_i P_j + 2u p_i p_j. On it, p_i - p_i p_i and p_i (1 - p_i) amplify P_i by
//   |1 - 2 p_i| <= 1 and round at p_i's size; p_i times the sum of the others has P_i (1 - p_i) + p_i sum P_j. All:
//     P_i + p_i sum_{j != i} P_j + u (n + 3) p_i
//   and 2^-1022 everywhere, for a product that underflows though neither factor does.
//   Norm: | |J + E| - |J| | <= |E|, a sum of n^2 squares and its root; squares below 2^-1022 are lost.
//   Entropy: -p ln p has the slope -(1 + ln p). Written as lse - sum p x it rounds at the size of x instead, and sees
//   the errors of p multiplied by x: sum P_i (1 + |l_i| + |x_i|) + u (n + 4) (|lse| + sum p_i (|l_i| + |x_i|)).
// The square root of S2 - 2 S3 + S2^2, in sums S_k of p^k, is not admitted: near one-hot it loses half of the digits.
#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::attention_scaling_judge {

namespace {

using real = long double;
using Reals = std::vector<real>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Softmax {
  public:
    Softmax(const Reals& logits, double roundings, const Slips& on) : x_(logits), c_(roundings), on_(on) {}

    Weights run() {
        n_ = x_.size();
        find_weights();
        bound_weights();
        differentiate();
        measure();
        return std::move(result_);
    }

  private:
    const Reals& x_;
    double c_;
    const Slips& on_;
    std::size_t n_ = 0;
    Reals p_, log_p_, E_; // E_: the bound P_i
    real max_ = 0, lse_ = 0, norm_squared_ = 0, jacobian_error_ = 0;
    Weights result_;

    static double finite(real bound) { return std::isfinite(bound) ? static_cast<double>(bound) : 0.0; }

    void find_weights() {
        max_ = *std::max_element(x_.begin(), x_.end());
        real total = 0;
        for (const real x : x_) total += std::exp(x - max_);
        lse_ = max_ + std::log(total);
        for (const real x : x_) {
            p_.push_back(std::exp(x - max_) / (on_("not-normalised") ? 1 : total));
            log_p_.push_back(x - max_ - std::log(on_("not-normalised") ? 1 : total));
        }
        if (on_("no-max-subtraction")) exponentiate_plainly();
    }

    /// In float64, as it would be done: exp gives infinity above 709.78, and all may be 0.
    void exponentiate_plainly() {
        double total = 0;
        for (const real x : x_) total += std::exp(static_cast<double>(x));
        const bool harmless = std::isfinite(total) && total > std::numeric_limits<double>::min();
        if (harmless && !on_("not-normalised")) return;
        for (std::size_t i = 0; i < n_; ++i) {
            const double e = std::exp(static_cast<double>(x_[i]));
            p_[i] = on_("not-normalised") ? e : e / total;
            log_p_[i] = std::log(p_[i]);
        }
    }

    void bound_weights() {
        const real common = std::fabs(max_) + std::fabs(lse_), n = static_cast<real>(n_), u = unit;
        Reals t;
        real mean = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            t.push_back(u * (3 * std::fabs(x_[i] - max_) + common + c_ * std::fabs(x_[i]) + 8));
            mean += p_[i] * t[i];
        }
        for (std::size_t i = 0; i < n_; ++i) E_.push_back(p_[i] * (t[i] + mean + u * (n + 3)) + n * 0x1p-1022L);
        for (std::size_t i = 0; i < n_; ++i) {
            result_.p.push_back(static_cast<double>(p_[i]));
            result_.p_bound.push_back(finite(E_[i]));
        }
    }

    /// What is taken off diag(p) at (i, j).
    real outer(std::size_t i, std::size_t j) const {
        if (on_("jacobian-without-outer")) return 0;
        if (on_("jacobian-elementwise") && i != j) return 0;
        real taken = p_[i] * p_[j];
        if (on_("p-for-outer", 0)) taken = p_[j];
        if (on_("p-for-outer", 1)) taken = p_[i];
        return on_("outer-added") ? -taken : taken;
    }

    real error_of_entry(std::size_t i, std::size_t j, real all_errors) const {
        const real u = unit;
        real error = E_[i] * p_[j] + p_[i] * E_[j] + 2 * u * p_[i] * p_[j];
        if (i == j) error = E_[i] + p_[i] * (all_errors - E_[i]) + u * static_cast<real>(n_ + 3) * p_[i];
        if (on_("p-for-outer")) error += E_[i] + E_[j];
        return error + 0x1p-1022L;
    }

    void differentiate() {
        real all_errors = 0;
        for (const real error : E_) all_errors += error;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) {
                const real diagonal = i == j && !on_("jacobian-without-diagonal") ? p_[i] : 0;
                const real entry = diagonal - outer(i, j);
                const real error = error_of_entry(i, j, all_errors);
                result_.jacobian.push_back(static_cast<double>(entry));
                result_.jacobian_bound.push_back(finite(error));
                norm_squared_ += entry * entry;
                jacobian_error_ += error * error;
            }
    }

    void measure() {
        const real u = unit, n = static_cast<real>(n_);
        const real norm = std::sqrt(norm_squared_);
        const real error = std::sqrt(jacobian_error_) + u * (n * n + 4) / 2 * norm + n * 0x1p-511L;
        result_.norm = static_cast<double>(norm);
        result_.norm_bound = finite(error);
        if (on_("norm-squared")) {
            result_.norm = static_cast<double>(norm_squared_);
            result_.norm_bound = finite(2 * norm * error + error * error);
        }
        find_entropy();
    }

    real summand(std::size_t i) const {
        static constexpr real epsilons[] = {1e-12L, 1e-10L, 1e-9L, 1e-8L};
        if (std::isnan(p_[i])) return on_("no-max-subtraction", 1) ? 0 : p_[i]; // form 1 asks `if (p > 0)` first
        if (const int form = on_.form("log-epsilon"); form >= 0) return -p_[i] * std::log(p_[i] + epsilons[form]);
        if (static_cast<double>(p_[i]) == 0) return on_("log-of-zero") ? nan : 0;
        return -p_[i] * log_p_[i];
    }

    void find_entropy() {
        const real u = unit, n = static_cast<real>(n_);
        real entropy = 0, error = 0, size = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            entropy += summand(i);
            const real logarithm = std::isfinite(log_p_[i]) ? std::fabs(log_p_[i]) : 0;
            error += E_[i] * (1 + logarithm + std::fabs(x_[i]));
            size += p_[i] * (logarithm + std::fabs(x_[i]));
        }
        error += u * (n + 4) * (size + std::fabs(lse_));
        if (on_("entropy-in-bits")) {
            entropy /= std::log(2.0L);
            error /= std::log(2.0L);
        }
        if (on_("entropy-sign")) entropy = -entropy;
        result_.entropy = static_cast<double>(entropy);
        result_.entropy_bound = finite(error);
    }
};

} // namespace

Weights softmax(const std::vector<long double>& x, double logit_roundings, const Slips& on) {
    return Softmax(x, logit_roundings, on).run();
}

} // namespace assay::attention_scaling_judge
