// What an attempt at `sdpa` in CUDA defines. The statement is README.md; contract.hpp says what each argument means,
// and its conventions hold here word for word.
//
// Views and masks lie in device memory, and `stream` is where work is to be queued: a function may return before the
// work is done, and the judge waits for it. Outputs hold rubbish before. What is taken with cudaMalloc is given back,
// or kept for the next call. Errors of launches and calls are the function's own to look at; one that is left is told
// as a failure. Levels streaming and alibi are not asked in CUDA.
#ifndef ASSAY_SDPA_CONTRACT_CUH
#define ASSAY_SDPA_CONTRACT_CUH

#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <assay/device.hpp>
#include <assay/optional.hpp>

namespace sdpa {

using assay::device_view;
using assay::optional;

/// out = softmax(scale * q kᵀ) v over the keys each query may attend; levels 1 to 5 and the hygiene bonus.
///   q (B, Hq, Lq, D) · k (B, Hkv, Lk, D) · v (B, Hkv, Lk, Dv) · out (B, Hq, Lq, Dv); any strides >= 0, D >= 1.
///   mask: rank 4, each extent 1 (broadcast) or full (B, Hq, Lq, Lk); true = may attend; absent = all may.
void attention(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
               optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale, device_view<float, 4> out,
               cudaStream_t stream);

/// The same on 16-bit storage, scores and sums in float32, result in float32; level 6.
void attention_f16(device_view<const __half, 4> q, device_view<const __half, 4> k, device_view<const __half, 4> v,
                   optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                   device_view<float, 4> out, cudaStream_t stream);
void attention_bf16(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                    device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                    optional<float> scale, device_view<float, 4> out, cudaStream_t stream);

/// 16 bits in, float32 inside, 16 bits out (rounded once, at the end); level 6.
void attention_f16_stored(device_view<const __half, 4> q, device_view<const __half, 4> k,
                          device_view<const __half, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                          optional<float> scale, device_view<__half, 4> out, cudaStream_t stream);
void attention_bf16_stored(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                           device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask,
                           bool causal, optional<float> scale, device_view<__nv_bfloat16, 4> out, cudaStream_t stream);

/// Level 8: the gradients dq, dk, dv of sum(dout * out) with respect to q, k and v.
///   dout (B, Hq, Lq, Dv); dq, dk, dv have the extents of q, k, v.
void attention_backward(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
                        optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                        device_view<const float, 4> dout, device_view<float, 4> dq, device_view<float, 4> dk,
                        device_view<float, 4> dv, cudaStream_t stream);

} // namespace sdpa

// The list that judge and worker build their calls from: (namespace, function, parameter names but the stream's), of
// functions that contract.hpp has as well, with tensors in the place of views.
#define ASSAY_CUDA_CONTRACT(FUNCTION)                                                                                  \
    FUNCTION(sdpa, attention, "q k v mask causal scale out")                                                           \
    FUNCTION(sdpa, attention_f16, "q k v mask causal scale out")                                                       \
    FUNCTION(sdpa, attention_bf16, "q k v mask causal scale out")                                                      \
    FUNCTION(sdpa, attention_f16_stored, "q k v mask causal scale out")                                                \
    FUNCTION(sdpa, attention_bf16_stored, "q k v mask causal scale out")                                               \
    FUNCTION(sdpa, attention_backward, "q k v mask causal scale dout dq dk dv")

#endif
