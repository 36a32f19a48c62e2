// Included once an instruction set, inside its namespace: many queries, a block of keys at a time (FlashAttention-2).

/// Where a task keeps what it works on. Queries stand in vectors: element (x, row) of a tile lies at x * width + row.
struct Space {
    float* tiles;  // a tile's queries, weighted sums, largest logits, sums of weights; tile after tile
    float* logits; // (key_block, wide * N)
    float* keys;   // (key_block, D), where they have to be copied
    float* values; // (key_block, Dv), where they have to be copied
    float* panels; // (key_block, Dv)
    float* row;    // (D)
};

HWY_INLINE Index rounded_up(Index n) { return (n + N - 1) / N * N; }

std::size_t attend_floats(const Job& job, Index rows) {
    return static_cast<std::size_t>(rounded_up(rows) * (job.D + job.Dv + 2) +
                                    key_block * (wide * N + rounded_up(job.D) + 2 * rounded_up(job.Dv)) + job.D);
}

struct Tile {
    Index first, count; // rows of the task's list
    Index width;        // a multiple of N, at most wide * N
    Index visible;      // keys that any of its rows may see
    Index all_see;      // keys that all of them may see
    float *queries, *sums, *largest, *weights;
};

/// A tile's rows of `view` (of q or of a tensor shaped as it) times `sign` become columns: (D, width). `row` (D) is for
/// one of them.
HWY_INLINE void gather(const Job& job, const Task& task, const Tile& tile, const View& view, Index D, float sign,
                       float* row, float* columns) {
    for (Index r = 0; r < tile.count; ++r) {
        to_floats(job.storage, view.data,
                  task.b * view.stride[0] + job.head(task.kv, tile.first + r) * view.stride[1] +
                      job.query(tile.first + r) * view.stride[2],
                  view.stride[3], D, row);
        for (Index x = 0; x < D; ++x) columns[x * tile.width + r] = sign * row[x];
    }
    for (Index r = tile.count; r < tile.width; ++r)
        for (Index x = 0; x < D; ++x) columns[x * tile.width + r] = 0;
}

/// What queries are multiplied with: with a negative scale they change sign, so that the exponent grows with the
/// product; a scale of 0 makes all products 0.
HWY_INLINE float sign_of(float scale) { return scale < 0 ? -1.0f : scale == 0 ? 0.0f : 1.0f; }

/// Products of `count` rows with a tile's columns (D, NR * N), and the largest of each column.
template <int NR>
HWY_INLINE void products(const float* columns, const Operand& rows, Index D, Index count, float* out, V (&top)[NR]) {
    Index j = 0;
    for (; j + tall <= count; j += tall) {
        V sum[tall][NR];
        product<tall, NR>(rows.data + j * rows.stride, rows.row, rows.step, columns, D, sum);
#pragma GCC unroll 8
        for (int m = 0; m < tall; ++m)
#pragma GCC unroll 3
            for (int n = 0; n < NR; ++n) {
                top[n] = hn::Max(top[n], sum[m][n]);
                hn::Store(sum[m][n], lanes, out + (j + m) * NR * N + n * N);
            }
    }
    for (const float* group = rows.data + j * rows.stride; j < count; ++j, group += rows.row) {
        V sum[1][NR];
        product<1, NR>(group, 0, rows.step, columns, D, sum);
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) {
            top[n] = hn::Max(top[n], sum[0][n]);
            hn::Store(sum[0][n], lanes, out + j * NR * N + n * N);
        }
    }
}

constexpr float never = -std::numeric_limits<float>::infinity();

/// Elements (key, row) of a block become `instead` where the row may not attend the key, or is none.
HWY_INLINE void hide(const Job& job, const Task& task, const Tile& tile, Index begin, Index count, float instead,
                     float* block) {
    for (Index r = 0; r < tile.count; ++r) {
        const Index row = tile.first + r;
        for (Index j = std::max<Index>(job.visible(row) - begin, 0); j < count; ++j)
            block[j * tile.width + r] = instead;
        if (job.mask == nullptr) continue;
        const bool* mask = job.mask + task.b * job.mask_stride[0] + job.head(task.kv, row) * job.mask_stride[1] +
                           job.query(row) * job.mask_stride[2] + begin * job.mask_stride[3];
        for (Index j = 0; j < count; ++j) {
            const float before = block[j * tile.width + r];
            block[j * tile.width + r] = mask[j * job.mask_stride[3]] ? before : instead;
        }
    }
    for (Index j = 0; j < count; ++j)
        std::fill(block + j * tile.width + tile.count, block + (j + 1) * tile.width, instead);
}

