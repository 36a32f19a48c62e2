// The usual 1e-6 whatever was given.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float normaliser(const std::vector<float>& f, Index) const override { return over_keys(f) + 1e-6f; }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
