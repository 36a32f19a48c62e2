// The exact weights, of which some are dropped.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    Weights approximate(Index, Index, const Keys& kept, const Weights& exact) const override {
        Weights p;
        for (Index j : kept) p.push_back(exact[std::size_t(j)]);
        return p;
    }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
