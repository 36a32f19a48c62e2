#include "core/cuda_contract.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>

namespace assay {

namespace {

std::map<std::string, std::vector<CudaFunction>, std::less<>>& entered() {
    static std::map<std::string, std::vector<CudaFunction>, std::less<>> contracts;
    return contracts;
}

} // namespace

bool enter_cuda_contract(std::string_view exercise, std::vector<CudaFunction> functions) {
    for (CudaFunction& function : functions) {
        int status = 0;
        const std::unique_ptr<char, void (*)(void*)> words(
            abi::__cxa_demangle(function.readable.c_str(), nullptr, nullptr, &status), &std::free);
        if (words) function.readable = words.get();
    }
    entered().emplace(exercise, std::move(functions));
    return true;
}

const std::vector<CudaFunction>& cuda_contract_of(std::string_view exercise) {
    static const std::vector<CudaFunction> none;
    const auto found = entered().find(exercise);
    return found == entered().end() ? none : found->second;
}

std::vector<std::string> levels_not_in_cuda(const Exercise& exercise) {
    const std::vector<CudaFunction>& functions = cuda_contract_of(exercise.id);
    const auto is_asked = [&](const std::string& name) {
        return std::any_of(functions.begin(), functions.end(),
                           [&](const CudaFunction& function) { return function.name == name; });
    };
    std::vector<std::string> ids;
    for (const Level& level : exercise.levels)
        if (!std::all_of(level.functions.begin(), level.functions.end(), is_asked)) ids.push_back(level.id);
    return ids;
}

} // namespace assay
