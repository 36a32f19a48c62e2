// Wrong: a query may not attend the key at its own place.
// Level: masks
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    __device__ static bool causal(wrong::Index i, wrong::Index j, wrong::Index Lq, wrong::Index Lk) {
        return j < i + Lk - Lq;
    }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
