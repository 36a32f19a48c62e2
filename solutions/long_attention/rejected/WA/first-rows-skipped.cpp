// Begins where the first window is full.
// Level: window
#include "window.hpp"

namespace long_attention {

struct Mistaken : Window {
    using Window::Window;
    std::vector<float> row(Index h, Index i) const override {
        return i < w - 1 ? std::vector<float>(std::size_t(Dv)) : Window::row(h, i);
    }
};

} // namespace long_attention

WINDOW_BY(Mistaken)
