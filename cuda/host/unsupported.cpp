// Told before compiling: "cub/cub.cuh: No such file" would not say why.
#include "unsupported.hpp"

namespace assay::simt {

namespace {

struct Lack {
    std::string_view name, why;
};

constexpr Lack words[] = {
    {"asm", "runs no PTX: write what the instruction does in CUDA C++"},
    {"__asm__", "runs no PTX: write what the instruction does in CUDA C++"},
    {"cudaTextureObject_t", "has no textures: read global memory, through __ldg if you like"},
    {"tex1Dfetch", "has no textures: read global memory, through __ldg if you like"},
    {"tex2D", "has no textures: read global memory, through __ldg if you like"},
    {"cudaGraph_t", "has no graphs: launch the kernels one after another"},
    {"cudaStreamBeginCapture", "has no graphs: launch the kernels one after another"},
    {"cudaLaunchKernelEx", "launches by kernel<<<grid, block>>>(...) alone"},
    {"__cluster_dims__", "has no thread block clusters: leave __cluster_dims__ out"},
    {"__pipeline_memcpy_async", "has no asynchronous copies: let each thread copy, then __syncthreads()"},
};

/// Headers; a name that ends in / is a folder.
constexpr Lack headers[] = {
    {"cub/", "has no CUB: write the reduction or scan with shuffles and shared memory"},
    {"thrust/", "has no Thrust: write the kernel"},
    {"cuda/", "has no libcu++: use the built-in atomics and __syncthreads()"},
    {"cutlass/", "has no CUTLASS: use WMMA (mma.h)"},
    {"cute/", "has no CuTe: use WMMA (mma.h)"},
    {"cublas_v2.h", "has no cuBLAS: write the product"},
    {"cublasLt.h", "has no cuBLAS: write the product"},
    {"cudnn.h", "has no cuDNN: write the kernel"},
    {"curand.h", "has no cuRAND: the exercises give their numbers"},
    {"curand_kernel.h", "has no cuRAND: the exercises give their numbers"},
    {"cuda.h", "has no driver API: use the runtime's (cuda_runtime.h)"},
    {"nvrtc.h", "has no NVRTC: write the kernels in the file"},
    {"cuda_pipeline.h", "has no asynchronous copies: let each thread copy, then __syncthreads()"},
    {"cuda_fp8.h", "has no 8-bit floats: use half or bfloat16"},
    {"cooperative_groups/memcpy_async.h", "has no asynchronous copies: let each thread copy, then __syncthreads()"},
    {"cooperative_groups/scan.h", "has no scans of groups: write it with shfl_up"},
};

std::string sentence(std::string_view name, std::string_view why) {
    return "the CPU emulation of CUDA " + std::string(why) + " (" + std::string(name) + ")";
}

/// The header that the directive beginning at `hash` includes, or "".
std::string included(const std::vector<Token>& tokens, std::size_t hash) {
    if (hash + 2 >= tokens.size() || !tokens[hash + 1].is("include") || !tokens[hash + 2].is("<")) return {};
    std::string name;
    for (std::size_t i = hash + 3; i < tokens.size() && tokens[i].directive == tokens[hash].directive; ++i) {
        if (tokens[i].is(">")) return name;
        name += tokens[i].text;
    }
    return {};
}

} // namespace

std::vector<Unsupported> find_unsupported(const std::vector<Token>& tokens) {
    std::vector<Unsupported> found;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == Token::Kind::word)
            for (const Lack& lack : words)
                if (tokens[i].text == lack.name) found.push_back({tokens[i].line, sentence(lack.name, lack.why)});
        const bool begins = tokens[i].is("#") && (i == 0 || tokens[i - 1].directive != tokens[i].directive);
        if (!begins) continue;
        const std::string header = included(tokens, i);
        for (const Lack& lack : headers)
            if (header == lack.name || (lack.name.back() == '/' && header.substr(0, lack.name.size()) == lack.name))
                found.push_back({tokens[i].line, sentence(header, lack.why)});
    }
    return found;
}

} // namespace assay::simt
