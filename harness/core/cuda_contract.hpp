// Which of an exercise's functions its CUDA contract asks for.
#ifndef ASSAY_CORE_CUDA_CONTRACT_HPP
#define ASSAY_CORE_CUDA_CONTRACT_HPP

#include "core/exercise.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct CudaFunction {
    std::string scope, name;
    std::string readable; // its type in demangled words; entered as typeid(...).name() gives it
};

/// Called by a static object that is compiled once an exercise with a CUDA contract. Returns true.
bool enter_cuda_contract(std::string_view exercise, std::vector<CudaFunction> functions);

/// In the contract's order; empty where the exercise has no CUDA contract.
const std::vector<CudaFunction>& cuda_contract_of(std::string_view exercise);

/// Ids of the levels that need a function which the CUDA contract does not ask for.
std::vector<std::string> levels_not_in_cuda(const Exercise& exercise);

} // namespace assay

#endif
