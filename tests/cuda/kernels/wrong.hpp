// The wrong kernels' launches. Pointers are device pointers to as many elements as the block has threads.
#ifndef ASSAY_TESTS_CUDA_WRONG_HPP
#define ASSAY_TESTS_CUDA_WRONG_HPP

void missing_barrier(const float* in, float* out); // the sum of 64
void divergent_barrier(float* out);
void unwritten_shared(const float* in, float* out, int n); // doubles n of 32
void inactive_lane(const float* in, float* out);
void missing_lane(const float* in, float* out);
void own_mask(float* out);
void dynamic_overrun(float* out);
void static_overrun(float* out);
void waits_for_blocks();
void traps();
void block_order(int* out);

#endif
