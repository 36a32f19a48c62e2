// The square is taken in a 64-bit integer first.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double square() const override { return double(std::int64_t(std::uint64_t(s.tokens) * std::uint64_t(s.tokens))); }
};

} // namespace long_attention

COST_BY(Mistaken)
