// The loss with mistakes in it, token by token and then together.
#include "core/tape.hpp"
#include "oracle_mistaken.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::grpo_judge {

namespace {

constexpr double u = 0x1p-53;

double finite(double bound) { return std::isfinite(bound) ? bound : 0; }

/// One number a token or sequence; the size of what it was made from, and what that may be off by. People compute
/// mistakes in more ways than right answers: four times what oracle_core.cpp allows those.
struct Sum {
    Var value;
    double size = 0, error = 0;

    void add(const Sum& one) {
        value += one.value;
        size += one.size;
        error += one.error;
    }
    void scale(double factor) {
        value *= factor;
        size *= std::fabs(factor);
        error *= std::fabs(factor);
    }
};

/// What a number made by exp(d) may be off by.
double stray_of(double size, double d) { return finite(4 * u * size * (3 * std::fabs(d) + 8)); }

class Mistaken {
  public:
    Mistaken(const Tokens& tokens, const LossRule& rule, const Slips& on)
        : in_(tokens), rule_(rule), on_(on), mask_(counted()), token_(tokens.mask.size()) {
        for (const double lp : in_.lp_new) leaves_.push_back(tape_.leaf(lp));
    }

    LossAnswer run() {
        for (std::size_t i = 0; i < token_.size(); ++i) ratios(i);
        if (on_("sequence-ratio")) share_ratios();
        for (std::size_t i = 0; i < token_.size(); ++i) finish(i);
        LossAnswer answer{Bounded(token_.size()), Bounded(token_.size()), 0, 0};
        for (std::size_t i = 0; i < token_.size(); ++i) {
            const double term = objective_of(i).value();
            answer.terms.value[i] = is_term(i) ? term : 0;
            answer.terms.bound[i] = is_term(i) && std::isfinite(term) ? token_[i].error : 0;
        }
        Sum loss = whole();
        loss.scale(on_("sign") ? 1 : -1);
        if (on_("gradient-lost")) loss.value = loss.value.detach();
        tape_.run_backward(loss.value);
        answer.loss = loss.value.value();
        const auto additions = static_cast<double>(token_.size() + in_.N + in_.T);
        answer.loss_bound = std::isfinite(answer.loss) ? finite(loss.error + 4 * u * (additions + 8) * loss.size) : 0;
        for (std::size_t i = 0; i < token_.size(); ++i) {
            const double slope = tape_.gradient(leaves_[i]);
            answer.gradient.value[i] = slope;
            answer.gradient.bound[i] = std::isfinite(slope) ? token_[i].error + 64 * u * std::fabs(slope) : 0;
        }
        return answer;
    }

  private:
    struct Token {
        Var ratio, in_clip, unclipped, clipped, policy, kl; // in_clip: what is clipped
        double d = 0, size = 0, error = 0;
    };

    const Tokens& in_;
    const LossRule& rule_;
    const Slips& on_;
    std::vector<char> mask_; // what is taken for the mask
    std::vector<Token> token_;
    std::vector<Var> leaves_;
    Tape tape_;

    std::size_t first_of(std::size_t n) const { return n * in_.T; }

