// The square is taken in an int first.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double square() const override { return std::int32_t(std::uint32_t(s.tokens) * std::uint32_t(s.tokens)); }
};

} // namespace long_attention

COST_BY(Mistaken)
