// Included once an instruction set, inside its namespace: what a stripe of queries keeps for its gradients, and how
// tensors come into it and out of it.

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
