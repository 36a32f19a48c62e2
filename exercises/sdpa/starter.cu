// Your attempt at `sdpa` in CUDA. README.md beside this file says what is asked; contract.cuh has the exact signatures.
//
// Everything here compiles and runs, and gives zeros, which is wrong from level 1 on. Start with `attention`: levels 1
// to 5 need nothing else, and each later function fails only its own level.
#include "contract.cuh"

namespace sdpa {

namespace {

// T is float, __half or __nv_bfloat16: all convert to float, and T(x) rounds a float x to T. One thread an element.
template <class T> __global__ void fill_with_zeros_kernel(device_view<T, 4> out) {
    long rest = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (rest >= out.size()) return;
    const long d = rest % out.extent(3);
    rest /= out.extent(3);
    const long i = rest % out.extent(2);
    rest /= out.extent(2);
    out(rest / out.extent(1), rest % out.extent(1), i, d) = T(0.0f);
}

template <class T> void fill_with_zeros(device_view<T, 4> out, cudaStream_t stream) {
    constexpr int threads = 128;
    if (out.size() == 0) return; // a grid has at least one block
    fill_with_zeros_kernel<<<(out.size() + threads - 1) / threads, threads, 0, stream>>>(out);
}

} // namespace

// Levels 1 to 5 and the hygiene bonus.
void attention(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
               optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale, device_view<float, 4> out,
               cudaStream_t stream) {
    fill_with_zeros(out, stream);
}

// Level 6.
void attention_f16(device_view<const __half, 4> q, device_view<const __half, 4> k, device_view<const __half, 4> v,
                   optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                   device_view<float, 4> out, cudaStream_t stream) {
    fill_with_zeros(out, stream);
}

void attention_bf16(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                    device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                    optional<float> scale, device_view<float, 4> out, cudaStream_t stream) {
    fill_with_zeros(out, stream);
}

void attention_f16_stored(device_view<const __half, 4> q, device_view<const __half, 4> k,
                          device_view<const __half, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                          optional<float> scale, device_view<__half, 4> out, cudaStream_t stream) {
    fill_with_zeros(out, stream);
}

void attention_bf16_stored(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                           device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask,
                           bool causal, optional<float> scale, device_view<__nv_bfloat16, 4> out, cudaStream_t stream) {
    fill_with_zeros(out, stream);
}

// Level 8.
void attention_backward(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
                        optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                        device_view<const float, 4> dout, device_view<float, 4> dq, device_view<float, 4> dk,
                        device_view<float, 4> dv, cudaStream_t stream) {
    fill_with_zeros(dq, stream);
    fill_with_zeros(dk, stream);
    fill_with_zeros(dv, stream);
}

} // namespace sdpa
