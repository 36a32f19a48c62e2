// The right kernels' launches. Pointers are device pointers, sizes are elements.
#ifndef ASSAY_TESTS_CUDA_RIGHT_HPP
#define ASSAY_TESTS_CUDA_RIGHT_HPP

void sum_tree(const float* in, float* out, int n);
void sum_shuffle(const float* in, float* out, int n);
void sum_tiles(const float* in, float* out, int n);
void scan(const int* in, int* out, int n);                                                // n <= 1024
void matmul(const float* a, const float* b, float* c, int m, int n, int k);               // c = a b, all by rows
void softmax(const float* in, float* out, int rows, int columns);                         // of each row
void compact(const int* in, int* out, int* count, int n);                                 // n <= 1024
void histogram(const int* in, int* bins, int* longest, int n);                            // bins and longest start as 0
int filter(const float* in, float* out, int n, const float weights[3]);                   // n <= 4096; gives the error
void half_axpy(const unsigned short* x, unsigned short* y, float a, int n);               // y = a x + y in half
void bfloat16_sum(const unsigned short* in, float* out, int n);                           // n <= 1024
void wmma_half(const unsigned short* a, const unsigned short* b, float* c, int n, int k); // half of a b; a is 16 x k

#endif
