// Included once an instruction set, inside its namespace: few queries, many keys. Memory is the limit: each key and
// value is read once for all queries of its group, and vectors stand along D.

constexpr Index decode_block = 64; // keys: with their values and D = 128, 64 KiB, read before they leave the cache

HWY_INLINE float dot(const float* a, const float* b, Index count) {
    V sum[4] = {hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes), hn::Zero(lanes)};
    Index x = 0;
    for (; x + 4 * N <= count; x += 4 * N)
#pragma GCC unroll 4
        for (int n = 0; n < 4; ++n)
            sum[n] = hn::MulAdd(hn::LoadU(lanes, a + x + n * N), hn::LoadU(lanes, b + x + n * N), sum[n]);
    for (; x + N <= count; x += N) sum[0] = hn::MulAdd(hn::LoadU(lanes, a + x), hn::LoadU(lanes, b + x), sum[0]);
    float total = hn::GetLane(hn::SumOfLanes(lanes, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
    for (; x < count; ++x) total += a[x] * b[x];
    return total;
}

/// sums (Dv) = sums * keep + Σ_j weights[j] · values[j], MR vectors of columns at a time.
template <int MR> HWY_INLINE void add_rows(const float* weights, FloatRows values, Index count, V keep, float* sums) {
    V sum[MR];
#pragma GCC unroll 8
    for (int m = 0; m < MR; ++m) sum[m] = hn::Mul(hn::LoadU(lanes, sums + m * N), keep);
    for (Index j = 0; j < count; ++j) {
        const V weight = hn::Set(lanes, weights[j]);
        const float* row = values.data + j * values.stride;
#pragma GCC unroll 8
        for (int m = 0; m < MR; ++m) sum[m] = hn::MulAdd(weight, hn::LoadU(lanes, row + m * N), sum[m]);
    }
#pragma GCC unroll 8
    for (int m = 0; m < MR; ++m) hn::StoreU(sum[m], lanes, sums + m * N);
}

HWY_INLINE void decode_row(const Job& job, const Task& task, Index row, const float* query, FloatRows keys,
                           FloatRows values, Index begin, Index count, float* logits, float* state) {
    count = std::min(count, job.visible(row) - begin);
    if (count <= 0) return;
    for (Index j = 0; j < count; ++j) logits[j] = dot(query, keys.data + j * keys.stride, job.D);
    if (job.mask != nullptr) {
        const bool* mask = job.mask + task.b * job.mask_stride[0] + job.head(task.kv, row) * job.mask_stride[1] +
                           job.query(row) * job.mask_stride[2] + begin * job.mask_stride[3];
        for (Index j = 0; j < count; ++j)
            if (!mask[j * job.mask_stride[3]]) logits[j] = never;
    }
    for (Index j = count; j < rounded_up(count); ++j) logits[j] = never;

    V top = hn::Set(lanes, state[0]);
    for (Index j = 0; j < count; j += N) top = hn::Max(top, hn::Load(lanes, logits + j));
    top = hn::MaxOfLanes(lanes, top);
    const float largest = hn::GetLane(top);
    if (largest == never) return; // nothing seen so far
    const V c = exponent_of(job.scale);
    const V keep = exp2_of_product(hn::Sub(hn::Set(lanes, state[0]), top), c);
    V total = hn::Zero(lanes);
    for (Index j = 0; j < count; j += N) {
        const V weight = exp2_of_product(hn::Sub(hn::Load(lanes, logits + j), top), c);
        hn::Store(weight, lanes, logits + j);
        total = hn::Add(total, weight);
    }
    state[0] = largest;
    state[1] = state[1] * hn::GetLane(keep) + hn::GetLane(hn::SumOfLanes(lanes, total));
    float* sums = state + 2;
    Index x = 0;
    for (; x + 8 * N <= job.Dv; x += 8 * N)
        add_rows<8>(logits, {values.data + x, values.stride}, count, keep, sums + x);
    for (; x + N <= job.Dv; x += N) add_rows<1>(logits, {values.data + x, values.stride}, count, keep, sums + x);
    for (; x < job.Dv; ++x) {
        float sum = sums[x] * hn::GetLane(keep);
        for (Index j = 0; j < count; ++j) sum += logits[j] * values.data[j * values.stride + x];
        sums[x] = sum;
    }
}

void decode(const Job& job, const Task& task, float* scratch) {
    const float sign = sign_of(job.scale);
    float* logits = scratch; // (decode_block)
    float* queries = logits + decode_block;
    float* key_space = queries + task.count * job.D;
    float* value_space = key_space + decode_block * job.D;
    for (Index r = 0; r < task.count; ++r) {
        const Index row = task.first + r;
        float* query = queries + r * job.D;
        to_floats(job.storage, job.q.data,
                  task.b * job.q.stride[0] + job.head(task.kv, row) * job.q.stride[1] +
                      job.query(row) * job.q.stride[2],
                  job.q.stride[3], job.D, query);
        for (Index x = 0; x < job.D; ++x) query[x] *= sign;
        float* state = task.partial + r * (job.Dv + 2);
        std::fill(state, state + job.Dv + 2, 0.0f);
        state[0] = never;
    }
    for (Index begin = task.key_begin; begin < task.key_end; begin += decode_block) {
        const Index end = std::min(begin + decode_block, task.key_end);
        const FloatRows keys = float_rows(job.storage, job.k, task.b, task.kv, begin, end, job.D, key_space);
        const FloatRows values = float_rows(job.storage, job.v, task.b, task.kv, begin, end, job.Dv, value_space);
        for (Index r = 0; r < task.count; ++r)
            decode_row(job, task, task.first + r, queries + r * job.D, keys, values, begin, end - begin, logits,
                       task.partial + r * (job.Dv + 2));
    }
}

std::size_t decode_floats(const Job& job, Index rows) {
    return static_cast<std::size_t>(decode_block + rows * job.D + decode_block * (job.D + job.Dv));
}
