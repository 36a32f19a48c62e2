// Blocks of w, each for itself.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return i / w * w; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
