// The way back through one head's softmax: P, dP = dout vᵀ, delta = rowsum(P ∘ dP), dS = P ∘ (dP - delta).
//
// Where the bounds come from (first order, worst case, factor 1; u = 2^-24, n keys, s logits, m their maximum):
//   weights   theta_j of the forward pass (oracle_row.cpp), and now its mean sum p theta as well, which normalising no
//             longer takes out of the output by itself; kappa = u (n + 4 + |m| + |lse|) for the sum, the division and a
//             log-sum-exp that is rounded (one key: lse is m to the bit, as in the forward pass). Together p_j is off
//             by E_j = p_j (theta_j + mean theta + kappa);
//   dP        a dot product of Dv terms: u (Dv + 1) b_j with b_j = sum |dout v_j|, as it meets p_j;
//   delta     sum p_j dP_j, or dout·out, which is the same number: the weights' errors weigh |dP_j - delta| alone,
//   since
//             what all share moves delta and every dP_j - delta together (kappa does not: out may be of another pass);
//             the sums lose (u (Dv + n + 4) + kappa) sum p b;
//   dS        p_j (dP_j - delta): E_j |dP_j - delta|, 3 u for the difference and the product, and the errors of dP_j
//             and delta times p_j.
// Numbers below 2^-126 may be flushed, each weight and each product by itself. TOLERANCES' 1e-36 pays for that while
// the inputs are small; the term here grows with what the flushed number is multiplied by (a scale of 3000 passes
// 1e-36).
#include "oracle_gradients.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sdpa_judge {

namespace {

constexpr double u = unit_roundoff;
constexpr double exp_overflows = 88.7228;  // log of the largest float
constexpr double exp_vanishes = -103.9721; // log of half the smallest subnormal float

/// p (exp(x) - 1), from log p too where p itself may have underflowed.
double strayed(double p, double log_p, double x) { return x < 1 ? p * std::expm1(x) : std::exp(log_p + x) - p; }

/// What is subtracted from dP before it meets p, and its error.
struct Centre {
    double value = 0, error = 0;
};

class Filler {
  public:
    Filler(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, const Head& head, Jacobian& to)
        : in_(in), as_(as), head_(head), to_(to), Lk_(in.Lk), v_(values_of(in, as, b, h)),
          dout_(in.dout.data() + (b * in.Hq + h) * in.Lq * in.Dv) {
        const std::size_t size = in.Lq * in.Lk;
        to_.used = head.may;
        for (std::vector<double>* one : {&to_.p, &to_.p_error, &to_.ds, &to_.ds_error}) one->assign(size, 0.0);
        to_.keys.assign(in.Lq, 0.0);
        to_.undefined = false;
        dp_.assign(size, 0.0);
        size_.assign(size, 0.0);
        stray_.assign(size, 0.0);
        kappa_.assign(in.Lq, 0.0);
        sum_.assign(in.Lq, 1.0);
    }

    void run() {
        for (std::size_t i = 0; i < in_.Lq; ++i) {
            weigh(i);
            project(i);
        }
        if (as_.slip == Slip::weights_unnormalised && as_.variant) { // delta from a right output
            std::vector<Centre> right;
            for (std::size_t i = 0; i < in_.Lq; ++i) right.push_back(delta(i));
            for (std::size_t i = 0; i < in_.Lq; ++i) scale_weights(i);
            for (std::size_t i = 0; i < in_.Lq; ++i) differentiate(i, [&](std::size_t) { return right[i]; });
            return;
        }
        if (as_.slip == Slip::weights_unnormalised)
            for (std::size_t i = 0; i < in_.Lq; ++i) scale_weights(i);
        if (as_.slip == Slip::delta_over_queries) {
            std::vector<Centre> columns(Lk_);
            for (std::size_t j = 0; j < Lk_; ++j) columns[j] = column(j);
            for (std::size_t i = 0; i < in_.Lq; ++i) differentiate(i, [&](std::size_t j) { return columns[j]; });
            return;
        }
        for (std::size_t i = 0; i < in_.Lq; ++i) {
            const Centre centre = centre_of(i);
            differentiate(i, [&](std::size_t) { return centre; });
        }
    }

