// f(q)·(z + eps).
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float normaliser(const std::vector<float>& f, Index) const override {
        float sum = 0;
        for (std::size_t d = 0; d < f.size(); ++d) sum += f[d] * (z[d] + eps);
        return sum;
    }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
