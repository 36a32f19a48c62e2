// The mass of the weights that were renormalised: 1.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double mass(const Keys&, const Weights&, const Weights& near) const override {
        return std::accumulate(near.begin(), near.end(), 0.0);
    }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
