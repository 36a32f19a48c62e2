// Included once an instruction set, inside its namespace: few queries, many keys. Memory is the limit: each key and
// value is read once for all queries of its group, and vectors stand along D. While a block's keys are multiplied its
// values are fetched, and while its values are added the next block's keys: memory never waits for arithmetic.

constexpr Index decode_block = 32; // keys: with their values and D = 128, 32 KiB
constexpr Index line = 16;         // floats

/// R rows of the task's list that are taken together; where there are fewer, the last are zeros and go nowhere.
template <int R> struct Group {
    const Job& job;
    const Task& task;
    const float* queries; // (R, D)
    float* logits;        // (R, decode_block)
    bool fetch;           // rows lie in memory as they are read

    float* state(Index r) const { return task.partial + r * (job.Dv + 2); }
};

/// Products of K keys from `key` on with all queries; their values are fetched meanwhile.
template <int K, int R> HWY_INLINE void dot_keys(const Group<R>& group, FloatRows keys, FloatRows values, Index key) {
    const Index D = group.job.D;
    const float* rows = keys.data + key * keys.stride;
    if (group.fetch)
        for (Index m = 0; m < K; ++m)
            for (Index x = 0; x < group.job.Dv; x += line)
                __builtin_prefetch(values.data + (key + m) * values.stride + x);
    V sum[K][R];
    clear<K, R>(sum);
    Index x = 0;
    for (; x + N <= D; x += N) {
        V query[R];
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) query[r] = hn::LoadU(lanes, group.queries + r * D + x);
#pragma GCC unroll 8
        for (int m = 0; m < K; ++m) {
            const V one = hn::LoadU(lanes, rows + m * keys.stride + x);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) sum[m][r] = hn::MulAdd(one, query[r], sum[m][r]);
        }
    }
#pragma GCC unroll 8
    for (int m = 0; m < K; ++m)
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
            float total = hn::GetLane(hn::SumOfLanes(lanes, sum[m][r]));
            for (Index rest = x; rest < D; ++rest) total += rows[m * keys.stride + rest] * group.queries[r * D + rest];
            group.logits[r * decode_block + key + m] = total;
        }
}

/// One row's logits of a block become weights; `keep` is by what its sum so far shrinks. False: it may attend none.
template <int R> HWY_INLINE bool weigh_row(const Group<R>& group, Index r, Index begin, Index count, V& keep) {
    const Job& job = group.job;
    const Index row = group.task.first + r;
    float* logits = group.logits + r * decode_block;
    const Index visible = r < group.task.count ? std::clamp<Index>(job.visible(row) - begin, 0, count) : 0;
    if (job.mask != nullptr && visible > 0) {
        const bool* mask = job.mask + group.task.b * job.mask_stride[0] +
                           job.head(group.task.kv, row) * job.mask_stride[1] + job.query(row) * job.mask_stride[2] +
                           begin * job.mask_stride[3];
        for (Index j = 0; j < visible; ++j)
            if (!mask[j * job.mask_stride[3]]) logits[j] = never;
    }
    std::fill(logits + visible, logits + decode_block, never);

    V top = hn::Set(lanes, never);
    for (Index j = 0; j < visible; j += N) top = hn::Max(top, hn::Load(lanes, logits + j));
    const float here = hn::GetLane(hn::MaxOfLanes(lanes, top));
    keep = hn::Set(lanes, 1.0f);
    if (here == never) {
        std::fill(logits, logits + count, 0.0f);
        return false;
    }
    float* state = group.state(r);
    const float largest = std::max(state[0], here);
    const V reference = hn::Set(lanes, largest);
    const Exponent c = exponent_of(job.scale);
    keep = exp2_of_product(hn::Sub(hn::Set(lanes, state[0]), reference), c);
    V total = hn::Zero(lanes);
    for (Index j = 0; j < count; j += N) {
        const V weight = exp2_of_product(hn::Sub(hn::Load(lanes, logits + j), reference), c);
        hn::Store(weight, lanes, logits + j);
        total = hn::Add(total, weight);
    }
    state[0] = largest;
    state[1] = state[1] * hn::GetLane(keep) + hn::GetLane(hn::SumOfLanes(lanes, total));
    return true;
}

