// The maximum is over all tokens so far: with the window it would have to shrink again.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    float largest(Index h, Index i, const std::vector<float>&) const override {
        float m = logit(h, i, 0);
        for (Index j = 1; j <= i; ++j) m = std::max(m, logit(h, i, j));
        return m;
    }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
