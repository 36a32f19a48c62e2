// Softmax over all earlier tokens, then the band.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index) const override { return 0; }
    bool adds(Index i, Index j) const override { return i - j < w; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
