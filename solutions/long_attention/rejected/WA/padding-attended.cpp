// Pads the front with w - 1 zero keys and values.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return i - w + 1; }
    float logit(Index h, Index i, Index j) const override { return j < 0 ? 0 : Window::logit(h, i, j); }
    bool adds(Index, Index j) const override { return j >= 0; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
