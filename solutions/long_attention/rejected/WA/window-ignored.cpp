// Causal attention.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index) const override { return 0; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
