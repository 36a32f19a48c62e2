// Included once an instruction set, inside its namespace: gradients, a stripe of queries against all its keys.
//
// Nothing of the forward pass is handed in. What FlashAttention-2 (Dao 2023, algorithm 2) computes twice for want of
// fast memory, logits and dout · v, a stripe of 96 rows keeps: 768 bytes a key, in the second or third cache. That
// leaves five products of the seven, and no running maximum. With w = exp(logit - largest), l = Σ w:
//   δ = Σ w (dout · v) / l, which is dout · out · p = w / l · dS = p (dout · v - δ)
//   dq = scale Σ_keys dS k · dk = scale Σ_rows dS q · dv = Σ_rows p dout

constexpr Index stripe_tiles = N == 16 ? 2 : 4; // 96 rows with AVX2 and AVX-512
constexpr Index stripe_rows = stripe_tiles * wide * N;
constexpr Index back_block = 120; // keys: a multiple of `tall` and of `deep` with both

// Where vectors stand along D they come in pairs, which divide 64 and 128 features: 6 x 2 accumulators, or 12 x 2.
constexpr int deep = N == 16 ? 12 : 6;
constexpr int pair = 2;

/// Hands out parts of a task's scratch, each aligned as the whole is.
struct Purse {
    float* whole; // null: only counts
    Index used = 0;
    float* take(Index count) {
        float* part = whole == nullptr ? nullptr : whole + used;
        used += (count + 15) / 16 * 16;
        return part;
    }
};

struct Stripe {
    Tile tiles[stripe_tiles];      // their `sums` gather dq, (D, width)
    Index count = 0, visible = 0;  // tiles; keys that any of their rows may see
    float* douts[stripe_tiles];    // (Dv, width)
    float* weights[stripe_tiles];  // (Lk, width): logits, w, then p
    float* slopes[stripe_tiles];   // (Lk, width): dout · v, then dS
    float* inverse[stripe_tiles];  // (width): 1 / l, or 0 where there is no key
    float* delta[stripe_tiles];    // (width)
    float *query_rows, *dout_rows; // pairs of vectors of columns, (rows, pair * N) after one another
};

struct BackSpace {
    Stripe stripe;
    float* key_panels;                // (D / tall, keys, tall) for each block of keys, then columns left over
    float *key_groups, *value_groups; // for several stripes, else null
    float *keys, *values, *row;
};

BackSpace laid_out(const Job& job, Index rows, Purse& purse) {
    BackSpace space;
    Stripe& stripe = space.stripe;
    for (Index t = 0; t < stripe_tiles; ++t) {
        Tile& tile = stripe.tiles[t];
        tile.queries = purse.take(job.D * wide * N);
        tile.sums = purse.take(job.D * wide * N);
        tile.largest = purse.take(wide * N);
        stripe.douts[t] = purse.take(job.Dv * wide * N);
        stripe.weights[t] = purse.take(job.Lk * wide * N);
        stripe.slopes[t] = purse.take(job.Lk * wide * N);
        stripe.inverse[t] = purse.take(wide * N);
        stripe.delta[t] = purse.take(wide * N);
    }
    stripe.query_rows = purse.take(stripe_rows * rounded_up(job.D));
    stripe.dout_rows = purse.take(stripe_rows * rounded_up(job.Dv));
    space.key_panels = purse.take(job.Lk * job.D);
    const bool several = rows > stripe_rows;
    space.key_groups = several ? purse.take(in_groups(job.Lk) * job.D) : nullptr;
    space.value_groups = several ? purse.take(in_groups(job.Lk) * job.Dv) : nullptr;
    space.keys = purse.take(back_block * job.D);
    space.values = purse.take(back_block * job.Dv);
    space.row = purse.take(std::max(job.D, job.Dv));
    return space;
}

std::size_t backward_floats(const Job& job, Index rows) {
    Purse purse{nullptr};
    laid_out(job, rows, purse);
    return static_cast<std::size_t>(purse.used);
}

/// Keys in panels, as the weighted sums read them; for several stripes keys and values in groups as well. In panels,
/// what no query attends may not be anything: 0 times NaN would be NaN.
HWY_INLINE void pack_all(const Job& job, const Task& task, BackSpace& space) {
    for (Index begin = 0; begin < job.Lk; begin += back_block) {
        const Index end = std::min(begin + back_block, job.Lk), count = end - begin;
        const FloatRows keys = float_rows(job.storage, job.k, task.b, task.kv, begin, end, job.D, space.keys);
        pack_panels(keys, job.D, count, space.key_panels + begin * job.D);
        if (space.key_groups == nullptr) continue;
        pack_groups(keys, job.D, count, space.key_groups + begin * job.D);
        const FloatRows values = float_rows(job.storage, job.v, task.b, task.kv, begin, end, job.Dv, space.values);
        pack_groups(values, job.Dv, count, space.value_groups + begin * job.Dv);
    }
    if (job.mask == nullptr && !job.causal) return;
    for (Index n = 0; n < job.Lk * job.D; ++n)
        if (!(space.key_panels[n] * 0 == 0)) space.key_panels[n] = 0;
}

