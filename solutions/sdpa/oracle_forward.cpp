// The oracle: reads a problem, computes every row right or with one mistake switched on, and bounds every element.
#include "oracle.hpp"
#include "oracle_gradients.hpp"
#include "oracle_rows.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sdpa_judge {

namespace {

/// What rounding the result to the output's own type may add.
Allowance allowance_of(const Inputs& in) {
    Allowance allowance;
    if (in.output_dtype() == Dtype::f16) {
        allowance.out = 0x1p-11;
        allowance.out_least = 0x1p-25;
    }
    if (in.output_dtype() == Dtype::bf16) allowance.out = 0x1p-8;
    return allowance;
}

/// Largest logit that any row of the head may attend, for max_over_everything.
double largest_logit(const Head& head) {
    double m = -infinity;
    for (std::size_t at = 0; at < head.s.size(); ++at)
        if (head.may[at] != 0) m = std::max(m, head.s[at]);
    return m;
}

class Forward {
  public:
    Forward(const Inputs& in, const Switch& as, const Blocking& blocks)
        : in_(in), as_(as), blocks_(blocks), allowance_(allowance_of(in)) {
        if (in.route == Route::stream)
            allowance_.rescales = static_cast<double>(blocks.lengths.size() + (blocks.merges ? 1 : 0));
    }

    Truth run() {
        const std::size_t rows = in_.B * in_.Hq * in_.Lq;
        truth_.value.assign(rows * in_.Dv, 0.0);
        truth_.bound.assign(rows * in_.Dv, 0.0);
        if (as_.slip == Slip::max_over_everything && as_.variant)
            for (std::size_t b = 0; b < in_.B; ++b)
                for (std::size_t h = 0; h < in_.Hq; ++h) {
                    fill_head(in_, as_, b, h, head_);
                    everything_ = std::max(everything_, largest_logit(head_));
                }
        for (std::size_t b = 0; b < in_.B; ++b)
            for (std::size_t h = 0; h < in_.Hq; ++h) run_head(b, h);
        change_outputs(in_, as_, allowance_, truth_);
        return std::move(truth_);
    }

  private:
    Target target(std::size_t b, std::size_t h, std::size_t i) {
        const std::size_t at = ((b * in_.Hq + h) * in_.Lq + i) * in_.Dv;
        return {truth_.value.data() + at, truth_.bound.data() + at, in_.Dv};
    }

    void run_head(std::size_t b, std::size_t h) {
        fill_head(in_, as_, b, h, head_);
        const double* v = values_of(in_, as_, b, h);
        if (as_.slip == Slip::softmax_over_queries) {
            if (in_.Lq > 0) rows_over_queries(in_, head_, v, allowance_, target(b, h, 0));
            return;
        }
        if (as_.slip == Slip::max_over_queries) shift_by_queries();
        if (as_.slip == Slip::max_over_everything && !as_.variant) everything_ = largest_logit(head_);
        for (std::size_t i = 0; i < in_.Lq; ++i) run_row(i, v, target(b, h, i));
    }

    /// Each key's logits relative to the largest over the queries that may attend it.
    void shift_by_queries() {
        for (std::size_t j = 0; j < in_.Lk; ++j) {
            std::size_t top = in_.Lq;
            for (std::size_t i = 0; i < in_.Lq; ++i)
                if (head_.may[i * in_.Lk + j] != 0 &&
                    (top == in_.Lq || head_.s[i * in_.Lk + j] > head_.s[top * in_.Lk + j]))
                    top = i;
            if (top == in_.Lq) continue;
            const double m = head_.s[top * in_.Lk + j];
            const double error = head_.e[top * in_.Lk + j];
            for (std::size_t i = 0; i < in_.Lq; ++i) {
                head_.s[i * in_.Lk + j] -= m;
                head_.e[i * in_.Lk + j] += error;
            }
        }
    }

    void gather(std::size_t i, std::size_t keys) {
        row_.clear();
        for (std::size_t j = 0; j < keys; ++j)
            if (head_.may[i * in_.Lk + j] != 0) row_.add(head_.s[i * in_.Lk + j], head_.e[i * in_.Lk + j], j);
    }

    void exact(const double* v, const Target& to) { softmax_row(row_, v, to.Dv, allowance_, to.value, to.bound); }

    void shifted(double by, const double* v, const Target& to) {
        for (double& s : row_.s) s -= by;
        shifted_row(row_, v, as_.guard, allowance_, to);
    }

    void run_row(std::size_t i, const double* v, const Target& to) {
        const bool whole_blocks = as_.slip == Slip::partial_block_dropped;
        gather(i, whole_blocks ? in_.Lk / as_.block * as_.block : in_.Lk);
        switch (as_.slip) {
        case Slip::no_max_subtraction:
        case Slip::max_over_queries: return shifted(0, v, to);
        case Slip::max_over_everything: return shifted(everything_, v, to);
        case Slip::max_from_zero: return shifted(std::max(0.0, largest_of(row_.s)), v, to);
        case Slip::max_over_masked: return shifted(largest_in_row(i), v, to);
        case Slip::mask_after_softmax: return silence_masked(i, v, to);
        case Slip::sentinel: return sentinel_row(i, v, to);
        case Slip::empty_row_nan:
        case Slip::empty_row_uniform: return row_.s.empty() ? empty_row(v, to) : exact(v, to);
        case Slip::half_sums: return half_sums_row(row_, v, in_.storage_dtype(), as_, allowance_, to);
        case Slip::half_weights: return half_weights_row(row_, v, in_.storage_dtype(), as_, allowance_, to);
        case Slip::masked_nan_leaks: exact(v, to); return leak(i, v, to);
        case Slip::rescale_forgotten:
        case Slip::rescale_inverted:
        case Slip::first_block_masked_nan:
        case Slip::merge_forgets_rescale:
        case Slip::merge_empty_nan:
        case Slip::merge_overwrites:
        case Slip::finish_undivided:
            return blockwise_row(row_, as_.block == 0 ? blocks_ : equal_blocks(in_.Lk, as_.block), v, as_, allowance_,
                                 to);
        default: return exact(v, to);
        }
    }

