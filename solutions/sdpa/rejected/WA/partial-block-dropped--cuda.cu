// Wrong: keys are taken in tiles of 64, and those after the last whole tile are left out.
// Level: formula
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    __device__ static wrong::Index keys(wrong::Index Lk) { return Lk / 64 * 64; }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
