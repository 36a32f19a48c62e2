// The window is padded with zeros at the front.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    std::vector<Index> keys(Index i) const override {
        std::vector<Index> all = Globals::keys(i);
        for (Index j = i - w + 1; j < 0; ++j) all.push_back(j);
        return all;
    }
    float logit(Index h, Index i, Index j) const override { return j < 0 ? 0 : Globals::logit(h, i, j); }
    bool adds(Index, Index j) const override { return j >= 0; }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
