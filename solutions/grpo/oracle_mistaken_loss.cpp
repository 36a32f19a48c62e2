// The loss with mistakes in it, token by token: ratio, clip, KL.
#include "core/tape.hpp"
#include "oracle_mistaken.hpp"
#include "oracle_mistaken_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::grpo_judge {

namespace {

/// What a number made by exp(d) may be off by.
double stray_of(double size, double d) { return finite(4 * u * size * (3 * std::fabs(d) + 8)); }

class Mistaken {
  public:
    Mistaken(const Tokens& tokens, const LossRule& rule, const Slips& on)
        : in_(tokens), rule_(rule),
          on_(on), parts_{tokens.N, tokens.T, counted(), std::vector<Part>(tokens.mask.size())} {
        for (const double lp : in_.lp_new) leaves_.push_back(tape_.leaf(lp));
    }

    LossAnswer run() {
        for (std::size_t i = 0; i < parts_.token.size(); ++i) ratios(i);
        if (on_("sequence-ratio")) share_ratios();
        for (std::size_t i = 0; i < parts_.token.size(); ++i) finish(i);
        LossAnswer answer{Bounded(parts_.token.size()), Bounded(parts_.token.size()), 0, 0};
        for (std::size_t i = 0; i < parts_.token.size(); ++i) {
            const double term = objective_of(parts_, i, on_).value();
            answer.terms.value[i] = is_term(parts_, i, on_) ? term : 0;
            answer.terms.bound[i] = is_term(parts_, i, on_) && std::isfinite(term) ? parts_.token[i].error : 0;
        }
        Sum loss = aggregate(parts_, rule_, on_);
        loss.scale(on_("sign") ? 1 : -1);
        if (on_("gradient-lost")) loss.value = loss.value.detach();
        tape_.run_backward(loss.value);
        answer.loss = loss.value.value();
        const auto additions = static_cast<double>(parts_.token.size() + in_.N + in_.T);
        answer.loss_bound = std::isfinite(answer.loss) ? finite(loss.error + 4 * u * (additions + 8) * loss.size) : 0;
        for (std::size_t i = 0; i < parts_.token.size(); ++i) {
            const double slope = tape_.gradient(leaves_[i]);
            answer.gradient.value[i] = slope;
            answer.gradient.bound[i] = std::isfinite(slope) ? parts_.token[i].error + 64 * u * std::fabs(slope) : 0;
        }
        return answer;
    }

  private:
    const Tokens& in_;
    const LossRule& rule_;
    const Slips& on_;
    Parts parts_;
    std::vector<Var> leaves_;
    Tape tape_;

    std::vector<char> counted() const {
        std::vector<char> mask = in_.mask;
        if (on_("padding-unmasked")) std::fill(mask.begin(), mask.end(), 1);
        if (on_("mask-inverted"))
            for (char& m : mask) m = m == 0 ? 1 : 0;
        const int form = on_.form("mask-as-prefix");
        for (std::size_t n = 0; n < in_.N && form >= 0; ++n) {
            const auto row = mask.begin() + static_cast<std::ptrdiff_t>(n * in_.T);
            std::ptrdiff_t length = 0;
            for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(in_.T); ++t)
                if (row[t] != 0) length = form == 0 ? length + 1 : t + 1; // as many as there are; up to the last one
            for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(in_.T); ++t) row[t] = t < length ? 1 : 0;
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
        Part& token = parts_.token[i];
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
            for (std::size_t i = parts_.first_of(n); i < parts_.first_of(n + 1); ++i) {
                if (parts_.mask[i] == 0) continue;
                sum += on_("sequence-ratio", 0) ? log(parts_.token[i].ratio) : parts_.token[i].ratio;
                count += 1;
            }
            for (std::size_t i = parts_.first_of(n); i < parts_.first_of(n + 1); ++i) {
                if (parts_.mask[i] == 0) continue;
                parts_.token[i].ratio = on_("sequence-ratio", 0) ? exp(sum / count) : sum / count;
                if (!on_("log-clipped")) parts_.token[i].in_clip = parts_.token[i].ratio;
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
        Part& token = parts_.token[i];
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
        const double weight = std::fmax(1, finite(std::fabs(r.value())));
        token.kl = kl(i, token);
        if (on_("kl-weighted-by-ratio") && has_kl()) token.kl *= r;
        if (on_("kl-weighted-by-ratio") || on_("kl-in-advantage")) token.size *= weight, token.error *= weight;
        if (on_("kl-in-advantage")) { // a reward a token
            const double own = A - token.kl.value();
            token.policy = min(r * own, c * own);
            token.kl = 0;
        }
    }

    bool has_kl() const {
        const bool asked = rule_.beta != 0 || on_("beta-zero-multiplied");
        return !in_.lp_ref.empty() && asked && !on_("kl-forgotten");
    }

    Var kl(std::size_t i, Part& token) const {
        const double beta = on_("beta-ignored") ? 1 : rule_.beta;
        if (!has_kl()) return 0;
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
};

} // namespace

LossAnswer mistaken_loss(const Tokens& tokens, const LossRule& rule, const Slips& on) {
    return Mistaken(tokens, rule, on).run();
}

} // namespace assay::grpo_judge