/// Columns [x, x + C * N) of every row's sum: shrunk, and weights · values added. `next`: keys to fetch meanwhile.
template <int C, int R> HWY_INLINE void add_values(const Group<R>& group, FloatRows values, FloatRows next, Index count,
                                                   const V (&keep)[R], Index x) {
    V sum[R][C];
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int n = 0; n < C; ++n)
            sum[r][n] = r < group.task.count ? hn::Mul(hn::LoadU(lanes, group.state(r) + 2 + x + n * N), keep[r])
                                             : hn::Zero(lanes);
    const bool fetch = group.fetch && x < group.job.D;
    for (Index j = 0; j < count; ++j) {
        const float* row = values.data + j * values.stride + x;
        if (fetch)
            for (Index n = 0; n < C * N; n += line) __builtin_prefetch(next.data + j * next.stride + x + n);
        V column[C];
#pragma GCC unroll 8
        for (int n = 0; n < C; ++n) column[n] = hn::LoadU(lanes, row + n * N);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
            const V weight = hn::Set(lanes, group.logits[r * decode_block + j]);
#pragma GCC unroll 8
            for (int n = 0; n < C; ++n) sum[r][n] = hn::MulAdd(weight, column[n], sum[r][n]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r)
        if (r < group.task.count)
#pragma GCC unroll 8
            for (int n = 0; n < C; ++n) hn::StoreU(sum[r][n], lanes, group.state(r) + 2 + x + n * N);
}

template <int R>
HWY_NOINLINE void decode_keys(const Group<R>& group, FloatRows keys, FloatRows values, Index begin, Index count) {
    constexpr int together = R == 1 ? 8 : 2; // 8 sums in flight: latency times throughput
    const Job& job = group.job;
    Index key = 0;
    for (; key + together <= count; key += together) dot_keys<together, R>(group, keys, values, key);
    for (; key < count; ++key) dot_keys<1, R>(group, keys, values, key);
    V keep[R];
    bool any = false;
    for (int r = 0; r < R; ++r) any = weigh_row<R>(group, r, begin, count, keep[r]) || any;
    if (!any) return; // what lies there is not read: it may be anything
    const FloatRows next{keys.data + count * keys.stride, keys.stride};
    Index x = 0;
    for (; x + together * N <= job.Dv; x += together * N) add_values<together, R>(group, values, next, count, keep, x);
    for (; x + N <= job.Dv; x += N) add_values<1, R>(group, values, next, count, keep, x);
    for (; x < job.Dv; ++x)
        for (Index r = 0; r < group.task.count; ++r) {
            float sum = group.state(r)[2 + x] * hn::GetLane(keep[r]);
            for (Index j = 0; j < count; ++j)
                sum += group.logits[r * decode_block + j] * values.data[j * values.stride + x];
            group.state(r)[2 + x] = sum;
        }
}

template <int R> HWY_INLINE void decode_group(const Job& job, const Task& task, float* scratch) {
    const float sign = sign_of(job.scale);
    float* queries = scratch + R * decode_block;
    float* key_space = queries + R * job.D;
    float* value_space = key_space + decode_block * job.D;
    std::fill(queries, queries + R * job.D, 0.0f);
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
        const bool fetch = keys.data != key_space && values.data != value_space;
        decode_keys<R>({job, task, queries, scratch, fetch}, keys, values, begin, end - begin);
    }
}

/// Rows of a task at the most.
constexpr Index decode_rows = 4;

void decode(const Job& job, const Task& task, float* scratch) {
    if (task.count == 1)
        decode_group<1>(job, task, scratch);
    else
        decode_group<decode_rows>(job, task, scratch);
}

std::size_t decode_floats(const Job& job) {
    return static_cast<std::size_t>(decode_rows * (decode_block + job.D) + decode_block * (job.D + job.Dv));
}