/// Rows [begin, end) of k or v as an operand.
HWY_INLINE Operand operand(const Job& job, const Task& task, const View& view, const float* groups, Index begin,
                           Index end, Index D, float* space) {
    if (groups != nullptr) return as_groups(groups + begin * D, D);
    return as_rows(float_rows(job.storage, view, task.b, task.kv, begin, end, D, space));
}

/// Logits and dout · v of a tile's rows with all keys that they may see.
template <int NR> HWY_NOINLINE void look(const Job& job, const Task& task, BackSpace& space, Index t) {
    const Stripe& stripe = space.stripe;
    const Tile& tile = stripe.tiles[t];
    V largest[NR], top[NR];
#pragma GCC unroll 3
    for (int n = 0; n < NR; ++n) largest[n] = hn::Set(lanes, never);
    for (Index begin = 0; begin < tile.visible; begin += back_block) {
        const Index end = std::min(begin + back_block, tile.visible), count = end - begin;
        float* logits = stripe.weights[t] + begin * NR * N;
        float* slopes = stripe.slopes[t] + begin * NR * N;
        const Operand keys = operand(job, task, job.k, space.key_groups, begin, end, job.D, space.keys);
        logits_of<NR>(job, task, tile, keys, begin, count, logits, top);
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) largest[n] = hn::Max(largest[n], top[n]);
        const Operand values = operand(job, task, job.v, space.value_groups, begin, end, job.Dv, space.values);
        products<NR>(stripe.douts[t], values, job.Dv, count, slopes, top);
        if (job.mask != nullptr || end > tile.all_see) hide(job, task, tile, begin, count, 0, slopes);
    }
#pragma GCC unroll 3
    for (int n = 0; n < NR; ++n) hn::Store(reference_of(largest[n]), lanes, tile.largest + n * N);
    std::fill(stripe.weights[t] + tile.visible * NR * N, stripe.weights[t] + stripe.visible * NR * N, never);
    std::fill(stripe.slopes[t] + tile.visible * NR * N, stripe.slopes[t] + stripe.visible * NR * N, 0.0f);
}

/// Logits become w; 1 / l and δ. Sums of a block first, then of blocks: the error grows with either count alone.
HWY_NOINLINE void weigh_all(const Job& job, const Stripe& stripe, Index t) {
    const Tile& tile = stripe.tiles[t];
    const Exponent c = exponent_of(job.scale);
    const V zero = hn::Zero(lanes);
    for (Index n = 0; n < tile.width; n += N) {
        const V reference = hn::Load(lanes, tile.largest + n);
        V total = zero, delta = zero;
        for (Index begin = 0; begin < stripe.visible; begin += back_block) {
            V total_here = zero, delta_here = zero;
            for (Index j = begin; j < std::min(begin + back_block, stripe.visible); ++j) {
                float* at = stripe.weights[t] + j * tile.width + n;
                const V weight = exp2_of_product(hn::Sub(hn::Load(lanes, at), reference), c);
                hn::Store(weight, lanes, at);
                total_here = hn::Add(total_here, weight);
                delta_here = hn::MulAdd(weight, hn::Load(lanes, stripe.slopes[t] + j * tile.width + n), delta_here);
            }
            total = hn::Add(total, total_here);
            delta = hn::Add(delta, delta_here);
        }
        const auto nothing = hn::Eq(total, zero);
        hn::Store(hn::IfThenZeroElse(nothing, hn::Div(hn::Set(lanes, 1.0f), total)), lanes, stripe.inverse[t] + n);
        hn::Store(hn::IfThenZeroElse(nothing, hn::Div(delta, total)), lanes, stripe.delta[t] + n);
    }
}

