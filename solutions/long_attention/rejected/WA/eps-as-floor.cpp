// Clamps the normaliser.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float normaliser(const std::vector<float>& f, Index) const override { return std::max(over_keys(f), eps); }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
