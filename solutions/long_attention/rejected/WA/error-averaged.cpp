// The mean absolute error.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double larger(double so_far, double difference) const override {
        return so_far + std::fabs(difference) / double(H * L * Dv);
    }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
