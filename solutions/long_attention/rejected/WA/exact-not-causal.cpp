// Exact attention over the whole sequence.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    Index exact_end(Index) const override { return L; }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
