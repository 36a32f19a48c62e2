// From the contract's arguments to a job, and memory to work in.
#ifndef SDPA_FAST_PREPARE_HPP
#define SDPA_FAST_PREPARE_HPP

#include "contract.hpp"
#include "job.hpp"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace fast {

using assay::optional;
using assay::tensor;

struct Free {
    void operator()(void* p) const { std::free(p); }
};

inline std::unique_ptr<float, Free> aligned_floats(std::size_t count) {
    const std::size_t bytes = (count * sizeof(float) + 64) / 64 * 64; // of nothing as well
    void* space = std::aligned_alloc(64, bytes);
    if (space == nullptr) throw std::bad_alloc();
    return std::unique_ptr<float, Free>(static_cast<float*>(space));
}

template <class T> constexpr Storage storage_of() {
    if (sizeof(T) == 4) return Storage::float32;
    return std::is_same_v<std::remove_const_t<T>, assay::half> ? Storage::float16 : Storage::bfloat16;
}

template <class T> View view_of(tensor<T, 4> t) {
    return {t.data(), {t.stride(0), t.stride(1), t.stride(2), t.stride(3)}};
}

/// All but what is to be written.
template <class In> Job job_of(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale) {
    Job job;
    job.B = q.extent(0), job.Hq = q.extent(1), job.Hkv = k.extent(1);
    job.Lq = q.extent(2), job.Lk = k.extent(2), job.D = q.extent(3), job.Dv = v.extent(3);
    job.group = job.Hq / job.Hkv;
    job.storage = storage_of<In>(), job.out_storage = Storage::float32;
    job.q = view_of(q), job.k = view_of(k), job.v = view_of(v);
    if (mask) {
        job.mask = mask->data();
        for (std::size_t axis = 0; axis < 4; ++axis)
            job.mask_stride[axis] = mask->extent(axis) == 1 ? 0 : mask->stride(axis);
    }
    job.causal = causal;
    job.scale = scale.value_or(1 / std::sqrt(static_cast<float>(job.D)));
    return job;
}

} // namespace fast

#endif
