// From every head's dS and P to dq = scale dS k, dk = scale dSᵀ q and dv = Pᵀ dout, summed over queries and groups.
//
// The bounds: each term of a sum brings what its dS or p may have lost, and a sum of N terms u (N + 4) of their sizes
// (u (N + 2) for dv, which is not scaled); N is n keys for dq, and for dk and dv the rows that attend the key, over all
// heads of the group. Flushed products and 1e-36 close the sum.
#include "oracle_gradients.hpp"

#include <cmath>

namespace assay::sdpa_judge {

namespace {

/// A sum in the making, element by element: its value, what its terms may have lost, and their sizes.
struct Sum {
    std::vector<double> value, error, size;

    explicit Sum(std::size_t elements) : value(elements), error(elements), size(elements) {}

    void add(std::size_t at, double weight, double weight_error, double x) {
        value[at] += weight * x;
        error[at] += weight_error * std::fabs(x);
        size[at] += std::fabs(weight * x);
    }
    void restart(std::size_t at) { value[at] = error[at] = size[at] = 0; }
};

class Gathering {
  public:
    Gathering(const Inputs& in, const Switch& as)
        : in_(in), as_(as), dq_(in.q.size()), dk_(in.k.size()), dv_(in.v.size()), keys_(in.B * in.Hq * in.Lq),
          rows_(in.B * in.Hkv * in.Lk) {}

    std::optional<Truths> run(const Problem& problem) {
        for (std::size_t b = 0; b < in_.B; ++b)
            for (std::size_t h = 0; h < in_.Hq; ++h) {
                fill_jacobian(in_, as_, b, h, head_, jacobian_);
                if (jacobian_.undefined) return std::nullopt;
                count(b, h);
                add_to_dq(b, h);
                add_to_keys(b, h, dk_, in_.D, in_.q, jacobian_.ds, jacobian_.ds_error, Of::dk);
                add_to_keys(b, h, dv_, in_.Dv, in_.dout, jacobian_.p, jacobian_.p_error, Of::dv);
            }
        const double group = static_cast<double>(in_.Hq / in_.Hkv);
        const double share = as_.slip == Slip::group_averaged ? 1 / group : 1;
        Truths truths;
        truths.push_back(finished(problem, "dq", dq_, keys_, in_.D, factor(Of::dq), 4));
        truths.push_back(finished(problem, "dk", dk_, rows_, in_.D, share * factor(Of::dk), 4));
        truths.push_back(finished(problem, "dv", dv_, rows_, in_.Dv, share, 2));
        if (as_.slip == Slip::dq_dk_swapped) {
            truths[0].value.swap(truths[1].value);
            truths[0].bound.swap(truths[1].bound);
        }
        return truths;
    }

  private:
    bool touches(Of one) const { return as_.of == Of::both || as_.of == one; }

    double factor(Of one) const {
        const double given = logit_factor(in_, as_);
        if (as_.slip == Slip::gradient_scale_missing && touches(one)) return 1;
        if (as_.slip == Slip::gradient_scale_twice && touches(one)) return given * given;
        return given;
    }

    std::size_t key_row(std::size_t b, std::size_t h) const { return (b * in_.Hkv + kv_head_of(in_, as_, h)) * in_.Lk; }

    void count(std::size_t b, std::size_t h) {
        for (std::size_t i = 0; i < in_.Lq; ++i) {
            keys_[(b * in_.Hq + h) * in_.Lq + i] = jacobian_.keys[i];
            for (std::size_t j = 0; j < in_.Lk; ++j)
                if (jacobian_.used[i * in_.Lk + j] != 0) rows_[key_row(b, h) + j] += 1;
        }
    }

    void add_to_dq(std::size_t b, std::size_t h) {
        for (std::size_t i = 0; i < in_.Lq; ++i)
            for (std::size_t j = 0; j < in_.Lk; ++j) {
                const std::size_t at = i * in_.Lk + j;
                if (jacobian_.used[at] == 0) continue;
                const std::size_t row = (b * in_.Hq + h) * in_.Lq + i;
                for (std::size_t d = 0; d < in_.D; ++d)
                    dq_.add(row * in_.D + d, jacobian_.ds[at], jacobian_.ds_error[at],
                            in_.k[(key_row(b, h) + j) * in_.D + d]);
            }
    }

    /// dk or dv: `to` (.., Lk, width) += weightᵀ from, `from` (.., Lq, width) of this head.
    void add_to_keys(std::size_t b, std::size_t h, Sum& to, std::size_t width, const std::vector<double>& from,
                     const std::vector<double>& weight, const std::vector<double>& error, Of which) {
        const std::size_t group = in_.Hq / in_.Hkv;
        if (as_.slip == Slip::group_not_summed && touches(which) && h % group != (as_.variant ? 0 : group - 1)) return;
        const bool transposed = as_.slip == Slip::weights_transposed && touches(which);
        for (std::size_t i = 0; i < in_.Lq; ++i)
            for (std::size_t j = 0; j < in_.Lk; ++j) {
                const std::size_t at = transposed ? j * in_.Lq + i : i * in_.Lk + j;
                if (jacobian_.used[at] == 0) continue;
                for (std::size_t d = 0; d < width; ++d) {
                    const std::size_t element = (key_row(b, h) + j) * width + d;
                    if (as_.slip == Slip::queries_not_summed) to.restart(element);
                    to.add(element, weight[at], error[at], from[((b * in_.Hq + h) * in_.Lq + i) * width + d]);
                }
            }
    }

    /// `terms`: how many each row of `width` elements sums over.
    Truth finished(const Problem& problem, const char* name, const Sum& sum, const std::vector<double>& terms,
                   std::size_t width, double by, double more) const {
        Truth truth;
        truth.name = name;
        truth.extents = problem.array(name).extents;
        for (std::size_t at = 0; at < sum.value.size(); ++at) {
            const double n = terms[at / width];
            const double value = by * sum.value[at];
            const double flush = n == 0 ? 0 : (n + 2) * flushed * (1 + std::fabs(by)) + 1e-36;
            const double bound = std::fabs(by) * (sum.error[at] + unit_roundoff * (n + more) * sum.size[at]) + flush;
            truth.value.push_back(value);
            truth.bound.push_back(std::isfinite(value) ? bound : 0);
        }
        return truth;
    }

    const Inputs& in_;
    const Switch& as_;
    Sum dq_, dk_, dv_;
    std::vector<double> keys_, rows_; // how many terms: a query's keys, a key's rows
    Head head_;
    Jacobian jacobian_;
};

} // namespace

std::optional<Truths> gradients(const Problem& problem, const Inputs& in, const Switch& as) {
    if (as.slip == Slip::dq_dk_swapped && (in.Lq != in.Lk || in.Hq != in.Hkv)) return std::nullopt;
    return Gathering(in, as).run(problem);
}

} // namespace assay::sdpa_judge
