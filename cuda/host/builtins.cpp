// threadIdx and its like. This file alone does not see them declared const (abi.hpp).
#include "builtins.hpp"

uint3 threadIdx{}, blockIdx{};
dim3 blockDim, gridDim;

namespace assay::simt {

void set_thread(uint3 index) { threadIdx = index; }
void set_block(uint3 index) { blockIdx = index; }
void set_extents(dim3 grid, dim3 block) {
    gridDim = grid;
    blockDim = block;
}

} // namespace assay::simt
