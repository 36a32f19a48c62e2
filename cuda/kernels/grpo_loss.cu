// GRPO's loss, forward, float32 (exercises/grpo/README.md): a term a token, then one number.
//
//     nvcc -std=c++20 -O3 -arch=native -c grpo_loss.cu
//
// version 1: a thread a token writes the terms; then one thread a sequence sums its own.
// version 2: a warp a sequence writes the terms and sums them on the way, so that they are not read again.
// Both end with one block that adds the sequences up, in a fixed order.
#include "checked.hpp"
#include "kernels.hpp"
#include "reduce.cuh"

namespace assay::kernels {

constexpr int threads = 256;

/// A sequence's terms, summed, and how many tokens it has.
struct Sequence {
    float sum, tokens;
};

__device__ inline float clamped(float x, float low, float high) { return fminf(fmaxf(x, low), high); }

/// The objective of a token that is not masked.
__device__ float term_of(const GrpoInputs& in, const GrpoRule& rule, size_t at, float advantage) {
    const float lp = in.lp_new[at], limit = rule.log_ratio_limit;
    const float ratio = in.lp_old == nullptr ? 1.0f : expf(clamped(lp - in.lp_old[at], -limit, limit));
    const float clipped = clamped(ratio, 1.0f - rule.clip_low, 1.0f + rule.clip_high);
    float term = fminf(ratio * advantage, clipped * advantage);
    if (in.lp_ref != nullptr && rule.beta != 0.0f) {
        const float d = clamped(in.lp_ref[at] - lp, -limit, limit);
        term -= rule.beta * (expm1f(d) - d); // exp(d) - d - 1 would cancel twice
    }
    return term;
}

__global__ void grpo_terms_kernel1(GrpoInputs in, GrpoRule rule, float* terms) {
    const size_t at = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= static_cast<size_t>(in.sequences) * in.tokens) return;
    terms[at] = in.mask[at] ? term_of(in, rule, at, in.advantage[at / in.tokens]) : 0.0f;
}

__global__ void grpo_sums_kernel1(GrpoInputs in, const float* terms, Sequence* sums) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= in.sequences) return;
    float sum = 0.0f, tokens = 0.0f;
    for (int t = 0; t < in.tokens; ++t) {
        const size_t at = static_cast<size_t>(n) * in.tokens + t;
        sum += terms[at];
        tokens += in.mask[at] ? 1.0f : 0.0f;
    }
    sums[n] = {sum, tokens};
}

__global__ void grpo_terms_kernel2(GrpoInputs in, GrpoRule rule, float* terms, Sequence* sums) {
    const int lane = threadIdx.x % 32, n = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (n >= in.sequences) return; // a whole warp
    const float advantage = in.advantage[n];
    float sum = 0.0f, tokens = 0.0f;
    for (int t = lane; t < in.tokens; t += 32) {
        const size_t at = static_cast<size_t>(n) * in.tokens + t;
        const bool counts = in.mask[at];
        const float term = counts ? term_of(in, rule, at, advantage) : 0.0f;
        terms[at] = term;
        sum += term;
        tokens += counts ? 1.0f : 0.0f;
    }
    sum = warp_sum(sum);
    tokens = warp_sum(tokens);
    if (lane == 0) sums[n] = {sum, tokens};
}

__global__ void grpo_loss_kernel(const Sequence* sums, int sequences, GrpoRule rule, float* loss) {
    __shared__ float tree[threads];
    const bool by_sequence = rule.how == Aggregation::sequence_mean;
    float sum = 0.0f, tokens = 0.0f;
    for (int n = threadIdx.x; n < sequences; n += threads) {
        const Sequence one = sums[n];
        if (one.tokens > 0.0f) sum += by_sequence ? one.sum / one.tokens : one.sum;
        tokens += one.tokens;
    }
    sum = block_sum(sum, tree);
    tokens = block_sum(tokens, tree); // exact up to 2^24 tokens
    if (threadIdx.x != 0) return;
    if (rule.how == Aggregation::token_mean)
        *loss = tokens > 0.0f ? -sum / tokens : 0.0f;
    else
        *loss = -sum / (by_sequence ? sequences : static_cast<float>(sequences) * rule.longest);
}

void grpo_loss(int version, const GrpoInputs& inputs, const GrpoRule& rule, float* terms, float* loss, float* room,
               cudaStream_t stream) {
    require(version == 1 || version == 2, "grpo_loss has versions 1 and 2");
    require(inputs.sequences >= 1 && inputs.tokens >= 1, "grpo_loss: there is at least one sequence of one token");
    const size_t all = static_cast<size_t>(inputs.sequences) * inputs.tokens;
    require(all <= 1 << 24, "grpo_loss: a float counts up to 2^24 tokens");
    auto* const sums = reinterpret_cast<Sequence*>(room);
    if (version == 1) {
        grpo_terms_kernel1<<<(all + threads - 1) / threads, threads, 0, stream>>>(inputs, rule, terms);
        checked(cudaGetLastError(), "grpo_loss: terms");
        grpo_sums_kernel1<<<(inputs.sequences + threads - 1) / threads, threads, 0, stream>>>(inputs, terms, sums);
    } else {
        grpo_terms_kernel2<<<(inputs.sequences + 3) / 4, 128, 0, stream>>>(inputs, rule, terms, sums);
    }
    checked(cudaGetLastError(), "grpo_loss: sums of sequences");
    grpo_loss_kernel<<<1, threads, 0, stream>>>(sums, inputs.sequences, rule, loss);
    checked(cudaGetLastError(), "grpo_loss");
}

} // namespace assay::kernels
