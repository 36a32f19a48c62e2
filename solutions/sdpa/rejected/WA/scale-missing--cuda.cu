// Wrong: no scale.
// Level: formula
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    static float factor(wrong::optional<float>, wrong::Index) { return 1.0f; }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
