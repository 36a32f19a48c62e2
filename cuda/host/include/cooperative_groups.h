// Cooperative groups on the CPU: the block, tiles of up to a warp, and the grid's shape.
#ifndef ASSAY_CUDA_COOPERATIVE_GROUPS_H
#define ASSAY_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

using ::assay::simt::Where;

class thread_block {
  public:
    static void sync(Where where = ASSAY_SIMT_HERE) { ::assay::simt::barrier(where); }
    static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned size() { return num_threads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

/// `Size` neighbouring lanes of a warp.
template <unsigned Size, class Parent = void> class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "the CPU emulation of CUDA has tiles of 1, 2, 4, 8, 16 and 32 threads");
    static constexpr int width = static_cast<int>(Size);

  public:
    static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
    static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
    /// The tile's lanes within their warp.
    static unsigned mask() {
        const unsigned lane = thread_block::thread_rank() % 32;
        return (Size == 32 ? ~0u : (1u << Size % 32) - 1u) << lane / Size * Size;
    }

    static void sync(Where where = ASSAY_SIMT_HERE) { __syncwarp(mask(), where); }
    template <class T> static T shfl(T value, int source, Where where = ASSAY_SIMT_HERE) {
        return __shfl_sync(mask(), value, source, width, where);
    }
    template <class T> static T shfl_down(T value, unsigned delta, Where where = ASSAY_SIMT_HERE) {
        return __shfl_down_sync(mask(), value, delta, width, where);
    }
    template <class T> static T shfl_up(T value, unsigned delta, Where where = ASSAY_SIMT_HERE) {
        return __shfl_up_sync(mask(), value, delta, width, where);
    }
    template <class T> static T shfl_xor(T value, int lane_mask, Where where = ASSAY_SIMT_HERE) {
        return __shfl_xor_sync(mask(), value, lane_mask, width, where);
    }
    static int any(int predicate, Where where = ASSAY_SIMT_HERE) { return __any_sync(mask(), predicate, where); }
    static int all(int predicate, Where where = ASSAY_SIMT_HERE) { return __all_sync(mask(), predicate, where); }
    /// Bit i is the tile's lane i.
    static unsigned ballot(int predicate, Where where = ASSAY_SIMT_HERE) {
        return __ballot_sync(mask(), predicate, where) >> thread_block::thread_rank() % 32 / Size * Size;
    }
    template <class T> static unsigned match_any(T value, Where where = ASSAY_SIMT_HERE) {
        return __match_any_sync(mask(), value, where) >> thread_block::thread_rank() % 32 / Size * Size;
    }
};
template <unsigned Size, class Parent> thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return {}; }

/// Whoever happens to be active: the caller alone, which is all that CUDA promises.
class coalesced_group {
  public:
    static void sync() {}
    static unsigned thread_rank() { return 0; }
    static unsigned num_threads() { return 1; }
    static unsigned size() { return 1; }
    template <class T> static T shfl(T value, int) { return value; }
    template <class T> static T shfl_down(T value, unsigned) { return value; }
    template <class T> static T shfl_up(T value, unsigned) { return value; }
    static int any(int predicate) { return predicate != 0; }
    static int all(int predicate) { return predicate != 0; }
    static unsigned ballot(int predicate) { return predicate != 0; }
};
inline coalesced_group coalesced_threads() { return {}; }

class grid_group {
  public:
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
    static unsigned long long size() { return num_threads(); }
    static unsigned long long block_rank() {
        return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
    static dim3 group_dim() { return gridDim; }
    static bool is_valid() { return false; }
    static void sync()
        __attribute__((error("the CPU emulation of CUDA runs blocks one after another: a grid cannot wait "
                             "for itself; end the kernel and launch the next one")));
};
inline grid_group this_grid() { return {}; }

template <class Group> void sync(const Group& group, Where where = ASSAY_SIMT_HERE) { group.sync(where); }

} // namespace cooperative_groups

#endif
