// One instruction set's kernels. fast.cpp includes this once for each, with HWY_TARGET set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Each needs those before it.
// clang-format off
#include "micro.hpp"
#include "rows.hpp"
#include "pack.hpp"
#include "attend.hpp"
#include "decode.hpp"
#include "stripe.hpp"
#include "backward.hpp"
// clang-format on

Kernels kernels() {
    return {wide * N,      key_block,   pack,     packed_floats,   attend,         attend_floats, decode,
            decode_floats, stripe_rows, backward, backward_floats, partial_floats, join};
}

} // namespace HWY_NAMESPACE
} // namespace fast
HWY_AFTER_NAMESPACE();
