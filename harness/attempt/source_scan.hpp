// Reads a C++ file's include directives off its text, without a preprocessor.
#ifndef ASSAY_ATTEMPT_SOURCE_SCAN_HPP
#define ASSAY_ATTEMPT_SOURCE_SCAN_HPP

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One `#include`, or a name that `__has_include` asks for.
struct IncludeDirective {
    std::string name;    // "tensor.hpp" without its quotes or brackets
    bool quoted = false; // "..." rather than <...>
    std::size_t line = 0;
};

/// Every include of the file in order, those in comments left out, those behind a false `#if` taken too.
std::vector<IncludeDirective> find_includes(std::string_view text);

/// The standard headers that the file includes before anything but comments, `#pragma once` and includes of
/// contract.hpp. What follows a macro definition is not among them: the macro might change what the header means.
/// A header beside the file is looked into where `beside` has its text (null where it has none), its include guard
/// passed over.
using Beside = std::function<const std::string*(const std::string& name)>;
std::vector<std::string> leading_standard_headers(std::string_view text, const Beside& beside = {});

/// The same for an attempt in CUDA, where `known` tells which headers there are beside the standard ones
/// ("cuda_runtime.h"): in the order in which they are met, which means something there, and with those that
/// contract.cuh begins with.
using Known = std::function<bool(const std::string& name)>;
std::vector<std::string> leading_known_headers(std::string_view text, const Beside& beside, const std::string& contract,
                                               const Known& known);

/// Whether `name` is a header of the C++ (up to C++23) or C standard library.
bool is_standard_header(std::string_view name);

} // namespace assay

#endif
