// Attention's times. Rows of every timed output are compared with float64.
#include "clock.cuh"
#include "reference_sdpa.hpp"

#include <cuda_fp16.h>

namespace assay::gpu {

namespace {

constexpr int heads = 8, queries = 16384;

__global__ void fill_kernel(__half* to, std::size_t count, std::uint64_t seed) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < count; e += stride)
        to[e] = __float2half(2.0f * number_at(seed, e));
}

struct Run {
    kernels::SdpaShape shape;
    bool causal;
    Memory<std::uint16_t> q, k, v;
    Memory<float> out;

    Run(int length, int d, bool causal_)
        : shape{queries / length, heads, heads, length, length, d, d}, causal(causal_), q(count()), k(count()),
          v(count()), out(count()) {}
    std::size_t count() const { return static_cast<std::size_t>(queries) * heads * shape.d; }

    template <class T> View<T> view(T* data) const {
        const long long head = static_cast<long long>(shape.lq) * shape.d;
        return {data, heads * head, head, shape.d, 1};
    }
    void refill(int seed, cudaStream_t stream) {
        Memory<std::uint16_t>* const all[] = {&q, &k, &v};
        for (int t = 0; t < 3; ++t)
            fill_kernel<<<1024, 256, 0, stream>>>(reinterpret_cast<__half*>(all[t]->data()), count(), 3 * seed + t);
        checked(cudaGetLastError(), "fresh inputs");
    }
    kernels::Sdpa<std::uint16_t> given() {
        kernels::Sdpa<std::uint16_t> problem;
        problem.shape = shape;
        problem.q = view<const std::uint16_t>(q.data());
        problem.k = view<const std::uint16_t>(k.data());
        problem.v = view<const std::uint16_t>(v.data());
        problem.scale = 1.0f / std::sqrt(static_cast<float>(shape.d));
        problem.causal = causal;
        return problem;
    }
    /// Row i of one head, as a problem of one query and the keys that it may attend.
    double off(int seed, int b, int h, int i) {
        const int d = shape.d, keys = causal ? i + 1 : shape.lk;
        const std::size_t head = (static_cast<std::size_t>(b) * heads + h) * shape.lq * d;
        Attention problem;
        problem.shape = {1, 1, 1, 1, keys, d, d};
        problem.scale = static_cast<double>(1.0f / std::sqrt(static_cast<float>(d)));
        const auto made = [&](int tensor, int first, int rows) {
            Values values(1, 1, rows, d);
            for (std::size_t e = 0; e < values.all.size(); ++e)
                values.all[e] = AsHalf::decode(AsHalf::encode(
                    2.0f * number_at(3 * seed + tensor, head + static_cast<std::size_t>(first) * d + e)));
            return values;
        };
        problem.q = made(0, i, 1), problem.k = made(1, 0, keys), problem.v = made(2, 0, keys);
        std::vector<float> got(d);
        checked(cudaMemcpy(got.data(), out.data() + head + static_cast<std::size_t>(i) * d, d * sizeof(float),
                           cudaMemcpyDeviceToHost),
                "an output's row");
        const Arithmetic in{2 * u, 0x1p-11, 0x1p-25, 0, 0}; // as in cases_sdpa_forward.cpp
        const std::vector<Bounded> exact = row_of(problem, query_of(problem, 0, 0, 0, in), 0, 0, in);
        Outcome outcome;
        for (int c = 0; c < d; ++c) outcome.judge(got[c], exact[c]);
        return outcome.worst;
    }
};

} // namespace

std::vector<Time> measure_attention(int samples) {
    Clock clock;
    std::vector<Time> times;
    for (const int d : {64, 128})
        for (const bool causal : {false, true})
            for (int length = 1024; length <= queries; length *= 2) {
                Run run(length, d, causal);
                Time time;
                time.what = "half d " + std::to_string(d) + (causal ? " causal" : "");
                time.length = length;
                // Two products of 2 L D each; causal rows attend (L + 1) / 2 keys on average.
                time.flop = 4.0 * queries * heads * d * (causal ? (length + 1) / 2.0 : length);
                time.bytes = static_cast<double>(run.count()) * (3 * sizeof(std::uint16_t) + sizeof(float));
                clock.measure(
                    time, samples, [&](int n) { run.refill(n, clock.stream()); },
                    [&](cudaStream_t stream) {
                        kernels::sdpa_forward_16(1, kernels::Format::half, run.given(), run.view(run.out.data()),
                                                 stream);
                    },
                    [&](int n) {
                        const int last = length - 1, between = static_cast<int>(n * 977u % length);
                        time.off = std::max({time.off, run.off(n, 0, n % heads, last),
                                             run.off(n, queries / length - 1, (n + 3) % heads, between)});
                    });
                times.push_back(time);
            }
    return times;
}

} // namespace assay::gpu
