// GPU solutions by version number. Pointers are device pointers, tensors are contiguous, the last dimension fastest.
#ifndef ASSAY_CUDA_KERNELS_HPP
#define ASSAY_CUDA_KERNELS_HPP

/// out (rows, columns): softmax of each row of in. Versions 1 and 2.
void softmax_forward(int version, const float* in, float* out, int rows, int columns);

/// out (rows, columns): gamma (x - mean) / sqrt(variance + epsilon) + beta of each row; gamma, beta (columns).
/// Versions 1 and 2.
void layernorm_forward(int version, const float* in, const float* gamma, const float* beta, float* out, int rows,
                       int columns, float epsilon);

/// out (heads, lq, 64): softmax(scale q kT) v for q (heads, lq, 64), k and v (heads, lk, 64). Causal: row i attends
/// keys up to i + lk - lq; a row that may attend none gives 0. Version 1 keeps a row's scores in shared memory: lk <=
/// 12224. Versions 1 and 2.
void sdpa_forward(int version, const float* q, const float* k, const float* v, float* out, int heads, int lq, int lk,
                  float scale, bool causal);

#endif
