// The approximation in the denominator.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double reference(double, double approximation) const override { return approximation; }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