    static double largest_of(const std::vector<double>& s) {
        return s.empty() ? -infinity : *std::max_element(s.begin(), s.end());
    }

    double largest_in_row(std::size_t i) const {
        const auto from = head_.s.begin() + static_cast<std::ptrdiff_t>(i * in_.Lk);
        return in_.Lk == 0 ? 0 : *std::max_element(from, from + static_cast<std::ptrdiff_t>(in_.Lk));
    }

    void silence_masked(std::size_t i, const double* v, const Target& to) {
        if (row_.s.empty()) return to.fill(0);
        row_.clear();
        for (std::size_t j = 0; j < in_.Lk; ++j) {
            row_.add(head_.s[i * in_.Lk + j], head_.e[i * in_.Lk + j], j);
            row_.silent.push_back(head_.may[i * in_.Lk + j] != 0 ? 0 : 1);
        }
        exact(v, to);
    }

    /// A constant logit carries no rounding error, and an attempt that subtracts the maximum is exact where all are
    /// that constant, so the log-sum-exp term is left out: at 1e9 it would match anything.
    void sentinel_row(std::size_t i, const double* v, const Target& to) {
        row_.clear();
        for (std::size_t j = 0; j < in_.Lk; ++j) {
            double s = head_.s[i * in_.Lk + j];
            double e = head_.e[i * in_.Lk + j];
            if (head_.may[i * in_.Lk + j] == 0) {
                s = as_.variant ? static_cast<double>(static_cast<float>(s + as_.sentinel)) : as_.sentinel;
                e = as_.variant ? e : 0;
            }
            row_.add(s, e, j);
        }
        Allowance allowance = allowance_;
        allowance.lse = 0;
        softmax_row(row_, v, to.Dv, allowance, to.value, to.bound);
    }

    void empty_row(const double* v, const Target& to) {
        if (as_.slip == Slip::empty_row_nan) return to.fill(not_a_number);
        if (in_.Lk == 0) return to.fill(as_.guard == Guard::nan ? not_a_number : 0.0);
        for (std::size_t j = 0; j < in_.Lk; ++j) row_.add(0, 0, j);
        exact(v, to);
    }

    void leak(std::size_t i, const double* v, const Target& to) {
        if (row_.s.empty()) return;
        for (std::size_t j = 0; j < in_.Lk; ++j) {
            if (head_.may[i * in_.Lk + j] != 0) continue;
            const double s = head_.s[i * in_.Lk + j];
            // -infinity is added to the score: NaN and +infinity stay NaN
            if (as_.part != Part::values && (std::isnan(s) || s == infinity)) return to.fill(not_a_number);
            if (as_.part == Part::denominator) continue;
            for (std::size_t d = 0; d < to.Dv; ++d)
                if (!std::isfinite(v[j * to.Dv + d])) {
                    to.value[d] = not_a_number;
                    to.bound[d] = 0;
                }
        }
    }

    const Inputs& in_;
    const Switch& as_;
    const Blocking& blocks_;
    Allowance allowance_;
    Truth truth_;
    Head head_;
    Row row_;
    double everything_ = -infinity;
};

Reading reading_of(const Switch& as) {
    if (as.slip == Slip::strides_ignored)
        return as.variant ? Reading::contiguous_values_strided_mask : Reading::contiguous;
    if (as.slip == Slip::dout_strides_ignored)
        return as.variant ? Reading::dout_features_together : Reading::contiguous_dout;
    return as.slip == Slip::value_width_as_d ? Reading::value_rows_of_d : Reading::strided;
}

bool half_slip(Slip slip) {
    return slip == Slip::half_sums || slip == Slip::half_scores || slip == Slip::half_weights ||
           slip == Slip::half_early_rounding;
}

} // namespace

std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form) {
    const std::optional<Switch> as = find_switch(mistake, form);
    if (!as) return std::nullopt;
    const Route route = route_of(problem);
    if (as->slip != Slip::none && !as->applies(route)) return std::nullopt;
    const std::optional<Inputs> in = read_inputs(problem, reading_of(*as));
    if (!in) return std::nullopt;
    if (route == Route::backward) return gradients(problem, *in, *as);
    if (half_slip(as->slip) && in->storage_dtype() == Dtype::f32) return std::nullopt;
    if (as->slip == Slip::heads_merged_without_transpose && !in->out_contiguous) return std::nullopt;

    const Blocking blocks = route == Route::stream ? blocking(problem) : Blocking{};
    Truth truth = Forward(*in, *as, blocks).run();
    truth.name = "out";
    truth.dtype = in->output_dtype();
    truth.extents = problem.array("out").extents;
    return Truths{std::move(truth)};
}

} // namespace assay::sdpa_judge
