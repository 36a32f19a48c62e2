// Types and functions of a contract as Python writes them down.
#ifndef ASSAY_PYTHON_PYTHON_TYPES_HPP
#define ASSAY_PYTHON_PYTHON_TYPES_HPP

#include "core/contract.hpp"

#include <string>
#include <string_view>

namespace assay {

/// "float", "Tensor", "costs", as an annotation.
std::string hint_of(const ContractType& type);

/// "def attention(q, k, out):", at this indentation, a method's with self.
std::string definition(const ContractFunction& function, std::string_view indent);

/// The call, and a line for each parameter: "q: float32 tensor, 4 axes".
std::string described(const ContractFunction& function, std::string_view indent);

/// Whether a record's field starts as unset.
bool text_needs_unset(const Contract& contract);

} // namespace assay

#endif