/// Logits of a block, (count, NR * N), -inf where a row may not attend, and the largest of each row.
template <int NR> HWY_INLINE void logits_of(const Job& job, const Task& task, const Tile& tile, const Operand& keys,
                                            Index begin, Index count, float* logits, V (&top)[NR]) {
#pragma GCC unroll 3
    for (int n = 0; n < NR; ++n) top[n] = hn::Set(lanes, never);
    products<NR>(tile.queries, keys, job.D, count, logits, top);
    if (job.mask == nullptr && begin + count <= tile.all_see) return;
    hide(job, task, tile, begin, count, never, logits);
#pragma GCC unroll 3
    for (int n = 0; n < NR; ++n) {
        top[n] = hn::Set(lanes, never);
        for (Index j = 0; j < count; ++j) top[n] = hn::Max(top[n], hn::Load(lanes, logits + j * NR * N + n * N));
    }
}

/// What logits are relative to: of a row that has seen nothing yet 0, as -inf - 0 is -inf, and its weight 0.
HWY_INLINE V reference_of(V largest) { return hn::IfThenZeroElse(hn::Eq(largest, hn::Set(lanes, never)), largest); }

/// Logits become weights; `keep` is by what the sums so far shrink. One vector of rows at a time: what the loop needs
/// beside the polynomial then stays in registers.
template <int NR>
HWY_INLINE void weigh(const Job& job, const Tile& tile, Index count, float* logits, const V (&top)[NR], V (&keep)[NR]) {
    const Exponent c = exponent_of(job.scale);
#pragma GCC unroll 3
    for (int n = 0; n < NR; ++n) {
        const V before = hn::Load(lanes, tile.largest + n * N);
        const V now = hn::Max(before, top[n]);
        hn::Store(now, lanes, tile.largest + n * N);
        const V reference = reference_of(now);
        keep[n] = exp2_of_product(hn::Sub(before, reference), c);
        V total = hn::Zero(lanes);
        for (Index j = 0; j < count; ++j) {
            float* at = logits + (j * NR + n) * N;
            const V weight = exp2_of_product(hn::Sub(hn::Load(lanes, at), reference), c);
            hn::Store(weight, lanes, at);
            total = hn::Add(total, weight);
        }
        float* at = tile.weights + n * N;
        hn::Store(hn::MulAdd(hn::Load(lanes, at), keep[n], total), lanes, at);
    }
}

/// sums = sums * keep + weights · v for MR columns of v; panel (count, MR).
template <int MR, int NR>
HWY_INLINE void add_columns(const float* panel, const float* weights, Index count, const V (&keep)[NR], float* sums) {
    V sum[MR][NR];
    product<MR, NR>(panel, 1, MR, weights, count, sum);
#pragma GCC unroll 8
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) {
            float* at = sums + (m * NR + n) * N;
            hn::Store(hn::MulAdd(hn::Load(lanes, at), keep[n], sum[m][n]), lanes, at);
        }
}

template <int NR> HWY_NOINLINE void absorb(const Job& job, const Task& task, const Tile& tile, const Operand& keys,
                                           const float* panels, Index panel_rows, Index begin, Index count,
                                           float* logits) {
    V top[NR], keep[NR];
    logits_of<NR>(job, task, tile, keys, begin, count, logits, top);
    weigh<NR>(job, tile, count, logits, top, keep);
    Index x = 0;
    for (; x + tall <= job.Dv; x += tall)
        add_columns<tall, NR>(panels + x * panel_rows, logits, count, keep, tile.sums + x * NR * N);
    for (; x < job.Dv; ++x) add_columns<1, NR>(panels + x * panel_rows, logits, count, keep, tile.sums + x * NR * N);
}

HWY_INLINE void store(Storage storage, void* data, Index at, float value) {
    switch (storage) {
    case Storage::float32: static_cast<float*>(data)[at] = value; break;
    case Storage::float16: static_cast<assay::half*>(data)[at] = assay::half(value); break;
    case Storage::bfloat16: static_cast<assay::bfloat16*>(data)[at] = assay::bfloat16(value); break;
    }
}

