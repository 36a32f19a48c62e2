// Divides by D.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    float scale() const override { return 1 / float(D); }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
