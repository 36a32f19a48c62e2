// i - w ... i: w keys and the own one.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return std::max<Index>(i - w, 0); }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
