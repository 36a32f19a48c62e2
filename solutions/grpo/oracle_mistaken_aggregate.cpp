// The loss with mistakes in it, together: which terms are added up, and what they are divided by.
#include "oracle_mistaken_parts.hpp"

#include <algorithm>
#include <limits>

namespace assay::grpo_judge {

bool is_term(const Parts& parts, std::size_t i, const Slips& on) {
    return parts.mask[i] != 0 || on("mask-multiplied") || on("kl-outside-mask", 0);
}

Var objective_of(const Parts& parts, std::size_t i, const Slips& on) {
    const Part& token = parts.token[i];
    const Var all = token.policy - token.kl;
    if (parts.mask[i] != 0) return all;
    if (on("kl-outside-mask", 0)) return -token.kl;
    return on("mask-multiplied") ? all * 0.0 : Var(0);
}

namespace {

class Together {
  public:
    Together(const Parts& parts, const LossRule& rule, const Slips& on) : in_(parts), rule_(rule), on_(on) {}

    Sum whole() const {
        Sum sum;
        const std::size_t all = in_.token.size();
        if (how() == Aggregation::sequence_mean) {
            double sequences = 0;
            for (std::size_t n = 0; n < in_.N; ++n) {
                Sum one = sum_of(in_.first_of(n), in_.first_of(n + 1));
                const double count = count_of(in_.first_of(n), in_.first_of(n + 1), In::sequence);
                if (!on_("sum-for-mean")) divide(one, count, on_("empty-sequence-nan"));
                sum.add(one);
                sequences += count >= 1 || !on_("empty-sequence-not-counted") ? 1 : 0;
            }
            if (!on_("sum-for-mean", 1)) divide(sum, sequences, false);
        } else if (how() == Aggregation::token_mean) {
            sum = sum_of(0, all);
            if (!on_("sum-for-mean", 0) && !on_("sum-for-mean", 1))
                divide(sum, count_of(0, all, In::batch), on_("no-token-nan"));
        } else {
            for (std::size_t n = 0; n < in_.N; ++n) sum.add(sum_of(in_.first_of(n), in_.first_of(n + 1)));
            const auto N = static_cast<double>(on_("constant-without-sequences") ? 1 : in_.N);
            if (!on_("sum-for-mean", 0) && !on_("sum-for-mean", 1)) divide(sum, N * longest(), false);
        }
        if (on_("kl-outside-mask", 1)) {
            Sum kl;
            for (const Part& token : in_.token) kl.add({-token.kl, token.size, token.error});
            kl.scale(1 / static_cast<double>(all));
            sum.add(kl);
        }
        return sum;
    }

  private:
    const Parts& in_;
    const LossRule& rule_;
    const Slips& on_;

    /// What a token adds: to all, or to the policy's part alone.
    Sum part(std::size_t i) const {
        const Part& token = in_.token[i];
        const Var policy = in_.mask[i] != 0 ? token.policy : Var(0);
        return {on_("kl-outside-mask", 1) ? policy : objective_of(in_, i, on_), token.size, token.error};
    }

    /// Sum of a sequence's tokens, or the lesser of the sums of unclipped and clipped ones.
    Sum sum_of(std::size_t first, std::size_t end) const {
        Sum sum, unclipped, clipped;
        for (std::size_t i = first; i < end; ++i) {
            if (!is_term(in_, i, on_)) continue;
            const Sum one = part(i);
            sum.add(one);
            if (in_.mask[i] == 0) continue;
            unclipped.add({in_.token[i].unclipped - in_.token[i].kl, 0, 0});
            clipped.add({in_.token[i].clipped - in_.token[i].kl, 0, 0});
        }
        const bool by_sequence = how() == Aggregation::sequence_mean;
        if (on_("mean-before-min", 0) || (on_("mean-before-min", 1) && by_sequence))
            sum.value = min(unclipped.value, clipped.value);
        return sum;
    }

    enum class In { sequence = 1, batch = 2 };

    /// Whether a mistake is made in this mean: forms come in threes, in both, in the mean over a sequence, in the mean
    /// over the batch.
    bool applies(int form, In where) const {
        return form >= 0 && (form % 3 == 0 || form % 3 == static_cast<int>(where));
    }

    double count_of(std::size_t first, std::size_t end, In where) const {
        if (applies(on_.form("denominators-count-padding"), where)) return static_cast<double>(end - first);
        double count = 0;
        for (std::size_t i = first; i < end; ++i) count += in_.mask[i] != 0 ? 1 : 0;
        constexpr double added[] = {1e-8, 1e-6};
        const int form = on_.form("denominator-epsilon");
        return applies(form, where) ? count + added[form / 3] : count;
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
        for (std::size_t n = 0; n < in_.N; ++n)
            most = std::max(most, count_of(in_.first_of(n), in_.first_of(n + 1), In::sequence));
        return std::max(most, 1.0);
    }

    static void divide(Sum& sum, double count, bool nan_of_nothing) {
        if (count > 0 || nan_of_nothing)
            sum.scale(1 / count);
        else
            sum = {};
        if (count == 0 && nan_of_nothing) sum.value = std::numeric_limits<double>::quiet_NaN();
    }
};

} // namespace

Sum aggregate(const Parts& parts, const LossRule& rule, const Slips& on) { return Together(parts, rule, on).whole(); }

} // namespace assay::grpo_judge