  private:
    template <class Each> void each(std::size_t i, Each each) const {
        for (std::size_t j = 0; j < Lk_; ++j)
            if (to_.used[i * Lk_ + j] != 0) each(i * Lk_ + j, j);
    }

    void weigh(std::size_t i) {
        double m = -infinity;
        each(i, [&](std::size_t at, std::size_t) { m = std::max(m, head_.s[at]); });
        if (m == -infinity) return weigh_nothing(i);
        double sum = 0, n = 0;
        each(i, [&](std::size_t at, std::size_t) {
            sum += to_.p[at] = std::exp(head_.s[at] - m);
            n += 1;
        });
        to_.keys[i] = n;
        sum_[i] = sum;
        const bool shifted = as_.slip == Slip::no_max_subtraction; // by 0, not by the maximum
        if (shifted && (m + std::log(sum) > exp_overflows || m < exp_vanishes)) return weigh_out_of_range(i, m);

        const double lse = m + std::log(sum);
        const double alone = u * std::fabs(m) <= 0.125 ? std::fabs(m) : 0.0;
        kappa_[i] = u * (n + 4 + (n == 1 ? alone : std::fabs(m) + std::fabs(lse)));
        double mean = 0;
        each(i, [&](std::size_t at, std::size_t) {
            const double below = head_.s[at] - m;
            const double x = u * (head_.e[at] + 3 * (std::fabs(below) + (shifted ? std::fabs(m) : 0.0)) + 8);
            stray_[at] = strayed(to_.p[at], below, x) / sum;
            to_.p[at] /= sum;
            mean += stray_[at];
        });
        // weights among the subnormals are off by up to 2^-149, against a sum that may be as small
        const double lost = shifted ? (n + 2) * std::exp(-149 * std::log(2.0) - m) / sum : 0.0;
        each(i, [&](std::size_t at, std::size_t) {
            stray_[at] += to_.p[at] * mean + flushed + lost;
            to_.p_error[at] = stray_[at] + to_.p[at] * kappa_[i];
        });
    }

    /// A row that may attend nothing, as the mistakes see it; right, it has no pairs at all.
    void weigh_nothing(std::size_t i) {
        const bool nan = as_.slip == Slip::empty_row_nan;
        if (!nan && as_.slip != Slip::empty_row_uniform) return;
        to_.keys[i] = static_cast<double>(Lk_);
        for (std::size_t j = 0; j < Lk_; ++j) {
            const std::size_t at = i * Lk_ + j;
            to_.used[at] = 1;
            to_.p[at] = nan ? not_a_number : 1 / static_cast<double>(Lk_);
            if (nan && as_.variant) to_.p[at] = 0; // the weights were guarded, what comes of them was not
            stray_[at] = to_.p_error[at] = nan ? 0 : u * (static_cast<double>(Lk_) + 8) * to_.p[at];
        }
    }

    /// exp(s) is infinite, or every one of them 0. As a quotient it is inf/inf = NaN or finite/inf = 0, and 0/0; as
    /// exp(s - log(sum)) it is exp(-inf) = 0 where the sum overflows, and infinite where it is 0.
    void weigh_out_of_range(std::size_t i, double m) {
        const bool vanished = m < exp_vanishes;
        if (vanished && as_.guard == Guard::log) to_.undefined = true;
        each(i, [&](std::size_t at, std::size_t) {
            const bool nan = as_.guard != Guard::log && (vanished || head_.s[at] > exp_overflows);
            to_.p[at] = nan && !(vanished && as_.guard == Guard::zero) ? not_a_number : 0;
        });
    }

    /// dP and b.
    void project(std::size_t i) {
        each(i, [&](std::size_t at, std::size_t j) {
            for (std::size_t d = 0; d < in_.Dv; ++d) {
                const double product = dout_[i * in_.Dv + d] * v_[j * in_.Dv + d];
                dp_[at] += product;
                size_[at] += std::fabs(product);
            }
        });
    }

