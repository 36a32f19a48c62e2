// A quotient of squares.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double relative() const override { return apart / norm; }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
