// One row's answer, in extended precision, with the bounds that a careful implementation keeps. u = unit roundoff.
//
// m the largest logit, S = sum exp(x - m), lse = m + ln S; of a group of n ids, L = its log-sum-exp of raw logits and
// l = L - lse. First order, worst case, factor 1:
//   ln S: an exponent is off by u|x - m|, weighted by softmax at most u ln V; exp and logarithm a few u; V - 1
//   additions in sequence u V. l: each log-probability is rounded at |l| and, by the way it was made, at |x - m|, |lse|
//   or |L|; a group's own maximum taken off it costs u ln n, its sum u n. So l is off by at most
//     E = u (4|l| + 2(|L - m| + |L| + |lse| + ln S) + n + 2 ln n + V + 2 ln V + 16)
//   p: the normaliser is one and the same number in both groups, so its error cancels, and V counts by its logarithm:
//     D = u (4(|l_y| + |l_n|) + 2(|L_y - m| + |L_n - m| + |L_y| + |L_n|) + n + 16 + 2 ln V),   n of both groups
//     bound p (1 - p) expm1(D) + 4 u p + 2 u p (|l_y| + |ln mass|) + 2^-126
//   The third term admits p = exp(l_y - ln mass), whose rounding does not vanish as p nears 1 as a sigmoid's does.
//   mass: sum of each group's probability times expm1(E), then u (6 + |ln mass|) mass, and n 2^-126 for what
//   underflows.
// A group that is banned as a whole has l = -infinity exactly, and p = 0 or 1.
#include "oracle.hpp"

#include <algorithm>

namespace assay::p_yes_judge {

namespace {

/// As it would be kept: too large is infinite, too small is 0.
real stored(real value, const Arithmetic& in) {
    if (value > in.largest) return infinity;
    return value < in.subnormal / 2 ? 0 : value;
}

struct Group {
    real log = 0;  // l, perhaps wrong
    real raw = 0;  // L
    real size = 0; // largest |l_j| that is finite
    real lost = 0; // error of subnormal terms, where somebody sums exponentials as they are
    real count = 0;
};

real log_sum(const std::vector<real>& x) {
    const real max = x.empty() ? -infinity : *std::max_element(x.begin(), x.end());
    if (!(std::fabs(max) < infinity)) return max;
    real sum = 0;
    for (const real one : x) sum += std::exp(one - max);
    return max + std::log(sum);
}

class Row {
  public:
    Row(const Vocabulary& vocabulary, std::int64_t size, const Arithmetic& in, const Slips& on)
        : vocabulary_(vocabulary), V_(static_cast<real>(size)), in_(in), on_(on), naive_(on.form("no-max")) {}

    Reading run(const std::vector<real>& yes, const std::vector<real>& no) {
        find_normaliser(yes, no);
        y_ = group_of(yes);
        n_ = group_of(no);
        if (on_("yes-no-swapped", 1)) std::swap(y_, n_);
        return {bounded_log(y_), bounded_log(n_), probability(), mass()};
    }

  private:
    const Vocabulary& vocabulary_;
    real V_;
    const Arithmetic& in_;
    const Slips& on_;
    int naive_;                                 // how the exponentials of raw logits are used; -1: they are not
    int from_zero_ = on_.form("max-from-zero"); // as mistakes() lists its forms
    real lse_ = 0, total_ = 0;
    Group y_, n_;

    void find_normaliser(const std::vector<real>& yes, const std::vector<real>& no) {
        lse_ = vocabulary_.max + vocabulary_.ln_sum;
        if (on_("softmax-over-labels")) {
            std::vector<real> both = yes;
            both.insert(both.end(), no.begin(), no.end());
            lse_ = log_sum(both);
        }
        total_ = stored(std::exp(lse_), in_);
        if (on_("raw-logits")) {
            lse_ = 0;
            total_ = 1;
        } else if (naive_ >= 0) {
            lse_ = std::log(total_);
        }
        if (from_zero_ >= 0 && vocabulary_.max < 0) lse_ = std::log(stored(std::exp(lse_), in_));
    }

    real log_probability(real x) const {
        if (naive_ == 1) return std::log(stored(std::exp(x), in_) / total_);
        if (from_zero_ == 3) return x; // the groups' sums are taken of raw logits
        if (x == -infinity && naive_ < 0) return x;
        return x - lse_;
    }

    Group group_of(std::vector<real> x) const {
        Group group;
        if (on_("first-id-only") && !x.empty()) x.resize(1);
        group.raw = log_sum(x);
        group.count = static_cast<real>(x.size());
        std::vector<real> l;
        for (const real one : x) {
            l.push_back(log_probability(one));
            if (std::isfinite(l.back())) group.size = std::max(group.size, std::fabs(l.back()));
        }
        group.log = from_zero_ >= 0 ? from_zero(l, group) : combined(l, group);
        if (on_("mean-of-probabilities") && !l.empty()) group.log -= std::log(group.count);
        return group;
    }

    /// A maximum that starts at 0 and never falls: exact unless all of a sum lies far below.
    real from_zero(const std::vector<real>& l, Group& group) const {
        if (l.empty()) return -infinity;
        const bool infinite = lse_ == -infinity; // log 0, taken off
        if ((from_zero_ == 0 || from_zero_ == 4) && infinite) return group.raw == -infinity ? nan : infinity;
        if (from_zero_ != 3 && infinite) return nan; // infinity - infinity
        if (from_zero_ < 2 || from_zero_ == 4) return log_sum(l);
        const real max = std::max<real>(0, *std::max_element(l.begin(), l.end()));
        real sum = 0;
        for (const real one : l) sum += stored(std::exp(one - max), in_);
        if (sum > 0 && sum < 1024 * static_cast<real>(in_.normal)) group.lost = group.count * in_.subnormal / sum;
        return max + std::log(sum) - (from_zero_ == 3 ? lse_ : 0);
    }

