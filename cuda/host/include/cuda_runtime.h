// CUDA's runtime for kernels that run on the CPU: what an attempt sees where there is no GPU.
#ifndef ASSAY_CUDA_RUNTIME_H
#define ASSAY_CUDA_RUNTIME_H

#include "assay_simt/qualifiers.hpp" // first: other headers ask for __CUDACC__

#include "assay_simt/abi.hpp"
#include "assay_simt/api.hpp"
#include "assay_simt/atomics.hpp"
#include "assay_simt/launch.hpp"
#include "assay_simt/math.hpp"
#include "assay_simt/sync.hpp"

#endif
