// The plain float32 way back: P, dP and dS of a head as whole matrices, sums in the order of the loops.
#include "oracle_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::sdpa_judge {

namespace {

using Floats = std::vector<float>;

Floats narrow(const std::vector<double>& values) { return Floats(values.begin(), values.end()); }

/// Rows of one head: where its q, k, v and dout begin.
struct Place {
    std::size_t query, key;
};

class Plain {
  public:
    explicit Plain(const Inputs& in)
        : in_(in), q_(narrow(in.q)), k_(narrow(in.k)), v_(narrow(in.v)), dout_(narrow(in.dout)), dq_(q_.size()),
          dk_(k_.size()), dv_(v_.size()),
          scale_(in.scale ? static_cast<float>(*in.scale) : 1 / std::sqrt(static_cast<float>(in.D))) {}

    Outputs run(const Problem& problem) {
        for (std::size_t b = 0; b < in_.B; ++b)
            for (std::size_t h = 0; h < in_.Hq; ++h) {
                const Place at{(b * in_.Hq + h) * in_.Lq, (b * in_.Hkv + h / (in_.Hq / in_.Hkv)) * in_.Lk};
                for (std::size_t i = 0; i < in_.Lq; ++i) add_row(b, h, i, at);
            }
        Outputs outputs;
        const auto put = [&](const char* name, const Floats& values) {
            outputs.arrays.emplace_back(name, Array::of(Dtype::f32, problem.array(name).extents,
                                                        std::vector<double>(values.begin(), values.end())));
        };
        put("dq", dq_);
        put("dk", dk_);
        put("dv", dv_);
        return outputs;
    }

  private:
    static float dot(const float* a, const float* b, std::size_t n) {
        float sum = 0;
        for (std::size_t d = 0; d < n; ++d) sum += a[d] * b[d];
        return sum;
    }

    void add_row(std::size_t b, std::size_t h, std::size_t i, const Place& at) {
        std::vector<std::size_t> keys;
        Floats p, dp;
        float m = -std::numeric_limits<float>::infinity();
        for (std::size_t j = 0; j < in_.Lk; ++j) {
            if (in_.has_mask && !in_.mask_at(b, h, i, j)) continue;
            if (in_.causal && j + in_.Lq > i + in_.Lk) continue;
            keys.push_back(at.key + j);
            p.push_back(scale_ * dot(&q_[(at.query + i) * in_.D], &k_[(at.key + j) * in_.D], in_.D));
            dp.push_back(dot(&dout_[(at.query + i) * in_.Dv], &v_[(at.key + j) * in_.Dv], in_.Dv));
            m = std::max(m, p.back());
        }
        float sum = 0, delta = 0;
        for (float& x : p) sum += x = std::exp(x - m);
        for (std::size_t n = 0; n < keys.size(); ++n) delta += (p[n] /= sum) * dp[n];
        for (std::size_t n = 0; n < keys.size(); ++n) {
            const float ds = scale_ * (p[n] * (dp[n] - delta));
            for (std::size_t d = 0; d < in_.D; ++d) {
                dq_[(at.query + i) * in_.D + d] += ds * k_[keys[n] * in_.D + d];
                dk_[keys[n] * in_.D + d] += ds * q_[(at.query + i) * in_.D + d];
            }
            for (std::size_t d = 0; d < in_.Dv; ++d)
                dv_[keys[n] * in_.Dv + d] += p[n] * dout_[(at.query + i) * in_.Dv + d];
        }
    }

    const Inputs& in_;
    Floats q_, k_, v_, dout_, dq_, dk_, dv_;
    float scale_;
};

} // namespace

Outputs plain_gradients(const Problem& problem, const Inputs& in) { return Plain(in).run(problem); }

} // namespace assay::sdpa_judge
