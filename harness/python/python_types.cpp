#include "python/python_types.hpp"

#include "python/contract_python.hpp"

#include <algorithm>
#include <array>
#include <assay/unset.hpp>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

using Kind = ContractType::Kind;

std::string words_for(const ContractType& type) {
    const std::string absent = type.optional ? ", or None" : "";
    switch (type.kind) {
    case Kind::boolean: return "bool" + absent;
    case Kind::integer: return "int" + absent;
    case Kind::number: return "float" + absent;
    case Kind::enumeration:
    case Kind::record: return type.name + absent;
    case Kind::list: return fmt::format("list of {}, to push on", words_for(type.item.front()));
    case Kind::object: return fmt::format("an object of a class derived from {}", type.name);
    case Kind::var: return "Var";
    case Kind::nothing: return "nothing";
    case Kind::tensor: break;
    }
    const std::string axes = type.rank == 1 ? "1 axis" : fmt::format("{} axes", type.rank);
    if (type.gradient) return fmt::format("tensor of Var, {}", axes);
    return fmt::format("{} tensor, {}{}{}", name_of(type.dtype), axes, type.writable ? ", written in place" : "",
                       absent);
}

} // namespace

std::string python_name(std::string_view name) {
    constexpr std::array words{"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
                               "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
                               "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
                               "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    const bool taken = std::any_of(words.begin(), words.end(), [&](const char* word) { return name == word; });
    return std::string(name) + (taken ? "_" : "");
}

std::string hint_of(const ContractType& type) {
    switch (type.kind) {
    case Kind::boolean: return "bool";
    case Kind::integer: return "int";
    case Kind::number: return "float";
    case Kind::enumeration:
    case Kind::record:
    case Kind::object: return type.name;
    case Kind::list: return "list";
    case Kind::var: return "Var";
    case Kind::tensor: return "Tensor";
    case Kind::nothing: break;
    }
    return "None";
}

std::string python_call(const ContractFunction& function) {
    std::string text = python_name(function.name) + "(";
    if (function.ranked) text += "group";
    for (const ContractName& parameter : function.parameters)
        text += (text.back() == '(' ? "" : ", ") + python_name(parameter.name);
    return text + ")";
}

std::string definition(const ContractFunction& function, std::string_view indent) {
    std::string call = python_call(function);
    if (!function.of.empty()) call.insert(call.find('(') + 1, function.parameters.empty() ? "self" : "self, ");
    return fmt::format("{}def {}:\n", indent, call);
}

std::string described(const ContractFunction& function, std::string_view indent) {
    std::string text = fmt::format("{}{} -> {}\n", indent, python_call(function), words_for(function.result));
    if (function.ranked)
        text += fmt::format(
            "{}    group: rank(), size(), all_reduce(buffer), all_gather(part, whole, axis=0),\n"
            "{}        reduce_scatter(whole, part, axis=0); a buffer is a tensor, a list or a numpy array\n",
            indent, indent);
    for (const ContractName& parameter : function.parameters)
        text += fmt::format("{}    {}: {}\n", indent, python_name(parameter.name), words_for(parameter.type));
    return text;
}

bool text_needs_unset(const Contract& contract) {
    for (const ContractRecord& record : contract.records)
        for (const ContractName& field : record.fields) {
            const auto* number = std::get_if<double>(&field.initial);
            const auto* integer = std::get_if<std::int64_t>(&field.initial);
            if ((number != nullptr && std::isnan(*number)) || (integer != nullptr && *integer == unset_integer))
                return true;
        }
    return false;
}

} // namespace assay
