// Host code that uses the runtime API rightly and wrongly. Each function gives the errors it met, in order.
#include "api.hpp"

#include <cuda_runtime.h>

__global__ void mark_kernel(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void dynamic_kernel(int* out) {
    extern __shared__ int line[];
    line[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = line[threadIdx.x];
}
template <class T> __global__ void copy_kernel(T* to, const T* from, T scale) { to[threadIdx.x] = scale * from[threadIdx.x]; }

int launch_error(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, size_t shared) {
    int out[1024];
    mark_kernel<<<dim3(gx, gy, gz), dim3(bx, by, bz), shared>>>(out);
    return cudaGetLastError();
}

int opt_in(int bytes, int launched) {
    int out[32];
    if (cudaFuncSetAttribute(dynamic_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
        return -1;
    dynamic_kernel<<<1, 32, launched>>>(out);
    return cudaGetLastError();
}

int round_trip(const float* in, float* out, int n) {
    float *from = nullptr, *to = nullptr;
    cudaStream_t stream;
    cudaEvent_t before, after;
    const size_t bytes = n * sizeof(float);
    if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess) return 1;
    if (cudaStreamCreate(&stream) != cudaSuccess) return 2;
    if (cudaEventCreate(&before) != cudaSuccess || cudaEventCreate(&after) != cudaSuccess) return 3;
    cudaEventRecord(before, stream);
    cudaMemcpyAsync(from, in, bytes, cudaMemcpyHostToDevice, stream);
    copy_kernel<float><<<1, n, 0, stream>>>(to, from, 2); // the int converts as in any call
    cudaMemcpyAsync(out, to, bytes, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(after, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess) return 4;
    float milliseconds = -1.0f;
    if (cudaEventElapsedTime(&milliseconds, before, after) != cudaSuccess || milliseconds < 0.0f) return 5;
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    cudaStreamDestroy(stream);
    if (cudaFree(from) != cudaSuccess || cudaFree(to) != cudaSuccess) return 6;
    return cudaGetLastError();
}

void misuses(int errors[8]) {
    float host[4] = {}, *device = nullptr;
    cudaMalloc(&device, sizeof host);
    errors[0] = cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice); // the wrong way round
    errors[1] = cudaMemcpy(device, host, sizeof host + 1, cudaMemcpyHostToDevice);
    errors[2] = cudaMemset(device, 0, sizeof host + 1);
    errors[3] = cudaFree(host);
    errors[4] = cudaGetLastError(); // the last of them
    errors[5] = cudaGetLastError(); // which is then forgotten
    errors[6] = cudaSetDevice(1);
    cudaFree(device);
    errors[7] = cudaFree(device);
}
