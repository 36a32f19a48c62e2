// w keys in all.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    Index low(Index i) const override { return std::max<Index>(i - std::max<Index>(w - g, 0) + 1, 0); }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
