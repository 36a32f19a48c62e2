// i - j < w - 1. With w = 1 nothing is left.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return std::max<Index>(i - w + 2, 0); }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
