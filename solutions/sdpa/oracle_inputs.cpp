// Reads a problem's tensors into dense float64 arrays.
#include "oracle_inputs.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace assay::sdpa_judge {

namespace {

struct Walk {
    std::array<std::int64_t, 4> extents{1, 1, 1, 1};
    std::array<std::int64_t, 4> strides{0, 0, 0, 0};
};

/// Pads to rank 4 in front; strides of the view, or row-major ones.
Walk walk_of(const Array& array, bool contiguous) {
    Walk walk;
    const std::size_t pad = 4 - array.rank();
    std::int64_t step = 1;
    for (std::size_t axis = array.rank(); axis-- > 0;) {
        walk.extents[pad + axis] = array.extents[axis];
        walk.strides[pad + axis] = contiguous ? step : array.strides[axis];
        step *= array.extents[axis];
    }
    return walk;
}

/// One loop a storage type: the conversion is chosen outside it.
template <class T, class Read> std::vector<T> gather(const Array& array, const Walk& walk, Read read) {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(array.size()));
    const std::byte* base = array.storage.data();
    for (std::int64_t a = 0; a < walk.extents[0]; ++a)
        for (std::int64_t b = 0; b < walk.extents[1]; ++b)
            for (std::int64_t c = 0; c < walk.extents[2]; ++c) {
                const std::int64_t row = array.offset + a * walk.strides[0] + b * walk.strides[1] + c * walk.strides[2];
                for (std::int64_t d = 0; d < walk.extents[3]; ++d)
                    values.push_back(read(base, static_cast<std::size_t>(row + d * walk.strides[3])));
            }
    return values;
}

bool inside(const Array& array, const Walk& walk) {
    std::int64_t last = array.offset;
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (walk.extents[axis] == 0) return true;
        last += (walk.extents[axis] - 1) * walk.strides[axis];
    }
    return last < array.storage_elements();
}

std::vector<double> numbers(const Array& array, const Walk& walk) {
    if (array.dtype == Dtype::f32)
        return gather<double>(array, walk, [](const std::byte* base, std::size_t at) {
            float value = 0;
            std::memcpy(&value, base + at * sizeof value, sizeof value);
            return static_cast<double>(value);
        });
    return gather<double>(array, walk,
                          [dtype = array.dtype, size = size_of(array.dtype)](const std::byte* base, std::size_t at) {
                              return load(dtype, base + at * size);
                          });
}

std::size_t extent(const Array& array, std::size_t from_last) {
    return static_cast<std::size_t>(array.extents[array.rank() - 1 - from_last]);
}

} // namespace

Route route_of(const Problem& problem) {
    if (problem.route == "attention") return Route::attention;
    if (problem.route == "attention_f16") return Route::f16;
    if (problem.route == "attention_bf16") return Route::bf16;
    if (problem.route == "attention_f16_stored") return Route::f16_stored;
    if (problem.route == "attention_bf16_stored") return Route::bf16_stored;
    if (problem.route == "attention_biased") return Route::biased;
    if (problem.route == "attention_backward") return Route::backward;
    if (problem.route == "stream") return Route::stream;
    throw std::logic_error("sdpa has no route '" + problem.route + "'");
}

double Inputs::default_scale() const { return 1.0 / std::sqrt(static_cast<double>(D)); }

Dtype Inputs::output_dtype() const {
    if (route == Route::f16_stored) return Dtype::f16;
    if (route == Route::bf16_stored) return Dtype::bf16;
    return Dtype::f32;
}

Dtype Inputs::storage_dtype() const {
    if (route == Route::f16 || route == Route::f16_stored) return Dtype::f16;
    if (route == Route::bf16 || route == Route::bf16_stored) return Dtype::bf16;
    return Dtype::f32;
}

std::optional<Inputs> read_inputs(const Problem& problem, Reading reading) {
    Inputs in;
    in.route = route_of(problem);
    const bool packed = reading == Reading::contiguous || reading == Reading::contiguous_values_strided_mask;
    const Array& q = problem.array("q");
    const Array& k = problem.array("k");
    const Array& v = problem.array("v");
    if (q.rank() == 4) {
        in.B = extent(q, 3);
        in.Hq = extent(q, 2);
        in.Hkv = extent(k, 2);
    }
    in.Lq = extent(q, 1);
    in.D = extent(q, 0);
    in.Lk = extent(k, 1);
    in.Dv = extent(v, 0);

    const Walk walk_q = walk_of(q, packed);
    const Walk walk_k = walk_of(k, packed);
    Walk walk_v = walk_of(v, packed);
    if (reading == Reading::value_rows_of_d) {
        const auto d = static_cast<std::int64_t>(in.D);
        const auto rows = static_cast<std::int64_t>(in.Lk);
        walk_v.strides = {static_cast<std::int64_t>(in.Hkv) * rows * d, rows * d, d, 1};
    }
    if (!inside(q, walk_q) || !inside(k, walk_k) || !inside(v, walk_v)) return std::nullopt;
    in.q = numbers(q, walk_q);
    in.k = numbers(k, walk_k);
    in.v = numbers(v, walk_v);

    if (problem.has("mask")) {
        const Array& mask = problem.array("mask");
        const Walk walk = walk_of(mask, reading == Reading::contiguous);
        if (!inside(mask, walk)) return std::nullopt;
        in.has_mask = true;
        for (std::size_t axis = 0; axis < 4; ++axis)
            in.mask_extents[axis] = static_cast<std::size_t>(walk.extents[axis]);
        in.mask = gather<std::uint8_t>(mask, walk, [](const std::byte* base, std::size_t at) {
            return static_cast<std::uint8_t>(base[at] != std::byte{0} ? 1 : 0);
        });
    }
    if (problem.has("causal")) in.causal = problem.flag("causal");
    // the contract passes a float, so the float's value is the input
    if (problem.has("scale")) in.scale = static_cast<double>(static_cast<float>(problem.number_or("scale", 1)));
    if (in.route == Route::backward) {
        const Array& dout = problem.array("dout");
        Walk walk = walk_of(dout, packed || reading == Reading::contiguous_dout);
        if (reading == Reading::dout_features_together) walk.strides[3] = 1;
        if (!inside(dout, walk)) return std::nullopt;
        in.dout = numbers(dout, walk);
    }
    if (in.route == Route::biased) {
        const Array& slopes = problem.array("slopes");
        in.slopes = numbers(slopes, walk_of(slopes, packed));
        in.window = problem.integer("window");
    }
    if (const Field* out = problem.find("out"); out != nullptr && std::holds_alternative<Array>(out->value))
        in.out_contiguous = std::get<Array>(out->value).is_contiguous();
    return in;
}

} // namespace assay::sdpa_judge