    real combined(const std::vector<real>& l, Group& group) const {
        static constexpr real epsilons[] = {1e-12L, 1e-10L, 1e-9L, 1e-8L};
        const int epsilon = on_.form("log-epsilon");
        if (l.empty()) return epsilon >= 0 ? std::log(epsilons[epsilon]) : -infinity;
        if (on_("best-id-only")) return *std::max_element(l.begin(), l.end());
        if (on_("mean-of-logs")) {
            real sum = 0;
            for (const real one : l) sum += one;
            return sum / group.count;
        }
        if (naive_ < 0 && epsilon < 0 && !on_("log-of-sum-of-exp")) {
            const real all = log_sum(l);
            return all == -infinity && on_("banned-group-nan") ? nan : all;
        }
        real sum = 0;
        for (const real one : l) sum += stored(std::exp(one), in_);
        if (sum > 0 && sum < 1024 * static_cast<real>(in_.normal)) group.lost = group.count * in_.subnormal / sum;
        return std::log(sum + (epsilon >= 0 ? epsilons[epsilon] : 0));
    }

    real ln_V() const { return std::log(V_); }
    static real finite(real x) { return std::isfinite(x) ? std::fabs(x) : 0; }

    real error(const Group& group) const {
        const real ln_n = group.count > 0 ? std::log(group.count) : 0;
        const real common = finite(lse_) + finite(vocabulary_.ln_sum);
        return in_.unit * (4 * std::max(finite(group.log), group.size) +
                           2 * (finite(group.raw - vocabulary_.max) + finite(group.raw) + common) + group.count +
                           2 * ln_n + V_ + 2 * ln_V() + 16) +
               group.lost;
    }

    Bounded rounded(real value, real bound) const {
        const real kept = value > in_.largest ? infinity : value;
        return {static_cast<double>(kept),
                std::isfinite(kept) && std::isfinite(bound) ? static_cast<double>(bound) : 0};
    }

    Bounded bounded_log(const Group& group) const { return rounded(group.log, error(group)); }

    Bounded probability() const {
        const real u = in_.unit;
        if (on_("not-renormalised")) {
            const real p = std::exp(y_.log);
            return rounded(p, p * std::expm1(error(y_)) + 4 * u * p + in_.normal);
        }
        real z = y_.log - n_.log;
        if (from_zero_ == 0) z = y_.raw - n_.raw;
        if (on_("yes-no-swapped", 0)) z = -z;
        real p = 1 / (1 + std::exp(-z));
        if (on_("sigmoid-overflow") && stored(std::exp(z), in_) == infinity) p = nan;
        real quotient = 0; // what subnormal numbers lose of it
        if (const int form = on_.form("quotient-of-zeros"); form >= 0) {
            const real yes = stored(std::exp(y_.log), in_), sum = yes + stored(std::exp(n_.log), in_);
            p = sum > 0 ? yes / sum : form == 0 ? nan : form == 1 ? 0.5L : 0;
            if (sum > 0 && sum < 1024 * static_cast<real>(in_.normal)) quotient = 2 * in_.subnormal / sum;
        }
        const real ln_mass = log_sum({y_.log, n_.log});
        real rounding = u * p * (4 + 2 * (finite(y_.log) + finite(ln_mass)));
        if (on_("complement-taken")) {
            const real no = 1 / (1 + std::exp(z)), yes = std::exp(z);
            p = yes < u / 4 ? 0 : 1 - no; // below, no has rounded to 1
            rounding = p == 0 ? 0 : 4 * u;
        }
        const auto raw = [&](const Group& g) { return finite(g.raw - vocabulary_.max) + finite(g.raw); };
        const auto log = [&](const Group& g) { return std::max(finite(g.log), g.size); };
        const real D = u * (4 * (log(y_) + log(n_)) + 2 * (raw(y_) + raw(n_)) + y_.count + n_.count + 16 + 2 * ln_V()) +
                       y_.lost + n_.lost;
        const real spread = std::isfinite(z) ? std::exp(-std::fabs(z)) / std::pow(1 + std::exp(-std::fabs(z)), 2) : 0;
        return rounded(p, spread * std::expm1(D) + rounding + in_.normal + quotient);
    }

    Bounded mass() const {
        const real yes = std::exp(y_.log), no = on_("mass-of-yes") ? 0 : std::exp(n_.log);
        const real sum = yes + no, u = in_.unit;
        if (on_("mass-as-log")) {
            const real log = on_("mass-of-yes") ? y_.log : log_sum({y_.log, n_.log});
            return rounded(std::isnan(sum) ? nan : log, std::max(error(y_), error(n_)) + 8 * u * (1 + finite(log)));
        }
        const real log = sum > 0 ? finite(std::log(sum)) : 0;
        return rounded(sum, finite(yes) * std::expm1(error(y_)) + finite(no) * std::expm1(error(n_)) +
                                u * (6 + log) * finite(sum) + (y_.count + n_.count) * in_.normal);
    }
};

} // namespace

Reading read_row(const std::vector<real>& yes, const std::vector<real>& no, const Vocabulary& vocabulary,
                 std::int64_t size, const Arithmetic& in, const Slips& on) {
    return Row(vocabulary, size, in, on).run(yes, no);
}

} // namespace assay::p_yes_judge