    void scale_weights(std::size_t i) {
        each(i, [&](std::size_t at, std::size_t) {
            for (double* one : {&to_.p[at], &stray_[at], &to_.p_error[at]}) *one *= sum_[i];
        });
    }

    Centre delta(std::size_t i) const {
        Centre sum;
        double size = 0;
        each(i, [&](std::size_t at, std::size_t) {
            sum.value += to_.p[at] * dp_[at];
            size += to_.p[at] * size_[at];
        });
        const bool unnormalised = as_.slip == Slip::weights_unnormalised && !as_.variant;
        each(i, [&](std::size_t at, std::size_t) {
            sum.error += stray_[at] * std::fabs(unnormalised ? dp_[at] : dp_[at] - sum.value);
        });
        const double n = to_.keys[i];
        sum.error += (u * (static_cast<double>(in_.Dv) + n + 4) + kappa_[i]) * size + n * flushed;
        return sum;
    }

    Centre column(std::size_t j) const {
        Centre sum;
        double size = 0;
        for (std::size_t i = 0; i < in_.Lq; ++i) {
            const std::size_t at = i * Lk_ + j;
            if (to_.used[at] == 0) continue;
            sum.value += to_.p[at] * dp_[at];
            sum.error += to_.p_error[at] * std::fabs(dp_[at]) + flushed;
            size += to_.p[at] * size_[at];
        }
        sum.error += u * static_cast<double>(in_.Dv + in_.Lq + 4) * size;
        return sum;
    }

    Centre centre_of(std::size_t i) const {
        Centre plain;
        double size = 0;
        switch (as_.slip) {
        case Slip::delta_missing:
        case Slip::jacobian_diagonal: return {};
        case Slip::delta_unweighted: break;
        case Slip::jacobian_sign: {
            Centre turned = delta(i);
            if (as_.variant) turned.value = -turned.value;
            return turned;
        }
        default: return delta(i);
        }
        each(i, [&](std::size_t at, std::size_t) {
            plain.value += dp_[at];
            size += size_[at];
        });
        const double n = to_.keys[i];
        plain.error = u * (static_cast<double>(in_.Dv) + n + 4) * size;
        if (as_.variant && n > 0) return {plain.value / n, plain.error / n};
        return plain;
    }

    template <class CentreOf> void differentiate(std::size_t i, CentreOf centre_at) {
        const bool only_values = as_.slip == Slip::empty_row_uniform && as_.variant;
        each(i, [&](std::size_t at, std::size_t j) {
            if (head_.may[at] == 0 && only_values) return; // masked scores get no gradient: dv alone is wrong
            if (head_.may[at] == 0 && as_.slip == Slip::empty_row_nan) {
                to_.ds[at] = not_a_number;
                return;
            }
            const Centre centre = centre_at(j);
            const double p = to_.p[at], apart = std::fabs(dp_[at] - centre.value);
            const double of_dp = u * static_cast<double>(in_.Dv + 1) * size_[at];
            to_.ds[at] = p * (dp_[at] - centre.value);
            to_.ds_error[at] = to_.p_error[at] * apart + p * (3 * u * apart + of_dp + centre.error) + 2 * flushed;
            if (as_.slip == Slip::jacobian_sign && !as_.variant) to_.ds[at] = -to_.ds[at];
            if (as_.slip == Slip::jacobian_diagonal) {
                to_.ds[at] *= 1 - p;
                to_.ds_error[at] += 4 * u * p * apart;
            }
        });
    }

    const Inputs& in_;
    const Switch& as_;
    const Head& head_;
    Jacobian& to_;
    std::size_t Lk_;
    const double* v_;                       // (Lk, Dv)
    const double* dout_;                    // (Lq, Dv)
    std::vector<double> dp_, size_, stray_; // dP; b; the weights' errors but for kappa
    std::vector<double> kappa_, sum_;       // (Lq)
};

} // namespace

void fill_jacobian(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, Head& head, Jacobian& to) {
    fill_head(in, as, b, h, head);
    Filler(in, as, b, h, head, to).run();
}

} // namespace assay::sdpa_judge
