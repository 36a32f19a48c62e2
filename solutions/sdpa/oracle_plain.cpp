// The plain float32 implementation, and the contract's preconditions.
#include "oracle.hpp"
#include "oracle_gradients.hpp"
#include "oracle_inputs.hpp"
#include "oracle_slips.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace assay::sdpa_judge {

namespace {

/// Distance of key j from the position of query i.
std::int64_t distance(const Inputs& in, std::size_t i, std::size_t j) {
    return std::abs(static_cast<std::int64_t>(i + in.Lk) - static_cast<std::int64_t>(j + in.Lq));
}

bool may_attend(const Inputs& in, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
    if (in.has_mask && !in.mask_at(b, h, i, j)) return false;
    if (in.causal && j + in.Lq > i + in.Lk) return false;
    return in.window == 0 || distance(in, i, j) < in.window;
}

bool fits(const Array& array, std::initializer_list<std::int64_t> extents) {
    return std::equal(array.extents.begin(), array.extents.end(), extents.begin(), extents.end());
}

bool shapes_fit(const Problem& problem) {
    const Array& q = problem.array("q");
    const Array& k = problem.array("k");
    const Array& v = problem.array("v");
    const bool backward = problem.route == "attention_backward";
    const Array& out = problem.array(backward ? "dout" : "out"); // of one shape
    const std::size_t rank = problem.route == "stream" ? 2 : 4;
    if (q.rank() != rank || k.rank() != rank || v.rank() != rank || out.rank() != rank) return false;
    const auto last = [](const Array& array, std::size_t n) { return array.extents[array.rank() - 1 - n]; };
    if (last(q, 0) < 1 || last(k, 0) != last(q, 0) || last(v, 1) != last(k, 1)) return false;
    if (last(v, 0) < 1 || last(q, 1) < 1) return false;
    if (rank == 2) {
        if (!problem.has("mask") || !problem.has("scale")) return false;
        return fits(problem.array("mask"), {q.extents[0], k.extents[0]}) && fits(out, {q.extents[0], v.extents[1]});
    }
    const std::int64_t B = q.extents[0], Hq = q.extents[1], Hkv = k.extents[1], Lq = q.extents[2], Lk = k.extents[2];
    if (B < 1 || Hq < 1 || Hkv < 1 || Hq % Hkv != 0) return false;
    if (k.extents[0] != B || v.extents[0] != B || v.extents[1] != Hkv) return false;
    if (!fits(out, {B, Hq, Lq, v.extents[3]})) return false;
    if (backward && (problem.array("dq").extents != q.extents || problem.array("dk").extents != k.extents ||
                     problem.array("dv").extents != v.extents))
        return false;
    if (!problem.has("mask")) return true;
    const Array& mask = problem.array("mask");
    const std::int64_t full[] = {B, Hq, Lq, Lk};
    if (mask.rank() != 4) return false;
    for (std::size_t axis = 0; axis < 4; ++axis)
        if (mask.extents[axis] != 1 && mask.extents[axis] != full[axis]) return false;
    return true;
}

bool finite(const double* from, std::size_t count) {
    return std::all_of(from, from + count, [](double x) { return std::isfinite(x); });
}

/// Finite wherever somebody may attend; q and dout everywhere.
bool attended_are_finite(const Inputs& in) {
    if (!finite(in.q.data(), in.q.size()) || !finite(in.dout.data(), in.dout.size())) return false;
    for (std::size_t b = 0; b < in.B; ++b)
        for (std::size_t h = 0; h < in.Hq; ++h)
            for (std::size_t j = 0; j < in.Lk; ++j) {
                const std::size_t at = (b * in.Hkv + h / (in.Hq / in.Hkv)) * in.Lk + j;
                if (finite(&in.k[at * in.D], in.D) && finite(&in.v[at * in.Dv], in.Dv)) continue;
                for (std::size_t i = 0; i < in.Lq; ++i)
                    if (may_attend(in, b, h, i, j)) return false;
            }
    return true;
}

} // namespace

Outputs plain(const Problem& problem) {
    const Inputs in = *read_inputs(problem);
    if (in.route == Route::backward) return plain_gradients(problem, in);
    const float scale = in.scale ? static_cast<float>(*in.scale) : 1 / std::sqrt(static_cast<float>(in.D));
    std::vector<double> result;
    result.reserve(in.B * in.Hq * in.Lq * in.Dv);
    std::vector<float> logits(in.Lk), row(in.Dv);
    for (std::size_t b = 0; b < in.B; ++b)
        for (std::size_t h = 0; h < in.Hq; ++h) {
            const std::size_t kv = (b * in.Hkv + h / (in.Hq / in.Hkv)) * in.Lk;
            for (std::size_t i = 0; i < in.Lq; ++i) {
                const double* query = &in.q[((b * in.Hq + h) * in.Lq + i) * in.D];
                float m = -std::numeric_limits<float>::infinity();
                for (std::size_t j = 0; j < in.Lk; ++j) {
                    if (!may_attend(in, b, h, i, j)) continue;
                    float dot = 0;
                    for (std::size_t d = 0; d < in.D; ++d)
                        dot += static_cast<float>(query[d]) * static_cast<float>(in.k[(kv + j) * in.D + d]);
                    logits[j] = scale * dot;
                    if (in.route == Route::biased)
                        logits[j] -= static_cast<float>(in.slopes[h]) * static_cast<float>(distance(in, i, j));
                    m = std::max(m, logits[j]);
                }
                float sum = 0;
                std::fill(row.begin(), row.end(), 0.0f);
                for (std::size_t j = 0; j < in.Lk; ++j) {
                    if (!may_attend(in, b, h, i, j)) continue;
                    const float weight = std::exp(logits[j] - m);
                    sum += weight;
                    for (std::size_t d = 0; d < in.Dv; ++d)
                        row[d] += weight * static_cast<float>(in.v[(kv + j) * in.Dv + d]);
                }
                for (const float x : row) result.push_back(sum > 0 ? static_cast<double>(x / sum) : 0.0);
            }
        }
    Outputs outputs;
    outputs.arrays.emplace_back("out", Array::of(in.output_dtype(), problem.array("out").extents, result));
    return outputs;
}

bool valid(const Problem& problem) {
    if (!shapes_fit(problem)) return false;
    if (problem.route == "attention_biased") {
        const Array& slopes = problem.array("slopes");
        if (!fits(slopes, {problem.array("q").extents[1]}) || problem.integer("window") < 0) return false;
        for (const double slope : slopes.values())
            if (!(slope >= 0)) return false;
    }
    if (problem.route == "stream") {
        const Array& blocks = problem.array("blocks");
        if (blocks.rank() != 1) return false;
        for (const double length : blocks.values())
            if (!(length >= 0)) return false;
    }
    if (problem.has("scale") && !std::isfinite(static_cast<float>(problem.number_or("scale", 1)))) return false;
    return attended_are_finite(*read_inputs(problem));
}

} // namespace assay::sdpa_judge
