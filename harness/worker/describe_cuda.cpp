// Compiled once an exercise that has a CUDA contract, into the judge: enters which functions that asks for.
#include "contract.cuh"

#include "core/cuda_contract.hpp"

#include <typeinfo>

namespace {

#define ASSAY_CUDA_ROW(scope, function, names) {#scope, #function, typeid(decltype(::scope::function)).name()},
[[maybe_unused]] const bool entered =
    assay::enter_cuda_contract(ASSAY_EXERCISE_ID, {ASSAY_CUDA_CONTRACT(ASSAY_CUDA_ROW)});
#undef ASSAY_CUDA_ROW

} // namespace
