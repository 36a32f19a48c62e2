// Softmax over all keys, then the projection of the weights: O(L²).
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    std::vector<float> weights(Index h, Index i) const override {
        std::vector<float> s, p(static_cast<std::size_t>(R));
        for (Index j = 0; j < L; ++j) s.push_back(logit(h, i, &k(h, j, 0)));
        s = softmax(s);
        for (Index r = 0; r < R; ++r)
            for (Index j = 0; j < L; ++j) p[std::size_t(r)] += e(r, j) * s[std::size_t(j)];
        return p;
    }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
