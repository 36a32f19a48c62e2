// Included once an instruction set, inside its namespace: keys and values laid out as the products read them, one
// stream from beginning to end. Where they lie, 128 rows of 256 or 512 bytes fall into few sets of the first cache, and
// of four rows each is too short for the processor to see it coming.

/// What is broadcast in a product, `tall` rows a group: element x of the group's row m lies at row * m + step * x from
/// the group's beginning, which for rows from j on is data + j * stride.
struct Operand {
    const float* data;
    Index stride, row, step;
};

HWY_INLINE Operand as_rows(FloatRows rows) { return {rows.data, rows.stride, rows.stride, 1}; }
HWY_INLINE Operand as_groups(const float* groups, Index D) { return {groups, D, 1, tall}; }

HWY_INLINE Index in_groups(Index rows) { return (rows + tall - 1) / tall * tall; }

/// Rows (count, D) in groups of `tall`, (count / tall, D, tall): the last is filled up with zeros.
HWY_INLINE void pack_groups(FloatRows rows, Index D, Index count, float* groups) {
    Index j = 0;
    for (; j + tall <= count; j += tall, groups += tall * D) {
        const float* from = rows.data + j * rows.stride;
        Index x = 0;
        if constexpr (tall == 4)
            for (; x + N <= D; x += N)
                hn::StoreInterleaved4(hn::LoadU(lanes, from + x), hn::LoadU(lanes, from + rows.stride + x),
                                      hn::LoadU(lanes, from + 2 * rows.stride + x),
                                      hn::LoadU(lanes, from + 3 * rows.stride + x), lanes, groups + x * tall);
        for (; x < D; ++x)
            for (Index m = 0; m < tall; ++m) groups[x * tall + m] = from[m * rows.stride + x];
    }
    if (j == count) return;
    std::fill(groups, groups + tall * D, 0.0f);
    for (Index m = 0; j + m < count; ++m)
        for (Index x = 0; x < D; ++x) groups[x * tall + m] = rows.data[(j + m) * rows.stride + x];
}

/// Rows (count, D) in panels of `tall` columns, (D / tall, count, tall), then the columns left over, (rest, count).
HWY_INLINE void pack_panels(FloatRows rows, Index D, Index count, float* panels) {
    Index x = 0;
    for (; x + tall <= D; x += tall)
        for (Index j = 0; j < count; ++j, panels += tall)
            std::memcpy(panels, rows.data + j * rows.stride + x, tall * sizeof(float));
    for (; x < D; ++x)
        for (Index j = 0; j < count; ++j) *panels++ = rows.data[j * rows.stride + x];
}

/// Floats that a head's keys and values take.
std::size_t packed_floats(const Job& job) {
    return static_cast<std::size_t>(in_groups(job.Lk) * job.D + job.Lk * job.Dv);
}

/// A block of a head, from the task's first key on, at its place in `packed`: keys in groups, then values in panels.
/// `space` (key_block, max(D, Dv)).
void pack(const Job& job, const Task& task, float* packed, float* space) {
    const Index begin = task.key_begin, count = task.key_end - begin;
    const FloatRows keys = float_rows(job.storage, job.k, task.b, task.kv, begin, task.key_end, job.D, space);
    pack_groups(keys, job.D, count, packed + begin * job.D);
    const FloatRows values = float_rows(job.storage, job.v, task.b, task.kv, begin, task.key_end, job.Dv, space);
    pack_panels(values, job.Dv, count, packed + in_groups(job.Lk) * job.D + begin * job.Dv);
}
