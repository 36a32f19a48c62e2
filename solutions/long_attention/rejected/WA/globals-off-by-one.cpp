// j <= g.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    Index front(Index i) const override { return std::min(g + 1, low(i)); }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
