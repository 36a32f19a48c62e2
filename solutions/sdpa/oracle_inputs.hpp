// The inputs of one `sdpa` problem as dense float64 arrays, whatever their strides and storage types were.
#ifndef ASSAY_SDPA_ORACLE_INPUTS_HPP
#define ASSAY_SDPA_ORACLE_INPUTS_HPP

#include "core/problem.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay::sdpa_judge {

enum class Route { attention, f16, bf16, f16_stored, bf16_stored, biased, stream, backward };

Route route_of(const Problem& problem);

/// How the tensors are read off their storage: as their strides say, or (a mistake) as if they were contiguous, or with
/// the rows of v taken D apart, or dout alone as if it were contiguous or had its features side by side.
enum class Reading {
    strided,
    contiguous,
    contiguous_values_strided_mask,
    value_rows_of_d,
    contiguous_dout,
    dout_features_together
};

struct Inputs {
    Route route = Route::attention;
    std::size_t B = 1, Hq = 1, Hkv = 1, Lq = 0, Lk = 0, D = 0, Dv = 0;
    std::vector<double> q, k, v; // (B, Hq, Lq, D), (B, Hkv, Lk, D), (B, Hkv, Lk, Dv)
    std::vector<double> dout;    // (B, Hq, Lq, Dv), route backward
    bool has_mask = false;
    std::vector<std::uint8_t> mask; // of extents mask_extents
    std::array<std::size_t, 4> mask_extents{1, 1, 1, 1};
    bool causal = false;
    std::optional<double> scale;
    std::vector<double> slopes; // (Hq), route biased
    std::int64_t window = 0;
    bool out_contiguous = true;

    bool mask_at(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
        const auto& e = mask_extents;
        return mask[(((b % e[0]) * e[1] + h % e[1]) * e[2] + i % e[2]) * e[3] + j % e[3]] != 0;
    }
    double default_scale() const;
    Dtype output_dtype() const;
    Dtype storage_dtype() const; // of q, k, v
};

/// Nothing where `reading` would leave the storage.
std::optional<Inputs> read_inputs(const Problem& problem, Reading reading = Reading::strided);

} // namespace assay::sdpa_judge

#endif
