// Scaled dot-product attention, one query row at a time: logits, weights, and their sum over v.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sdpa {

namespace {

using Index = std::ptrdiff_t;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// A row in the making. One serves all rows of a call, so that nothing is allocated inside the loops.
struct Row {
    std::vector<float> query;   // (depth)
    std::vector<float> key;     // (depth)
    std::vector<char> allowed;  // (keys)
    std::vector<float> logits;  // (keys)
    std::vector<float> weights; // (keys)
    std::vector<float> sum;     // (width)
    float max = minus_infinity;
    float total = 0;
};

/// Copies one row of a tensor.
void load(tensor<const float, 4> from, Index b, Index h, Index row, std::vector<float>& into) {
    @{load}
}

float dot(const std::vector<float>& a, const std::vector<float>& b) {
    float sum = 0;
    @{dot}
    return sum;
}

class Attention {
  public:
    Attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
              optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale)
        : q_(q), k_(k), v_(v), mask_(mask), causal_(causal), heads_(q.extent(1)), queries_(q.extent(2)),
          depth_(q.extent(3)), kv_heads_(k.extent(1)), keys_(k.extent(2)), width_(v.extent(3)) {
        factor_ = factor(scale);
    }

    void run(tensor<float, 4> out) const {
        Row row;
        row.query.resize(depth_);
        row.key.resize(depth_);
        row.allowed.resize(keys_);
        row.logits.resize(keys_);
        row.weights.resize(keys_);
        row.sum.resize(width_);
        for (Index b = 0; b < q_.extent(0); ++b)
            for (Index h = 0; h < heads_; ++h)
                for (Index i = 0; i < queries_; ++i) {
                    attend(b, h, i, row);
                    for (Index d = 0; d < width_; ++d) out(b, h, i, d) = row.sum[d];
                }
    }

  private:
    /// What q·k is multiplied by.
    float factor(const optional<float>& scale) const {
        const float usual = @{default_scale};
        @{factor}
    }

    /// The key/value head of query head h.
    Index kv_head(Index h) const { return @{kv_head}; }

    /// The mask's entry for query i and key j.
    bool entry(Index b, Index h, Index i, Index j) const {
        @{mask_entry}
    }

    bool may_attend(Index b, Index h, Index i, Index j) const {
        const bool by_mask = !mask_ || @{polarity};
        const bool by_causal = !causal_ || @{reach};
        return @{joined};
    }

    void score(Index b, Index h, Index i, Row& row) const {
        const Index kv = kv_head(h);
        load(q_, b, h, i, row.query);
        @{query}
        @{reset}
        for (Index j = 0; j < keys_; ++j) {
            load(k_, b, kv, j, row.key);
            const float logit = @{logit};
            row.allowed[j] = may_attend(b, @{mask_head}, i, j) ? 1 : 0;
            row.logits[j] = @{hidden};
            row.max = @{max};
        }
    }

    /// The logits' exponentials, and their sum.
    void weigh(Row& row) const {
        for (Index j = 0; j < keys_; ++j) row.weights[j] = std::exp(@{exponent});
        @{total}
    }

    void attend(Index b, Index h, Index i, Row& row) const {
        score(b, h, i, row);
        std::fill(row.sum.begin(), row.sum.end(), 0.0f);
        const bool empty = @{empty};
        if (empty) return;
        weigh(row);
        const Index kv = kv_head(h);
        for (Index j = 0; j < keys_; ++j) {
            if (row.allowed[j] == 0) continue;
            const float weight = row.weights[j];
            @{value}
        }
        @{share}
    }

    tensor<const float, 4> q_, k_, v_;
    optional<tensor<const bool, 4>> mask_;
    bool causal_;
    Index heads_, queries_, depth_, kv_heads_, keys_, width_;
    float factor_ = 1;
};

} // namespace

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    Attention(q, k, v, mask, causal, scale).run(out);
}

} // namespace sdpa
