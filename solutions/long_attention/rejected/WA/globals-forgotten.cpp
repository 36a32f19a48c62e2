// The window alone.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    Index front(Index) const override { return 0; }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
