// Wrong: exp of the logits as they are.
// Level: stability
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    __device__ static float taken_off(float) { return 0.0f; }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
