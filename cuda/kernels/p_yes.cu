// Yes's share of two labels in the next-token distribution, float32 logits (exercises/p_yes/README.md). The normaliser
// cancels in p, which is made of the labels' raw log-sums alone.
//
//     nvcc -std=c++20 -O3 -arch=native -c p_yes.cu
//
// version 1: a block a row reads the whole vocabulary; the labels' ids are gathered by the same block.
// version 2: two levels. Blocks of 8192 logits leave maximum and sum, then a block a row merges them: a vocabulary of
//            256k keeps 32 blocks busy where version 1 has one.
#include "checked.hpp"
#include "kernels.hpp"

#include <cuda_runtime.h>

#include <cmath>

namespace assay::kernels {

constexpr int threads = 256, part = 8192;

/// A sum of exp(x), as its largest x and the sum of exp(x - most); nothing at all is (-inf, 0).
struct LogSum {
    float most = -INFINITY, sum = 0.0f;
    __device__ float log() const { return sum > 0.0f ? most + logf(sum) : -INFINITY; }
    __device__ void add(float x) { *this = merged(*this, {x, x == -INFINITY ? 0.0f : 1.0f}); }
    /// A side of -inf must not meet itself in a difference.
    __device__ static LogSum merged(LogSum a, LogSum b) {
        const float most = fmaxf(a.most, b.most);
        const float left = a.most == most ? a.sum : a.sum * expf(a.most - most);
        return {most, left + (b.most == most ? b.sum : b.sum * expf(b.most - most))};
    }
};

/// Every thread gets the sum of all, merged in a fixed order. May be called again at once.
__device__ LogSum block_log_sum(LogSum mine, LogSum* tree) {
    tree[threadIdx.x] = mine;
    __syncthreads();
    for (int stride = threads / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) tree[threadIdx.x] = LogSum::merged(tree[threadIdx.x], tree[threadIdx.x + stride]);
        __syncthreads();
    }
    mine = tree[0];
    __syncthreads(); // everybody has read it before it is written over
    return mine;
}

__device__ LogSum label_log_sum(const float* row, TokenList label, LogSum* tree) {
    LogSum mine;
    for (int n = threadIdx.x; n < label.count; n += threads) mine.add(row[label.ids[n]]);
    return block_log_sum(mine, tree);
}

/// The row's outputs, once its vocabulary has been summed up.
__device__ void answer(const float* row, TokenList yes, TokenList no, LogSum all, const PYesOutputs& outputs, int r,
                       LogSum* tree) {
    const float raw_yes = label_log_sum(row, yes, tree).log(), raw_no = label_log_sum(row, no, tree).log();
    if (threadIdx.x != 0) return;
    const float log_yes = raw_yes - all.log(), log_no = raw_no - all.log();
    const float z = raw_yes - raw_no;
    outputs.log_yes[r] = log_yes;
    outputs.log_no[r] = log_no;
    outputs.p[r] = z < 0.0f ? expf(z) / (1.0f + expf(z)) : 1.0f / (1.0f + expf(-z));
    outputs.mass[r] = expf(log_yes) + expf(log_no);
}

__global__ void p_yes_kernel1(const float* logits, int vocabulary, TokenList yes, TokenList no, PYesOutputs outputs) {
    __shared__ __align__(8) unsigned char memory[threads * sizeof(LogSum)];
    LogSum* const tree = reinterpret_cast<LogSum*>(memory);
    const float* row = logits + static_cast<size_t>(blockIdx.x) * vocabulary;
    LogSum mine;
    for (int t = threadIdx.x; t < vocabulary; t += threads) mine.add(row[t]);
    answer(row, yes, no, block_log_sum(mine, tree), outputs, blockIdx.x, tree);
}

__global__ void p_yes_parts_kernel2(const float* logits, int vocabulary, LogSum* parts) {
    __shared__ __align__(8) unsigned char memory[threads * sizeof(LogSum)];
    LogSum* const tree = reinterpret_cast<LogSum*>(memory);
    const float* row = logits + static_cast<size_t>(blockIdx.y) * vocabulary;
    const int first = blockIdx.x * part, end = min(vocabulary, first + part);
    float most = -INFINITY;
    for (int t = first + threadIdx.x; t < end; t += threads) most = fmaxf(most, row[t]);
    LogSum mine{most, 0.0f};
    if (most != -INFINITY)
        for (int t = first + threadIdx.x; t < end; t += threads) mine.sum += expf(row[t] - most);
    mine = block_log_sum(mine, tree);
    if (threadIdx.x == 0) parts[static_cast<size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = mine;
}

__global__ void p_yes_kernel2(const float* logits, int vocabulary, const LogSum* parts, int count, TokenList yes,
                              TokenList no, PYesOutputs outputs) {
    __shared__ __align__(8) unsigned char memory[threads * sizeof(LogSum)];
    LogSum* const tree = reinterpret_cast<LogSum*>(memory);
    LogSum mine;
    for (int n = threadIdx.x; n < count; n += threads)
        mine = LogSum::merged(mine, parts[static_cast<size_t>(blockIdx.x) * count + n]);
    answer(logits + static_cast<size_t>(blockIdx.x) * vocabulary, yes, no, block_log_sum(mine, tree), outputs,
           blockIdx.x, tree);
}

int parts_of(int vocabulary) { return (vocabulary + part - 1) / part; }

std::size_t p_yes_room(int rows, int vocabulary) {
    return sizeof(LogSum) / sizeof(float) * static_cast<std::size_t>(rows) * parts_of(vocabulary);
}

void p_yes(int version, const float* logits, int rows, int vocabulary, TokenList yes, TokenList no,
           const PYesOutputs& outputs, float* room, cudaStream_t stream) {
    require(version == 1 || version == 2, "p_yes has versions 1 and 2");
    require(vocabulary >= 1 && yes.count >= 1 && no.count >= 1, "p_yes: a vocabulary and both labels have tokens");
    require(rows <= 65535, "p_yes: a grid has room for 65535 rows");
    if (rows == 0) return;
    if (version == 1) {
        p_yes_kernel1<<<rows, threads, 0, stream>>>(logits, vocabulary, yes, no, outputs);
    } else {
        auto* const parts = reinterpret_cast<LogSum*>(room);
        const int count = parts_of(vocabulary);
        p_yes_parts_kernel2<<<dim3(count, rows), threads, 0, stream>>>(logits, vocabulary, parts);
        checked(cudaGetLastError(), "p_yes: the parts of the vocabulary");
        p_yes_kernel2<<<rows, threads, 0, stream>>>(logits, vocabulary, parts, count, yes, no, outputs);
    }
    checked(cudaGetLastError(), "p_yes");
}

} // namespace assay::kernels
