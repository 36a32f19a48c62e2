// Wrong: the search for the maximum begins at 0.
// Level: stability
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    __device__ static float taken_off(float max) { return fmaxf(max, 0.0f); }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
