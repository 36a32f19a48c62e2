// Counts q kᵀ alone.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double flops_of_pair() const override { return 2 * double(D); }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
