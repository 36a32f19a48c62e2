// All g global tokens for every query.
// Level: global-tokens
#include "globals.hpp"

namespace long_attention {

struct Mistaken : Globals {
    using Globals::Globals;
    std::vector<Index> keys(Index i) const override {
        std::vector<Index> all = Globals::keys(i);
        for (Index j = i + 1; j < g; ++j) all.push_back(j);
        return all;
    }
};

} // namespace long_attention

GLOBALS_BY(Mistaken)
