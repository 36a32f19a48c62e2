// (w + g) L pairs a head.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    double pairs_kept(double) const override { return double(H * L * std::min(w + g, L)); }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
