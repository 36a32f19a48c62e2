// Keys of one row are split over blocks, which join their parts in global memory: the maximum by comparing and
// swapping, then weights and values by atomic additions, whose order is anybody's.
#include "row.cuh"

namespace rows {

__device__ void atomic_max(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    for (int old = *bits; __int_as_float(old) < value;) {
        const int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old) break;
        old = seen;
    }
}

/// A row of scratch: the largest logit, the sum of weights, the sums of values (Dv).
__global__ void begin_kernel(float* scratch, Index rows, Index width) {
    const Index n = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (n < rows * width) scratch[n] = n % width == 0 ? -CUDART_INF_F : 0.0f;
}

template <class In> __global__ void max_kernel(device_view<const In, 4> q, device_view<const In, 4> k, Pattern pattern,
                                               float factor, float* scratch, Index width) {
    const Row row(blockIdx.x, q, k);
    const float mine = logit(q, k, pattern, factor, row, static_cast<Index>(blockIdx.y) * blockDim.x + threadIdx.x);
    atomic_max(&scratch[blockIdx.x * width], mine);
}

template <class In> __global__ void sum_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                               device_view<const In, 4> v, Pattern pattern, float factor,
                                               float* scratch, Index width) {
    const Row row(blockIdx.x, q, k);
    const Index j = static_cast<Index>(blockIdx.y) * blockDim.x + threadIdx.x;
    const float mine = logit(q, k, pattern, factor, row, j);
    if (mine == -CUDART_INF_F) return;
    float* of_row = scratch + blockIdx.x * width;
    const float weight = expf(mine - of_row[0]);
    atomicAdd(&of_row[1], weight);
    for (Index d = 0; d < v.extent(3); ++d)
        atomicAdd(&of_row[2 + d], weight * static_cast<float>(v(row.b, row.kv, j, d)));
}

template <class Out> __global__ void finish_kernel(const float* scratch, Index width, device_view<Out, 4> out) {
    const Index L = out.extent(2), H = out.extent(1), n = blockIdx.x;
    const float* of_row = scratch + n * width;
    for (Index d = threadIdx.x; d < out.extent(3); d += blockDim.x)
        out(n / L / H, n / L % H, n % L, d) = Out(of_row[1] > 0.0f ? of_row[2 + d] / of_row[1] : 0.0f);
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    constexpr int threads = 32;
    const Index rows = rows_of(q), Lk = k.extent(2), width = v.extent(3) + 2;
    const float factor = factor_of(scale, q.extent(3));
    float* scratch = nullptr;
    check(cudaMalloc(&scratch, rows * width * sizeof(float)));
    begin_kernel<<<blocks_for(rows * width, 128), 128, 0, stream>>>(scratch, rows, width);
    if (Lk > 0) {
        const dim3 grid(rows, blocks_for(Lk, threads));
        max_kernel<<<grid, threads, 0, stream>>>(q, k, pattern, factor, scratch, width);
        sum_kernel<<<grid, threads, 0, stream>>>(q, k, v, pattern, factor, scratch, width);
    }
    finish_kernel<<<rows, threads, 0, stream>>>(scratch, width, out);
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream));
    check(cudaFree(scratch));
}

} // namespace rows

#include "functions.cuh"