/// Of a block: w becomes p, dout · v becomes dS, and dq gathers dS · k.
template <int NR>
HWY_NOINLINE void slope(const Job& job, const BackSpace& space, Index t, Index begin, Index count, Index packed) {
    const Stripe& stripe = space.stripe;
    float* weights = stripe.weights[t] + begin * NR * N;
    float* slopes = stripe.slopes[t] + begin * NR * N;
    V inverse[NR], delta[NR], one[NR];
#pragma GCC unroll 3
    for (int n = 0; n < NR; ++n) {
        inverse[n] = hn::Load(lanes, stripe.inverse[t] + n * N);
        delta[n] = hn::Load(lanes, stripe.delta[t] + n * N);
        one[n] = hn::Set(lanes, 1.0f);
    }
    for (Index j = 0; j < count; ++j)
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) {
            const Index at = (j * NR + n) * N;
            const V p = hn::Mul(hn::Load(lanes, weights + at), inverse[n]);
            hn::Store(p, lanes, weights + at);
            hn::Store(hn::Mul(p, hn::Sub(hn::Load(lanes, slopes + at), delta[n])), lanes, slopes + at);
        }
    const float* panels = space.key_panels + begin * job.D;
    float* sums = stripe.tiles[t].sums;
    Index x = 0;
    for (; x + tall <= job.D; x += tall)
        add_columns<tall, NR>(panels + x * packed, slopes, count, one, sums + x * NR * N);
    for (; x < job.D; ++x) add_columns<1, NR>(panels + x * packed, slopes, count, one, sums + x * NR * N);
}

/// sums (key, NR * N) += Σ_rows weights(key, row) · panel (row, NR * N), for MR keys from `key` on.
template <int MR, int NR>
HWY_INLINE void add_keys(const Stripe& stripe, float* const* weights, Index key, const float* panel, float* sums) {
    V sum[MR][NR];
    clear<MR, NR>(sum);
    for (Index t = 0; t < stripe.count; ++t) {
        const Index width = stripe.tiles[t].width;
        accumulate<MR, NR>(weights[t] + key * width, width, 1, panel, width, sum);
        panel += width * NR * N;
    }
#pragma GCC unroll 12
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 3
        for (int n = 0; n < NR; ++n) {
            float* at = sums + ((key + m) * NR + n) * N;
            hn::Store(hn::Add(hn::Load(lanes, at), sum[m][n]), lanes, at);
        }
}

template <int NR> HWY_NOINLINE void add_block(const Stripe& stripe, float* const* weights, Index begin, Index end,
                                              const float* panel, float* sums) {
    Index key = begin;
    for (; key + deep <= end; key += deep) add_keys<deep, NR>(stripe, weights, key, panel, sums);
    for (; key + 2 <= end; key += 2) add_keys<2, NR>(stripe, weights, key, panel, sums);
    if (key < end) add_keys<1, NR>(stripe, weights, key, panel, sums);
}

/// What the stripe's rows add to `width` columns of dk or dv: `sums` holds pairs of vectors of columns, (Lk, pair * N)
/// after one another.
HWY_INLINE void add_rows_to_keys(const Job& job, const Stripe& stripe, float* const* weights, Index begin, Index end,
                                 const float* rows, Index width, float* sums) {
    Index height = 0;
    for (Index t = 0; t < stripe.count; ++t) height += stripe.tiles[t].width;
    Index x = 0;
    for (; x + N < width; x += pair * N)
        add_block<pair>(stripe, weights, begin, end, rows + x * height, sums + x * job.Lk);
    if (x < width) add_block<1>(stripe, weights, begin, end, rows + x * height, sums + x * job.Lk);
}

/// A stripe's rows of `view`, (rows, D), as pairs of vectors of columns; 0 where there is no row or column.
HWY_INLINE void pack_rows(const Job& job, const Task& task, const Stripe& stripe, const View& view, Index D, float* row,
                          float* to) {
    Index height = 0, first = 0;
    for (Index t = 0; t < stripe.count; ++t) height += stripe.tiles[t].width;
    std::fill(to, to + height * rounded_up(D), 0.0f);
    for (Index t = 0; t < stripe.count; first += stripe.tiles[t++].width)
        for (Index r = 0; r < stripe.tiles[t].count; ++r) {
            const Index at = stripe.tiles[t].first + r;
            to_floats(job.storage, view.data,
                      task.b * view.stride[0] + job.head(task.kv, at) * view.stride[1] + job.query(at) * view.stride[2],
                      view.stride[3], D, row);
            for (Index x = 0; x < D; x += pair * N) {
                const Index width = x + N < D ? pair * N : N;
                std::memcpy(to + x * height + (first + r) * width, row + x,
                            static_cast<std::size_t>(std::min(width, D - x)) * sizeof(float));
            }
        }
}

HWY_INLINE void write_dq(const Job& job, const Task& task, const Tile& tile) {
    for (Index r = 0; r < tile.count; ++r) {
        const Index row = tile.first + r;
        float* to = static_cast<float*>(const_cast<void*>(job.dq.data)) + task.b * job.dq.stride[0] +
                    job.head(task.kv, row) * job.dq.stride[1] + job.query(row) * job.dq.stride[2];
        for (Index x = 0; x < job.D; ++x) to[x * job.dq.stride[3]] = job.scale * tile.sums[x * tile.width + r];
    }
}

