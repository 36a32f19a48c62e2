// What tests/cuda/kernels/api.cu gives the tests. Errors are cudaError's numbers.
#ifndef ASSAY_TESTS_CUDA_API_HPP
#define ASSAY_TESTS_CUDA_API_HPP

#include <cstddef>

/// cudaGetLastError after a launch with this grid, block and dynamic shared memory.
int launch_error(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, std::size_t shared);
/// The same after opting in to `bytes`; -1 where that is refused.
int opt_in(int bytes, int launched);
/// out = 2 in by way of device memory, a stream and events; 0 where all went well.
int round_trip(const float* in, float* out, int n);
void misuses(int errors[8]);

#endif
