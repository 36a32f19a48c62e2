// Included once an instruction set, inside its namespace: 16-bit or strided rows made plain, and columns of rows.

constexpr Index key_block = 128;

HWY_INLINE float element(Storage storage, const void* data, Index at) {
    switch (storage) {
    case Storage::float32: return static_cast<const float*>(data)[at];
    case Storage::float16: return static_cast<const assay::half*>(data)[at];
    case Storage::bfloat16: return static_cast<const assay::bfloat16*>(data)[at];
    }
    return 0;
}

/// `count` elements, `stride` apart from element `at` on, as floats.
HWY_INLINE void to_floats(Storage storage, const void* data, Index at, Index stride, Index count, float* to) {
    Index x = 0;
    if (stride == 1) {
        if (storage == Storage::float32) {
            std::memcpy(to, static_cast<const float*>(data) + at, static_cast<std::size_t>(count) * sizeof(float));
            return;
        }
        const hn::Rebind<hwy::float16_t, Lanes> halves;
        const hn::Rebind<hwy::bfloat16_t, Lanes> brains;
        const auto* bits = static_cast<const std::uint16_t*>(data) + at;
        if (storage == Storage::float16)
            for (; x + N <= count; x += N)
                hn::StoreU(hn::PromoteTo(lanes, hn::LoadU(halves, reinterpret_cast<const hwy::float16_t*>(bits + x))),
                           lanes, to + x);
        else
            for (; x + N <= count; x += N)
                hn::StoreU(hn::PromoteTo(lanes, hn::LoadU(brains, reinterpret_cast<const hwy::bfloat16_t*>(bits + x))),
                           lanes, to + x);
    }
    for (; x < count; ++x) to[x] = element(storage, data, at + x * stride);
}

/// Rows of a (L, D) part of a tensor as floats that lie side by side.
struct FloatRows {
    const float* data;
    Index stride; // from row to row
};

/// Rows [begin, end) of head `h`, copied to `space` (end - begin, width) where they are no plain floats already.
HWY_INLINE FloatRows float_rows(Storage storage, const View& view, Index b, Index h, Index begin, Index end,
                                Index width, float* space) {
    const Index at = b * view.stride[0] + h * view.stride[1] + begin * view.stride[2];
    if (storage == Storage::float32 && (view.stride[3] == 1 || width == 1))
        return {static_cast<const float*>(view.data) + at, view.stride[2]};
    for (Index j = 0; j < end - begin; ++j)
        to_floats(storage, view.data, at + j * view.stride[2], view.stride[3], width, space + j * width);
    return {space, width};
}