/// Calls `work` with the tile's number of vectors as a type.
template <class Work> HWY_INLINE void with_width(const Tile& tile, const Work& work) {
    if (tile.width == 3 * N)
        work(std::integral_constant<int, 3>());
    else if (tile.width == 2 * N)
        work(std::integral_constant<int, 2>());
    else
        work(std::integral_constant<int, 1>());
}

/// Rows [first, first + count) of the task's list, at most stripe_rows: writes their dq, adds to dk and dv.
void stripe_backward(const Job& job, const Task& task, BackSpace& space, Index first, Index count) {
    Stripe& stripe = space.stripe;
    stripe.count = stripe.visible = 0;
    for (Index done = 0; done < count; done += stripe.tiles[stripe.count++].count) {
        Tile& tile = stripe.tiles[stripe.count];
        place(job, first + done, std::min<Index>(count - done, wide * N), tile);
        stripe.visible = std::max(stripe.visible, tile.visible);
        gather(job, task, tile, job.q, job.D, sign_of(job.scale), space.row, tile.queries);
        gather(job, task, tile, job.dout, job.Dv, 1, space.row, stripe.douts[stripe.count]);
        std::fill(tile.sums, tile.sums + job.D * tile.width, 0.0f);
    }
    for (Index t = 0; t < stripe.count; ++t) {
        with_width(stripe.tiles[t],
                   [&](auto vectors) HWY_ATTR { look<decltype(vectors)::value>(job, task, space, t); });
        weigh_all(job, stripe, t);
    }
    pack_rows(job, task, stripe, job.q, job.D, space.row, stripe.query_rows);
    pack_rows(job, task, stripe, job.dout, job.Dv, space.row, stripe.dout_rows);
    float* dk = task.partial;
    float* dv = dk + job.Lk * rounded_up(job.D);
    for (Index begin = 0; begin < stripe.visible; begin += back_block) {
        const Index end = std::min(begin + back_block, stripe.visible);
        const Index packed = std::min(back_block, job.Lk - begin);
        for (Index t = 0; t < stripe.count; ++t)
            with_width(stripe.tiles[t], [&](auto vectors) HWY_ATTR {
                slope<decltype(vectors)::value>(job, space, t, begin, end - begin, packed);
            });
        add_rows_to_keys(job, stripe, stripe.slopes, begin, end, stripe.query_rows, job.D, dk);
        add_rows_to_keys(job, stripe, stripe.weights, begin, end, stripe.dout_rows, job.Dv, dv);
    }
    for (Index t = 0; t < stripe.count; ++t) write_dq(job, task, stripe.tiles[t]);
}

void backward(const Job& job, const Task& task, float* scratch) {
    Purse purse{scratch};
    BackSpace space = laid_out(job, task.count, purse);
    std::fill(task.partial, task.partial + job.Lk * (rounded_up(job.D) + rounded_up(job.Dv)), 0.0f);
    pack_all(job, task, space);
    for (Index done = 0; done < task.count; done += stripe_rows)
        stripe_backward(job, task, space, task.first + done, std::min(stripe_rows, task.count - done));
}

std::size_t partial_floats(const Job& job) {
    return static_cast<std::size_t>(job.Lk * (rounded_up(job.D) + rounded_up(job.Dv)));
}

/// The task's keys of a head's dk or dv (`to`) from the parts' sums, in their order, times `factor`.
HWY_INLINE void join_one(const Job& job, const View& to, const Task& task, const float* parts, Index count, Index apart,
                         Index width, float factor) {
    float* head = static_cast<float*>(const_cast<void*>(to.data)) + task.b * to.stride[0] + task.kv * to.stride[1];
    for (Index x = 0; x < width; x += N) {
        const Index panel = x / (pair * N) * (pair * N), columns = panel + N < width ? pair * N : N;
        for (Index j = task.key_begin; j < task.key_end; ++j) {
            V sum = hn::Zero(lanes);
            for (Index part = 0; part < count; ++part)
                sum = hn::Add(sum, hn::Load(lanes, parts + part * apart + panel * job.Lk + j * columns + x - panel));
            HWY_ALIGN float row[N];
            hn::Store(hn::Mul(hn::Set(lanes, factor), sum), lanes, row);
            float* at = head + j * to.stride[2] + x * to.stride[3];
            for (Index n = 0; n < std::min(N, width - x); ++n) at[n * to.stride[3]] = row[n];
        }
    }
}

void join(const Job& job, const Task& task, const float* parts, Index count) {
    const Index apart = static_cast<Index>(partial_floats(job));
    join_one(job, job.dk, task, parts, count, apart, job.D, job.scale);
    join_one(job, job.dv, task, parts + job.Lk * rounded_up(job.D), count, apart, job.Dv, 1);
}
