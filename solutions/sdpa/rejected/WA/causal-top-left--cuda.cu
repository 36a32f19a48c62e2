// Wrong: causal counts from the first key on, as if Lq were Lk.
// Level: masks
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    __device__ static bool causal(wrong::Index i, wrong::Index j, wrong::Index, wrong::Index) { return j <= i; }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
