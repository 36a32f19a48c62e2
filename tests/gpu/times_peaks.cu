// What this GPU's own matrix products and copies reach: the measure of all shares. cuBLAS is opened at run time, where
// there is one: the build needs none.
#include "clock.cuh"

#include <cuda_fp16.h>
#include <dlfcn.h>

namespace assay::gpu {

namespace {

// As cublas_v2.h has them since version 11.
using Create = int (*)(void**);
using SetStream = int (*)(void*, cudaStream_t);
using Gemm = int (*)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                     const void*, void*, int, int, int, int);
constexpr int no_transpose = 0, real_16f = 2, compute_32f = 68, algorithm_default = -1;

__global__ void fill_halves_kernel(__half* to, std::size_t count, std::uint64_t seed) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < count; e += stride)
        to[e] = __float2half(number_at(seed, e));
}

void* open_cublas() {
    for (const char* name : {"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11"})
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    return nullptr;
}

double gemm_rate(Clock& clock) {
    void* const library = open_cublas();
    if (library == nullptr) return 0;
    const auto create = reinterpret_cast<Create>(dlsym(library, "cublasCreate_v2"));
    const auto set_stream = reinterpret_cast<SetStream>(dlsym(library, "cublasSetStream_v2"));
    const auto gemm = reinterpret_cast<Gemm>(dlsym(library, "cublasGemmEx"));
    void* handle = nullptr;
    if (create == nullptr || set_stream == nullptr || gemm == nullptr || create(&handle) != 0) return 0;
    if (set_stream(handle, clock.stream()) != 0) return 0;
    constexpr int n = 8192;
    constexpr std::size_t count = static_cast<std::size_t>(n) * n;
    Memory<__half> a(count), b(count), c(count);
    const float one = 1.0f, zero = 0.0f;
    bool worked = true;
    Time time;
    clock.measure(
        time, 10,
        [&](int turn) {
            fill_halves_kernel<<<1024, 256, 0, clock.stream()>>>(a.data(), count, 2 * turn);
            fill_halves_kernel<<<1024, 256, 0, clock.stream()>>>(b.data(), count, 2 * turn + 1);
            checked(cudaGetLastError(), "fresh inputs");
        },
        [&](cudaStream_t) {
            worked = worked && gemm(handle, no_transpose, no_transpose, n, n, n, &one, a.data(), real_16f, n, b.data(),
                                    real_16f, n, &zero, c.data(), real_16f, n, compute_32f, algorithm_default) == 0;
        },
        [](int) {});
    return worked ? 2.0 * n * n * n / (time.milliseconds * 1e-3) : 0;
}

} // namespace

Peaks measure_peaks() {
    Clock clock;
    Peaks peaks;
    peaks.gemm = gemm_rate(clock);
    constexpr std::size_t bytes = std::size_t{1} << 30;
    Memory<unsigned char> from(bytes), to(bytes);
    Time time;
    clock.measure(
        time, 10, [](int) {},
        [&](cudaStream_t stream) {
            checked(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream), "a copy");
        },
        [](int) {});
    peaks.copy = 2.0 * bytes / (time.milliseconds * 1e-3);
    return peaks;
}

} // namespace assay::gpu
