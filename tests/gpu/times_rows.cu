// Times of kernels that memory bounds. Their outputs are compared with the trials' references before (main.cu); here
// every timed output must be finite throughout.
#include "clock.cuh"
#include "kernels.hpp"

#include <cmath>
#include <limits>

namespace assay::gpu {

namespace {

__global__ void fill_floats_kernel(float* to, std::size_t count, std::uint64_t seed) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < count; e += stride)
        to[e] = 4.0f * number_at(seed, e);
}

void fill(Memory<float>& memory, int seed, cudaStream_t stream) {
    fill_floats_kernel<<<1024, 256, 0, stream>>>(memory.data(), memory.size(), seed);
    checked(cudaGetLastError(), "fresh inputs");
}

__global__ void count_kernel(const float* values, std::size_t count, int* not_finite) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < count; e += stride)
        if (!(fabsf(values[e]) < INFINITY)) atomicAdd(not_finite, 1);
}

/// Infinite where an element is not finite.
double off_of(Memory<float>& memory) {
    Memory<int> count(1);
    int not_finite = 0;
    checked(cudaMemset(count.data(), 0, sizeof(int)), "counting what is not finite");
    count_kernel<<<1024, 256>>>(memory.data(), memory.size(), count.data());
    checked(cudaGetLastError(), "counting what is not finite");
    checked(cudaMemcpy(&not_finite, count.data(), sizeof(int), cudaMemcpyDeviceToHost), "counting what is not finite");
    return not_finite == 0 ? 0 : std::numeric_limits<double>::infinity();
}

} // namespace

std::vector<Time> measure_rows(int samples) {
    constexpr int rows = 16384, columns = 4096, vocabulary = 262144, prompts = 64; // 256 MiB and 64 MiB
    constexpr std::size_t count = static_cast<std::size_t>(rows) * columns;
    Clock clock;
    Memory<float> in(count), slope(count), out(count), gamma(columns), beta(columns), dgamma(columns), dbeta(columns),
        room(kernels::layernorm_backward_room(rows, columns)), logits(static_cast<std::size_t>(prompts) * vocabulary),
        answers(4 * prompts), parts(kernels::p_yes_room(prompts, vocabulary));
    const std::int32_t ids[] = {9, 200000, 131072, 31};
    Memory<std::int32_t> labels(4);
    checked(cudaMemcpy(labels.data(), ids, sizeof ids, cudaMemcpyHostToDevice), "token ids");
    std::vector<Time> times;
    const auto add = [&](const std::string& what, double bytes, Memory<float>& looked_at, auto launch) {
        Time time;
        time.what = what;
        time.bytes = bytes;
        clock.measure(
            time, samples,
            [&](int n) {
                for (Memory<float>* memory : {&in, &slope, &gamma, &beta, &logits})
                    fill(*memory, 5 * n, clock.stream());
            },
            launch, [&](int) { time.off = std::max(time.off, off_of(looked_at)); });
        times.push_back(time);
    };
    constexpr double tensor = count * sizeof(float);
    for (const int version : {1, 2}) {
        const std::string which = " " + std::to_string(version);
        add("softmax_forward" + which, 2 * tensor, out, [&](cudaStream_t stream) {
            kernels::softmax_forward(version, in.data(), out.data(), rows, columns, stream);
        });
        add("softmax_backward" + which, 3 * tensor, out, [&](cudaStream_t stream) {
            kernels::softmax_backward(version, in.data(), slope.data(), out.data(), rows, columns, stream);
        });
        add("layernorm_forward" + which, 2 * tensor, out, [&](cudaStream_t stream) {
            kernels::layernorm_forward(version, in.data(), gamma.data(), beta.data(), out.data(), rows, columns, 1e-5f,
                                       stream);
        });
        add("layernorm_backward" + which, 3 * tensor, out, [&](cudaStream_t stream) {
            kernels::layernorm_backward(version, in.data(), gamma.data(), slope.data(), out.data(), dgamma.data(),
                                        dbeta.data(), room.data(), rows, columns, 1e-5f, stream);
        });
        add("p_yes" + which, static_cast<double>(prompts) * vocabulary * sizeof(float), answers,
            [&](cudaStream_t stream) {
                float* const to = answers.data();
                kernels::p_yes(version, logits.data(), prompts, vocabulary, {labels.data(), 2}, {labels.data() + 2, 2},
                               {to, to + prompts, to + 2 * prompts, to + 3 * prompts}, parts.data(), stream);
            });
    }
    return times;
}

} // namespace assay::gpu