/// Quotients to where they belong. A result that is not finite (something lay behind the mask) makes its row unsure.
HWY_INLINE void write_rows(const Job& job, const Task& task, const Tile& tile, bool* unsure) {
    for (Index n = 0; n < tile.width; n += N) {
        const V weights = hn::Load(lanes, tile.weights + n);
        const auto nothing = hn::Eq(weights, hn::Zero(lanes));
        V not_finite = hn::Zero(lanes);
        for (Index x = 0; x < job.Dv; ++x) {
            float* at = tile.sums + x * tile.width + n;
            const V value = hn::IfThenZeroElse(nothing, hn::Div(hn::Load(lanes, at), weights));
            hn::Store(value, lanes, at);
            not_finite = hn::MulAdd(value, hn::Zero(lanes), not_finite);
        }
        hn::Store(not_finite, lanes, tile.weights + n); // no longer needed
    }
    for (Index r = 0; r < tile.count; ++r) {
        const Index row = tile.first + r;
        const Index at = task.b * job.out.stride[0] + job.head(task.kv, row) * job.out.stride[1] +
                         job.query(row) * job.out.stride[2];
        const float* from = tile.sums + r;
        unsure[row - task.first] = !(tile.weights[r] == 0);
        if (job.out_storage == Storage::float32) {
            float* to = static_cast<float*>(const_cast<void*>(job.out.data)) + at;
            for (Index x = 0; x < job.Dv; ++x) to[x * job.out.stride[3]] = from[x * tile.width];
        } else {
            for (Index x = 0; x < job.Dv; ++x)
                store(job.out_storage, const_cast<void*>(job.out.data), at + x * job.out.stride[3],
                      from[x * tile.width]);
        }
    }
}

/// Which rows a tile holds, of `left` from `first` on, and which keys they may see.
void place(const Job& job, Index first, Index left, Tile& tile) {
    tile.first = first;
    tile.width = std::min<Index>(rounded_up(left), wide * N);
    tile.count = std::min(left, tile.width);
    tile.visible = 0;
    tile.all_see = job.Lk;
    for (Index r = 0; r < tile.count; ++r) {
        tile.visible = std::max(tile.visible, job.visible(tile.first + r));
        tile.all_see = std::min(tile.all_see, job.visible(tile.first + r));
    }
}

Tile next_tile(const Job& job, const Task& task, Index done, float* space) {
    Tile tile;
    place(job, task.first + done, task.count - done, tile);
    tile.queries = space;
    tile.sums = tile.queries + job.D * tile.width;
    tile.largest = tile.sums + job.Dv * tile.width;
    tile.weights = tile.largest + tile.width;
    return tile;
}

void attend(const Job& job, const Task& task, float* scratch, bool* unsure) {
    Space space;
    space.tiles = scratch;
    space.logits = space.tiles + rounded_up(task.count) * (job.D + job.Dv + 2);
    space.keys = space.logits + key_block * wide * N;
    space.values = space.keys + key_block * rounded_up(job.D);
    space.panels = space.values + key_block * rounded_up(job.Dv);
    space.row = space.panels + key_block * rounded_up(job.Dv);

    Tile tiles[most_tiles];
    Index tile_count = 0, visible = 0;
    float* at = space.tiles;
    for (Index done = 0; done < task.count; done += tiles[tile_count++].count) {
        Tile& tile = tiles[tile_count] = next_tile(job, task, done, at);
        at = tile.weights + tile.width;
        visible = std::max(visible, tile.visible);
        gather(job, task, tile, job.q, job.D, sign_of(job.scale), space.row, tile.queries);
        std::fill(tile.sums, tile.largest, 0.0f);
        std::fill(tile.largest, tile.weights, never);
        std::fill(tile.weights, tile.weights + tile.width, 0.0f);
    }
    for (Index begin = 0; begin < visible; begin += key_block) {
        const Index end = std::min(begin + key_block, visible);
        Operand keys;
        const float* panels = space.panels;
        Index panel_rows = end - begin;
        if (task.packed != nullptr) {
            keys = as_groups(task.packed + begin * job.D, job.D);
            panels = task.packed + in_groups(job.Lk) * job.D + begin * job.Dv;
            panel_rows = std::min(key_block, job.Lk - begin);
        } else {
            keys = as_rows(float_rows(job.storage, job.k, task.b, task.kv, begin, end, job.D, space.keys));
            pack_panels(float_rows(job.storage, job.v, task.b, task.kv, begin, end, job.Dv, space.values), job.Dv,
                        panel_rows, space.panels);
        }
        for (Index t = 0; t < tile_count; ++t) {
            const Tile& tile = tiles[t];
            const Index count = std::min(end, tile.visible) - begin;
            if (count <= 0) continue;
            if (tile.width == 3 * N)
                absorb<3>(job, task, tile, keys, panels, panel_rows, begin, count, space.logits);
            else if (tile.width == 2 * N)
                absorb<2>(job, task, tile, keys, panels, panel_rows, begin, count, space.logits);
            else
                absorb<1>(job, task, tile, keys, panels, panel_rows, begin, count, space.logits);
        }
    }
    for (Index t = 0; t < tile_count; ++t) write_rows(job, task, tiles[t], unsure);
}
