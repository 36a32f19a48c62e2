// A global token attends everything, as in an encoder.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    Index high(Index i) const override { return i < g ? L - 1 : i; }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
