// Both sets one after the other.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    Index front(Index i) const override { return std::min(g, i + 1); }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
