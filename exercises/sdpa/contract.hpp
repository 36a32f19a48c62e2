// What an attempt at `sdpa` defines: scaled dot-product attention. README.md beside this file is the statement.
// Each function is one level's or more; a missing one fails only the levels that need it.
#ifndef ASSAY_SDPA_CONTRACT_HPP
#define ASSAY_SDPA_CONTRACT_HPP

#include <assay/half.hpp>
#include <assay/optional.hpp>
#include <assay/tensor.hpp>

namespace sdpa {

using assay::bfloat16;
using assay::half;
using assay::optional;
using assay::tensor;

/// out = softmax(scale * q kᵀ) v over the keys each query may attend; levels 1 to 5 and the hygiene bonus.
///   q (B, Hq, Lq, D) · k (B, Hkv, Lk, D) · v (B, Hkv, Lk, Dv) · out (B, Hq, Lq, Dv); any strides >= 0, D >= 1.
///   mask: rank 4, each extent 1 (broadcast) or full (B, Hq, Lq, Lk); true = may attend; absent = all may.
///   causal: query i may attend key j iff j <= i + Lk - Lq (bottom-right), ANDed with the mask.
///   scale: absent = 1/sqrt(D).
///   Hq is a multiple of Hkv; query head h reads key/value head h / (Hq / Hkv).
///   A row that may attend nothing is exactly 0. Lk may be 0. Inputs must not be changed; every element of out is
///   written.
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out);

/// The same on float16 storage, scores and sums in float32, result in float32; level 6.
void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out);

/// The same on bfloat16 storage, scores and sums in float32, result in float32; level 6.
void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out);

/// float16 in, float32 inside, float16 out (rounded once, at the end); level 6.
void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out);

/// bfloat16 in, float32 inside, bfloat16 out (rounded once, at the end); level 6.
void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out);

// Level 7, streaming: one head whose keys arrive in blocks, each shown once. What is remembered lies in `state`,
// (Lq, Dv + 4) floats of any meaning you like, kept by the caller between calls and copied freely: it holds no
// pointers. The views here have strides as all others do, `state` included.

/// Makes `state` (Lq, Dv + 4) the state in which nothing has been absorbed; every element is written.
void begin(tensor<float, 2> state);

/// Takes one block of n >= 0 keys into `state` (Lq, Dv + 4): q (Lq, D), k (n, D), v (n, Dv), mask (Lq, n) true = may
/// attend. A block may be empty or fully masked, the first one too.
void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale);

/// Adds to `into` (Lq, Dv + 4) what `from` (Lq, Dv + 4) absorbed from other blocks of the same rows.
/// Merging a state that absorbed nothing changes nothing.
void merge(tensor<float, 2> into, tensor<const float, 2> from);

/// Writes the attention output (Lq, Dv) over everything absorbed; rows that attended nothing are exactly 0.
void finish(tensor<const float, 2> state, tensor<float, 2> out);

/// Level 8: the gradients dq, dk, dv of sum(dout * out) with respect to q, k and v, out being what `attention` gives
/// for the same q, k, v, mask, causal and scale.
///   dout (B, Hq, Lq, Dv); dq, dk, dv have the extents of q, k, v; each has strides of its own, as all views do.
///   Neither out nor anything else of the forward pass is handed in: recompute what you need of it.
///   dk and dv are sums over the queries of every head that reads the key: over the whole group. Where a view repeats
///   an element (stride 0), each index has a gradient of its own. A row that may attend nothing has a dq of exactly 0
///   and adds nothing to dk and dv; a key that no query attends has a dk and dv of exactly 0. Lk may be 0. Every
///   element of dq, dk and dv is written; before, they hold rubbish.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv);

/// Bonus: attention with a bias on the logits and a sliding window.
///   Query i stands at position p = i + Lk - Lq among the keys. The logit of key j is
///   scale * (q . k_j) - slopes[h] * |p - j| (ALiBi; the bias is not scaled); slopes (Hq), >= 0.
///   window >= 1: only keys with |p - j| < window may be attended (the window counts the key at p itself);
///   window = 0: no window. It is ANDed with mask and causal.
void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out);

} // namespace sdpa

// The list that judge and worker build their calls from: (namespace, function, parameter names).
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(sdpa, attention, "q k v mask causal scale out")                                                           \
    FUNCTION(sdpa, attention_f16, "q k v mask causal scale out")                                                       \
    FUNCTION(sdpa, attention_bf16, "q k v mask causal scale out")                                                      \
    FUNCTION(sdpa, attention_f16_stored, "q k v mask causal scale out")                                                \
    FUNCTION(sdpa, attention_bf16_stored, "q k v mask causal scale out")                                               \
    FUNCTION(sdpa, begin, "state")                                                                                     \
    FUNCTION(sdpa, absorb, "state q k v mask scale")                                                                   \
    FUNCTION(sdpa, merge, "into from")                                                                                 \
    FUNCTION(sdpa, finish, "state out")                                                                                \
    FUNCTION(sdpa, attention_backward, "q k v mask causal scale dout dq dk dv")                                        \
    FUNCTION(sdpa, attention_biased, "q k v mask causal scale slopes window out")

#endif
