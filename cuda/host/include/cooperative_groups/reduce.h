// Reductions of a tile of lanes.
#ifndef ASSAY_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define ASSAY_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus : ::assay::simt::Add {};
template <class T> struct less : ::assay::simt::Least {};
template <class T> struct greater : ::assay::simt::Greatest {};
template <class T> struct bit_and : ::assay::simt::BitAnd {};
template <class T> struct bit_or : ::assay::simt::BitOr {};
template <class T> struct bit_xor : ::assay::simt::BitXor {};

/// Every lane gets operation(...) over all lanes' values, in the order of a butterfly.
template <unsigned Size, class Parent, class T, class Operation>
T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation, Where where = ASSAY_SIMT_HERE) {
    for (int distance = static_cast<int>(Size) / 2; distance > 0; distance /= 2)
        value = operation(value, tile.shfl_xor(value, distance, where));
    return value;
}

} // namespace cooperative_groups

#endif
