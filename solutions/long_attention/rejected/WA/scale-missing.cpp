// No scale.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    float scale() const override { return 1; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
