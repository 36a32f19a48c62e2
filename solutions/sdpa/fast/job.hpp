// What is asked of the kernels: one call of the contract with its types erased, so that each instruction set compiles
// one kernel and not one for every storage type.
#ifndef SDPA_FAST_JOB_HPP
#define SDPA_FAST_JOB_HPP

#include <cstddef>

namespace fast {

using Index = std::ptrdiff_t;

enum class Storage { float32, float16, bfloat16 };

/// A tensor of rank 4: strides in elements.
struct View {
    const void* data = nullptr;
    Index stride[4] = {};
};

struct Job {
    Index B, Hq, Hkv, Lq, Lk, D, Dv;
    Index group; // query heads that read one key/value head
    Storage storage;
    View q, k, v;
    const bool* mask = nullptr; // null: all may attend
    Index mask_stride[4] = {};  // 0 along a broadcast axis
    bool causal;
    float scale;
    View out; // to be written
    Storage out_storage;
    View dout, dq, dk, dv; // backward: floats, all but the first to be written

    /// The queries that read one key/value head are one list of rows, head after head.
    Index rows() const { return group * Lq; }
    Index head(Index kv, Index row) const { return kv * group + row / Lq; }
    Index query(Index row) const { return row % Lq; }

    /// Keys [0, visible) are those that `causal` lets a row see.
    Index visible(Index row) const {
        if (!causal) return Lk;
        const Index end = query(row) + Lk - Lq + 1;
        return end < 0 ? 0 : end < Lk ? end : Lk;
    }
};

/// Rows [first, first + count) of one key/value head; in a decode step, what keys [key_begin, key_end) add to them.
struct Task {
    Index b, kv, first, count;
    Index key_begin, key_end;
    float* partial; // decode: (count, Dv + 2): largest logit, sum of weights, weighted sum of v
                    // backward: what the rows add to the head's dk and dv, in the kernels' own layout
    const float* packed =
        nullptr; // attend: the head's keys and values as `pack` lays them; else they are read as they lie
};

/// Rows of a task at the most, in tiles (vectors of queries, side by side): 8.
constexpr Index most_tiles = 8;

/// One instruction set's kernels. `scratch` is aligned to 64 bytes and holds what the function beside says.
struct Kernels {
    Index tile;  // rows
    Index block; // keys
    /// Lays a task's keys, one block, at their place in `packed`, packed_floats long; `space` (block, max(D, Dv)).
    void (*pack)(const Job&, const Task&, float* packed, float* space);
    std::size_t (*packed_floats)(const Job&);
    /// Writes the task's rows. Those whose result is not finite are true in `unsure` (count).
    void (*attend)(const Job&, const Task&, float* scratch, bool* unsure);
    std::size_t (*attend_floats)(const Job&, Index rows);
    /// Fills the `partial` of a task of at most 4 rows.
    void (*decode)(const Job&, const Task&, float* scratch);
    std::size_t (*decode_floats)(const Job&);
    Index stripe; // rows that the backward pass takes together
    /// Writes dq of the task's rows, and fills its `partial`, partial_floats long.
    void (*backward)(const Job&, const Task&, float* scratch);
    std::size_t (*backward_floats)(const Job&, Index rows);
    std::size_t (*partial_floats)(const Job&);
    /// Writes dk and dv of the task's keys, from the `count` partials of its head.
    void (*join)(const Job&, const Task&, const float* partials, Index count);
};

} // namespace fast

#endif
