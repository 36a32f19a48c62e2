// C++ type names as a person writes them.
#ifndef ASSAY_ATTEMPT_TYPE_NAMES_HPP
#define ASSAY_ATTEMPT_TYPE_NAMES_HPP

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// "assay::tensor<float const, 4ul>" becomes "tensor<const float, 4>"; default allocators and inline namespaces go.
std::string short_type(std::string_view demangled);

/// The parameters between the outermost parentheses of "name(a, b<c, d>)", shortened; none for "name()" and "name".
std::vector<std::string> parameters_of_function(std::string_view demangled);

/// "a::f" of "a::f(int) const": without parameters, shortened.
std::string function_name(std::string_view demangled);

/// `text` with every `from` turned to `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

} // namespace assay

#endif
