// Wrong: query head h reads key/value head h % Hkv.
// Level: heads-and-views
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    __device__ static wrong::Index kv_head(wrong::Index h, wrong::Index, wrong::Index Hkv) { return h % Hkv; }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
