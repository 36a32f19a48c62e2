// Sets threadIdx and its like, which attempts see as constants.
#ifndef ASSAY_SIMT_BUILTINS_HPP
#define ASSAY_SIMT_BUILTINS_HPP

#include "include/assay_simt/vector_types.hpp"

namespace assay::simt {

void set_thread(uint3 index);
void set_block(uint3 index);
void set_extents(dim3 grid, dim3 block);

} // namespace assay::simt

#endif
