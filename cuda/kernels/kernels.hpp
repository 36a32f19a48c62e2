// GPU solutions by version number. Pointers are device pointers; work is queued on `stream` and not waited for. Nothing
// is allocated: where a kernel needs room, the caller gives it. A version that is not there, a shape that a kernel does
// not take and a CUDA error are thrown (checked.hpp).
#ifndef ASSAY_CUDA_KERNELS_HPP
#define ASSAY_CUDA_KERNELS_HPP

#include <cstddef>
#include <cstdint>

struct CUstream_st; // as the runtime's header has it, which callers need not include
using cudaStream_t = CUstream_st*;

namespace assay::kernels {

/// A tensor (batch, head, row, column); strides in elements, each 0 or more. An output's elements must not overlap.
template <class T> struct View {
    T* data = nullptr;
    long long batch = 0, head = 0, row = 0, column = 0;
};

/// Query head h reads key and value head h / (q_heads / kv_heads). lk may be 0; d and dv are 1 to 256.
struct SdpaShape {
    int batch = 1, q_heads = 1, kv_heads = 1, lq = 1, lk = 1, d = 1, dv = 1;
};

/// q (batch, q_heads, lq, d), k (batch, kv_heads, lk, d), v (batch, kv_heads, lk, dv); mask over (batch, q_heads, lq,
/// lk), true = may attend, its data null where there is none, stride 0 along what it repeats. Causal: row i attends
/// keys up to i + lk - lq. A row that may attend nothing gives 0.
template <class T> struct Sdpa {
    SdpaShape shape;
    View<const T> q, k, v;
    View<const bool> mask;
    float scale = 1.0f;
    bool causal = false;
};

/// What 16 bits mean.
enum class Format { half, bfloat16 };

/// out (batch, q_heads, lq, dv) = softmax(scale q kT) v. lse, where it is not null, (batch, q_heads, lq) contiguous:
/// the natural logarithm of each row's sum of exp(score), -infinity where it may attend nothing. Keys that a row may
/// not attend may hold NaN. Versions 1 and 2.
void sdpa_forward(int version, const Sdpa<float>& problem, View<float> out, float* lse, cudaStream_t stream);

/// The same on tensor cores, from 16-bit storage, kept as bits. Scores and sums are float32; weights are rounded to the
/// storage type before they meet v, and their sum is that of the rounded ones. k and v must be finite, behind a mask
/// too. Half needs compute capability 7.0, bfloat16 8.0, and heads wider than 128 more shared memory than 7.5 has.
/// Version 1.
void sdpa_forward_16(int version, Format format, const Sdpa<std::uint16_t>& problem, View<float> out,
                     cudaStream_t stream);
/// The result rounded once, to the storage type.
void sdpa_forward_16(int version, Format format, const Sdpa<std::uint16_t>& problem, View<std::uint16_t> out,
                     cudaStream_t stream);

/// Gradients of sum(dout * out). dq, dk, dv have the shapes of q, k, v; lse is what sdpa_forward gave; delta is room
/// for (batch, q_heads, lq) floats. Version 1 sums in a fixed order; version 2 adds dq up by atomics, so that its last
/// bits differ from run to run.
void sdpa_backward(int version, const Sdpa<float>& problem, View<const float> dout, const float* lse, float* delta,
                   View<float> dq, View<float> dk, View<float> dv, cudaStream_t stream);

/// out (rows, columns): softmax of each row of in; both contiguous. A row of -infinity alone gives NaN. Versions 1
/// and 2.
void softmax_forward(int version, const float* in, float* out, int rows, int columns, cudaStream_t stream);

/// dx (rows, columns) = y (dy - sum of y dy over the row), y being what softmax_forward gave. Versions 1 and 2.
void softmax_backward(int version, const float* y, const float* dy, float* dx, int rows, int columns,
                      cudaStream_t stream);

/// out (rows, columns): gamma (x - mean) / sqrt(variance + epsilon) + beta of each row; gamma, beta (columns).
/// Versions 1 and 2.
void layernorm_forward(int version, const float* in, const float* gamma, const float* beta, float* out, int rows,
                       int columns, float epsilon, cudaStream_t stream);

/// How many floats layernorm_backward needs as `room`.
std::size_t layernorm_backward_room(int rows, int columns);
/// dx (rows, columns), dgamma and dbeta (columns), the latter summed over the rows in a fixed order. Versions 1 and 2.
void layernorm_backward(int version, const float* in, const float* gamma, const float* dy, float* dx, float* dgamma,
                        float* dbeta, float* room, int rows, int columns, float epsilon, cudaStream_t stream);

/// Token ids of one label: valid, distinct, at least one.
struct TokenList {
    const std::int32_t* ids = nullptr;
    int count = 0;
};
/// Of each row of logits (rows, vocabulary): natural logarithm of each label's probability, yes's share of the two, and
/// the probability of both. Logits are finite or -infinity, of the two labels not all -infinity.
struct PYesOutputs {
    float *log_yes = nullptr, *log_no = nullptr, *p = nullptr, *mass = nullptr; // (rows) each
};
/// How many floats p_yes needs as `room`.
std::size_t p_yes_room(int rows, int vocabulary);
/// Versions 1 and 2.
void p_yes(int version, const float* logits, int rows, int vocabulary, TokenList yes, TokenList no,
           const PYesOutputs& outputs, float* room, cudaStream_t stream);

/// How the terms of all tokens become one number (exercises/grpo/README.md).
enum class Aggregation { sequence_mean, token_mean, constant };
struct GrpoRule {
    float clip_low = 0.2f, clip_high = 0.2f, log_ratio_limit = 20.0f, beta = 0.0f;
    Aggregation how = Aggregation::sequence_mean;
    int longest = 1; // of `constant`
};
/// lp_old and lp_ref may be null: then the old log-probabilities are the new ones, and there is no KL term. Where the
/// mask is false the others may hold anything.
struct GrpoInputs {
    const float *lp_new = nullptr, *lp_old = nullptr, *lp_ref = nullptr; // (sequences, tokens)
    const float* advantage = nullptr;                                    // (sequences)
    const bool* mask = nullptr;                                          // (sequences, tokens)
    int sequences = 1, tokens = 1;
};
/// terms (sequences, tokens): each token's objective, 0 where the mask is false; loss (1): minus their aggregate. room:
/// 2 floats a sequence. The order of sums is fixed. Versions 1 and 2.
void grpo_loss(int version, const GrpoInputs& inputs, const GrpoRule& rule, float* terms, float* loss, float* room,
               cudaStream_t stream);

} // namespace assay::kernels

#endif
