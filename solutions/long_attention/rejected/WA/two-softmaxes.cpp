// A softmax for each set, averaged.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    std::vector<float> row(Index h, Index i) const override {
        std::vector<float> o = attend(h, i, Window::keys(i));
        if (front(i) == 0) return o;
        const std::vector<float> far = attend(h, i, front_keys(i));
        for (std::size_t d = 0; d < o.size(); ++d) o[d] = (o[d] + far[d]) / 2;
        return o;
    }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
