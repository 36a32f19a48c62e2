// A maximum without fabs.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double larger(double so_far, double difference) const override { return std::max(so_far, difference); }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
