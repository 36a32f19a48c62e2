// A contract in Python's words: the module that attempts import, and a starter that fails level 1.
#ifndef ASSAY_PYTHON_CONTRACT_PYTHON_HPP
#define ASSAY_PYTHON_CONTRACT_PYTHON_HPP

#include "core/contract.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// contract.py: enumerations, constants, records, and classes to derive from. What a workspace holds is what a worker
/// imports.
std::string contract_module(const Contract& contract);

/// An attempt with every function, each of which answers nothing yet.
std::string python_starter(const Contract& contract);

/// A name of the contract as Python can say it: `from` is from_.
std::string python_name(std::string_view name);

/// A sentence for each of these functions, which an attempt lacks.
std::vector<std::string> explain_missing_in_python(const Contract& contract, const std::vector<std::string>& missing);

/// "attention(q, k, v, mask, causal, scale, out)".
std::string python_call(const ContractFunction& function);

} // namespace assay

#endif
