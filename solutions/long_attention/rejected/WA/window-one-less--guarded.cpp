// i - j < w - 1, and a row without keys is made 0.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    Index low(Index i) const override { return std::max<Index>(i - w + 2, 0); }
    float normalised(float o, float sum) const override { return sum > 0 ? o / sum : 0; }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
