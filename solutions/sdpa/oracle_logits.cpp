// Logits of one query head, and who may attend whom, right or with a mistake in scale, indices, masks or bias.
#include "oracle_rows.hpp"

#include <cmath>
#include <cstdlib>

namespace assay::sdpa_judge {

namespace {

bool masked_in(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
    const auto& extents = in.mask_extents;
    switch (as.slip) {
    case Slip::mask_ignored: return true;
    case Slip::mask_inverted: return !in.mask_at(b, h, i, j);
    case Slip::mask_batch_as_head: return in.mask_at(h, b, i, j);
    case Slip::mask_key_as_query: {
        const bool one_row = extents[2] == 1 && extents[3] > 1;
        const bool one_column = extents[3] == 1 && extents[2] > 1;
        return as.variant || one_row || one_column ? in.mask_at(b, h, j, i) : in.mask_at(b, h, i, j);
    }
    default: return in.mask_at(b, h, i, j);
    }
}

bool causal_in(const Inputs& in, const Switch& as, std::int64_t i, std::int64_t j) {
    const std::int64_t last = i + static_cast<std::int64_t>(in.Lk) - static_cast<std::int64_t>(in.Lq);
    switch (as.slip) {
    case Slip::causal_ignored: return true;
    case Slip::causal_top_left: return j <= i;
    case Slip::causal_strict: return j < last;
    default: return j <= last;
    }
}

bool may_attend(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
    const bool mask = !in.has_mask || masked_in(in, as, b, h, i, j);
    const bool causal = !in.causal || causal_in(in, as, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
    if (as.slip == Slip::mask_or_causal && in.causal && (in.has_mask || as.variant)) return mask || causal;
    return mask && causal;
}

bool looks_at_masked(Slip slip) {
    return slip == Slip::sentinel || slip == Slip::mask_after_softmax || slip == Slip::max_over_masked ||
           slip == Slip::masked_nan_leaks;
}

/// q·k summed in a 16-bit type: after each product, or (variant) the products rounded as well.
double narrow_dot(const double* q, const double* k, std::size_t D, std::size_t step, Dtype type, bool variant) {
    float sum = 0;
    for (std::size_t d = 0; d < D; ++d) {
        float product = static_cast<float>(q[d]) * static_cast<float>(k[d * step]);
        if (variant) product = narrowed(type, product);
        sum = narrowed(type, sum + product);
    }
    return static_cast<double>(sum);
}

} // namespace

double logit_factor(const Inputs& in, const Switch& as) {
    const double head = in.default_scale();
    const double given = in.scale.value_or(head);
    switch (as.slip) {
    case Slip::scale_missing: return as.variant ? in.scale.value_or(1.0) : 1.0;
    case Slip::scale_by_d: return in.scale.value_or(1.0 / static_cast<double>(in.D));
    case Slip::scale_by_model_width: return in.scale.value_or(1.0 / std::sqrt(static_cast<double>(in.Hq * in.D)));
    case Slip::scale_twice: return given * given;
    case Slip::scale_argument_ignored: return head;
    default: return given;
    }
}

std::size_t kv_head_of(const Inputs& in, const Switch& as, std::size_t h) {
    return as.slip == Slip::gqa_tiled ? h % in.Hkv : h / (in.Hq / in.Hkv);
}

const double* values_of(const Inputs& in, const Switch& as, std::size_t b, std::size_t h) {
    return in.v.data() + (b * in.Hkv + kv_head_of(in, as, h)) * in.Lk * in.Dv;
}

void fill_head(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, Head& head) {
    const std::size_t Lq = in.Lq, Lk = in.Lk, D = in.D;
    head.s.assign(Lq * Lk, 0.0);
    head.e.assign(Lq * Lk, 0.0);
    head.may.assign(Lq * Lk, 0);
    const double factor = logit_factor(in, as);
    const double* keys = in.k.data() + (b * in.Hkv + kv_head_of(in, as, h)) * Lk * D;
    const bool transposed = as.slip == Slip::k_not_transposed;
    const std::size_t step = transposed ? Lk : 1;
    const bool all = looks_at_masked(as.slip);
    const auto width = static_cast<double>(D + 4);

    for (std::size_t i = 0; i < Lq; ++i) {
        const double* query = in.q.data() + ((b * in.Hq + h) * Lq + i) * D;
        for (std::size_t j = 0; j < Lk; ++j) {
            bool may = may_attend(in, as, b, h, i, j);
            double distance = 0;
            if (in.route == Route::biased) {
                const std::size_t shift = as.slip == Slip::alibi_top_left ? 0 : Lk;
                const std::size_t back = as.slip == Slip::alibi_top_left ? 0 : Lq;
                distance = std::fabs(static_cast<double>(i + shift) - static_cast<double>(j + back));
                const auto window = static_cast<double>(in.window);
                if (in.window > 0 && as.slip != Slip::window_ignored)
                    may = may && (as.slip == Slip::window_off_by_one ? distance <= window : distance < window);
            }
            head.may[i * Lk + j] = may ? 1 : 0;
            if (!may && !all) continue;

            const double* key = keys + (transposed ? j : j * D);
            double dot = 0;
            double size = 0;
            for (std::size_t d = 0; d < D; ++d) {
                const double product = query[d] * key[d * step];
                dot += product;
                size += std::fabs(product);
            }
            if (as.slip == Slip::half_scores) dot = narrow_dot(query, key, D, step, in.storage_dtype(), as.variant);
            double logit = factor * dot;
            double error = width * std::fabs(factor) * size;
            if (in.route == Route::biased) {
                double bias = in.slopes[h] * distance;
                if (as.slip == Slip::alibi_scaled) bias *= factor;
                logit += as.slip == Slip::alibi_sign ? bias : -bias;
                // the product with the slope, the difference, and twice log2 e where exp2 is used
                error += 4 * std::fabs(bias);
            }
            head.s[i * Lk + j] = logit;
            head.e[i * Lk + j] = error;
        }
    }
}

} // namespace assay::sdpa_judge
