// A global token in the window counts twice.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    Index front(Index i) const override { return std::min(g, i + 1); }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
