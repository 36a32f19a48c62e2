// Included once an instruction set, inside its namespace: gradients, a stripe of queries against all its keys.
//
// Nothing of the forward pass is handed in. What FlashAttention-2 (Dao 2023, algorithm 2) computes twice for want of
// fast memory, logits and dout · v, a stripe of 96 rows keeps: 768 bytes a key, in the second or third cache. That
// leaves five products of the seven, and no running maximum. With w = exp(logit - largest), l = Σ w:
//   δ = Σ w (dout · v) / l, which is dout · out · p = w / l · dS = p (dout · v - δ)
//   dq = scale Σ_keys dS k · dk = scale Σ_rows dS q · dv = Σ_rows p dout

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
