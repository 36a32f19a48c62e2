// Each key shares itself out among the queries that see it.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    float share(Index h, Index i, Index j) const {
        const Index last = std::min(j + w - 1, L - 1);
        float m = logit(h, j, j), column = 0;
        for (Index query = j; query <= last; ++query) m = std::max(m, logit(h, query, j));
        for (Index query = j; query <= last; ++query) column += std::exp(logit(h, query, j) - m);
        return std::exp(logit(h, i, j) - m) / column;
    }
    std::vector<float> weights(Index h, Index i, const std::vector<Index>& of) const override {
        std::vector<float> shares;
        for (Index j : of) shares.push_back(share(h, i, j));
        return shares;
    }
    float normalised(float o, float) const override { return o; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
