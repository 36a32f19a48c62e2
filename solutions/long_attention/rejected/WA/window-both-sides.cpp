// |i - j| < w, without the causal half.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index high(Index i) const override { return std::min(i + w - 1, L - 1); }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
