// The w tokens before the own one; the first row is made 0.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return std::max<Index>(i - w, 0); }
    Index high(Index i) const override { return i - 1; }
    float normalised(float o, float sum) const override { return sum > 0 ? o / sum : 0; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