    std::vector<char> counted() const {
        std::vector<char> mask = in_.mask;
        if (on_("padding-unmasked")) std::fill(mask.begin(), mask.end(), 1);
        if (on_("mask-inverted"))
            for (char& m : mask) m = m == 0;
        const int form = on_.form("mask-as-prefix");
        for (std::size_t n = 0; n < in_.N && form >= 0; ++n) {
            const auto row = mask.begin() + static_cast<std::ptrdiff_t>(first_of(n));
            std::ptrdiff_t length = 0;
            for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(in_.T); ++t)
                if (row[t] != 0) length = form == 0 ? length + 1 : t + 1; // as many as there are; up to the last one
            for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(in_.T); ++t) row[t] = t < length;
        }
        return mask;
    }

    Var old(std::size_t i) const {
        if (on_("ratio-from-reference") && !in_.lp_ref.empty()) return in_.lp_ref[i];
        if (on_("old-ignored")) return leaves_[i].detach();
        if (!in_.lp_old.empty()) return in_.lp_old[i];
        return on_("old-not-detached") ? leaves_[i] : leaves_[i].detach();
    }

    Var limited(const Var& x, int form) const {
        const bool off = on_("clamp-forgotten", form) || on_("clamp-forgotten", 2);
        return off ? x : clamp(x, -rule_.log_ratio_limit, rule_.log_ratio_limit);
    }

    void ratios(std::size_t i) {
        Token& token = token_[i];
        const Var& lp = leaves_[i];
        const Var d = on_("ratio-inverted") ? limited(old(i) - lp, 0) : limited(lp - old(i), 0);
        token.ratio = on_("exp-missing") ? d : exp(d);
        token.d = d.value();
        const double most = std::exp(rule_.log_ratio_limit);
        if (on_("quotient-of-probabilities")) token.ratio = exp(lp) / exp(old(i));
        if (on_("quotient-of-probabilities", 1)) token.ratio = clamp(token.ratio, 1 / most, most);
        token.in_clip = on_("log-clipped") ? d : token.ratio;
    }

    /// One ratio for all tokens of a sequence: the exponential of the mean log-ratio, or the mean of ratios.
    void share_ratios() {
        for (std::size_t n = 0; n < in_.N; ++n) {
            Var sum;
            double count = 0;
            for (std::size_t i = first_of(n); i < first_of(n + 1); ++i) {
                if (mask_[i] == 0) continue;
                sum += on_("sequence-ratio", 0) ? log(token_[i].ratio) : token_[i].ratio;
                count += 1;
            }
            for (std::size_t i = first_of(n); i < first_of(n + 1); ++i) {
                if (mask_[i] == 0) continue;
                token_[i].ratio = on_("sequence-ratio", 0) ? exp(sum / count) : sum / count;
                if (!on_("log-clipped")) token_[i].in_clip = token_[i].ratio;
            }
        }
    }

    Var clipped(const Var& r) const {
        double low = rule_.clip_low, high = rule_.clip_high;
        if (on_("clip-widths-swapped")) std::swap(low, high);
        if (on_("one-width", 0)) high = low;
        if (on_("one-width", 1)) low = high;
        constexpr double none = std::numeric_limits<double>::infinity();
        const double centre = on_("log-clipped") ? 0 : 1;
        const Var moved =
            clamp(r, on_("one-sided-clip", 0) ? -none : centre - low, on_("one-sided-clip", 1) ? none : centre + high);
        const Var result = on_("log-clipped") ? exp(moved) : moved;
        return on_("clip-detached") ? result.detach() : result;
    }

    void finish(std::size_t i) {
        Token& token = token_[i];
        const double A = in_.A(i);
        const Var r = on_("ratio-detached") ? token.ratio.detach() : token.ratio;
        const Var c = clipped(on_("ratio-detached") ? token.in_clip.detach() : token.in_clip);
        token.unclipped = r * A;
        token.clipped = c * A;
        token.policy = on_("policy-gradient")        ? leaves_[i] * A
                       : on_("clip-with-max")        ? max(token.unclipped, token.clipped)
                       : on_("min-before-advantage") ? min(r, c) * A
                       : on_("min-forgotten")        ? token.clipped
                       : on_("never-clipped")        ? token.unclipped
                                                     : min(token.unclipped, token.clipped);
        token.size = finite(std::fabs(token.unclipped.value()) + std::fabs(token.policy.value())) + 2 * std::fabs(A);
        token.error = stray_of(token.size, token.d);
        token.kl = kl(i, token);
    }

    Var kl(std::size_t i, Token& token) const {
        const double beta = on_("beta-ignored") ? 1 : rule_.beta;
        const bool asked = rule_.beta != 0 || on_("beta-zero-multiplied");
        if (in_.lp_ref.empty() || !asked || on_("kl-forgotten")) return 0;
        const Var from =
            on_("kl-from-old") ? (in_.lp_old.empty() ? leaves_[i].detach() : Var(in_.lp_old[i])) : Var(in_.lp_ref[i]);
        Var d = limited(from - leaves_[i], 1);
        if (on_("kl-detached")) d = d.detach();
        const Var s = on_("kl-swapped") ? -d : d, e = exp(s);
        const double size = finite(std::fabs(beta) * (e.value() + std::fabs(s.value()) + 1));
        token.size += size;
        token.error += stray_of(size, s.value());
        const Var k = on_("k1-for-k3")        ? -d
                      : on_("k2-for-k3")      ? s * s * 0.5
                      : on_("k3-without-one") ? e - s
                      : on_("k3-without-d")   ? e - 1
                                              : e - s - 1;
        return k * (on_("kl-sign") ? -beta : beta);
    }

    bool is_term(std::size_t i) const { return mask_[i] != 0 || on_("mask-multiplied") || on_("kl-outside-mask", 0); }

    Var objective_of(std::size_t i) const {
        const Token& token = token_[i];
        const Var all = token.policy - token.kl;
        if (mask_[i] != 0) return all;
        if (on_("kl-outside-mask", 0)) return -token.kl;
        return on_("mask-multiplied") ? all * 0.0 : Var(0);
    }

    /// What a token adds: to all, or to the policy's part alone.
    Sum part(std::size_t i) const {
        const Token& token = token_[i];
        const Var policy = mask_[i] != 0 ? token.policy : Var(0);
        return {on_("kl-outside-mask", 1) ? policy : objective_of(i), token.size, token.error};
    }

    /// Sum of a sequence's tokens, or the lesser of the sums of unclipped and clipped ones.
    Sum sum_of(std::size_t first, std::size_t end) const {
        Sum sum, unclipped, clipped;
        for (std::size_t i = first; i < end; ++i) {
            if (!is_term(i)) continue;
            const Sum one = part(i);
            sum.add(one);
            if (mask_[i] == 0) continue;
            unclipped.add({token_[i].unclipped - token_[i].kl, 0, 0});
            clipped.add({token_[i].clipped - token_[i].kl, 0, 0});
        }
        if (on_("mean-before-min")) sum.value = min(unclipped.value, clipped.value);
        return sum;
    }

    double count_of(std::size_t first, std::size_t end) const {
        if (on_("denominators-count-padding")) return static_cast<double>(end - first);
        double count = 0;
        for (std::size_t i = first; i < end; ++i) count += mask_[i] != 0 ? 1 : 0;
        constexpr double added[] = {1e-8, 1e-6};
        const int form = on_.form("denominator-epsilon");
        return form >= 0 ? count + added[form] : count;
    }

    Aggregation how() const {
        if (rule_.how == Aggregation::sequence_mean && on_("token-mean-for-sequence-mean"))
            return Aggregation::token_mean;
        if (rule_.how == Aggregation::token_mean && on_("sequence-mean-for-token-mean"))
            return Aggregation::sequence_mean;
        if (rule_.how == Aggregation::constant && on_("constant-as-own-length")) return Aggregation::sequence_mean;
        if (rule_.how == Aggregation::constant && on_("constant-as-token-mean")) return Aggregation::token_mean;
        return rule_.how;
    }

    double longest() const {
        if (on_("constant-as-width")) return static_cast<double>(in_.T);
        if (!on_("constant-as-longest-here")) return static_cast<double>(rule_.longest);
        double most = 0;
        for (std::size_t n = 0; n < in_.N; ++n) most = std::max(most, count_of(first_of(n), first_of(n + 1)));
        return std::max(most, 1.0);
    }

    static void divide(Sum& sum, double count, bool nan_of_nothing) {
        if (count > 0 || nan_of_nothing)
            sum.scale(1 / count);
        else
            sum = {};
        if (count == 0 && nan_of_nothing) sum.value = std::numeric_limits<double>::quiet_NaN();
    }

    Sum whole() const {
        Sum sum;
        const std::size_t all = token_.size();
        if (how() == Aggregation::sequence_mean) {
            double sequences = 0;
            for (std::size_t n = 0; n < in_.N; ++n) {
                Sum one = sum_of(first_of(n), first_of(n + 1));
                const double count = count_of(first_of(n), first_of(n + 1));
                if (!on_("sum-for-mean")) divide(one, count, on_("empty-sequence-nan"));
                sum.add(one);
                sequences += count >= 1 || !on_("empty-sequence-not-counted") ? 1 : 0;
            }
            if (!on_("sum-for-mean", 1)) divide(sum, sequences, false);
        } else if (how() == Aggregation::token_mean) {
            sum = sum_of(0, all);
            if (!on_("sum-for-mean")) divide(sum, count_of(0, all), on_("no-token-nan"));
        } else {
            for (std::size_t n = 0; n < in_.N; ++n) {
                sum.add(sum_of(first_of(n), first_of(n + 1)));
            }
            const auto N = static_cast<double>(on_("constant-without-sequences") ? 1 : in_.N);
            if (!on_("sum-for-mean")) divide(sum, N * longest(), false);
        }
        if (on_("kl-outside-mask", 1)) {
            Sum kl;
            for (const Token& token : token_) kl.add({-token.kl, token.size, token.error});
            kl.scale(1 / static_cast<double>(all));
            sum.add(kl);
        }
        return sum;
    }
};

} // namespace

LossAnswer mistaken_loss(const Tokens& tokens, const LossRule& rule, const Slips& on) {
    return Mistaken(tokens, rule, on).run();
}

} // namespace assay::grpo_judge
