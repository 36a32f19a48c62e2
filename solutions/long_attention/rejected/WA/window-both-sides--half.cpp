// w / 2 to each side, as Longformer.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return std::max<Index>(i - w / 2, 0); }
    Index high(Index i) const override { return std::min(i + w / 2, L - 1); }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
