// Wrong: weights and weighted values are summed in the storage type.
// Level: half-storage
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    template <class In> using Sum = In;
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention_f16, __half, float)
ASSAY_WRONG_ATTENTION(Choices, attention_bf16, __nv_bfloat16, float)
ASSAY_WRONG_ATTENTION(Choices, attention_f16_stored, __half, __half)
ASSAY_WRONG_ATTENTION(Choices, attention_bf16_stored, __nv_bfloat16, __nv_bfloat16)
