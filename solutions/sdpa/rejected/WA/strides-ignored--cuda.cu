// Wrong: elements are reached through data() and the extents, as if every view were contiguous.
// Level: heads-and-views
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    template <class T> __device__ static T at(const wrong::device_view<const T, 4>& x, wrong::Index a, wrong::Index b,
                                              wrong::Index c, wrong::Index d) {
        return x.data()[((a * x.extent(1) + b) * x.extent(2) + c) * x.extent(3) + d];
    }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
