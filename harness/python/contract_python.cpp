#include "python/contract_python.hpp"

#include "python/python_types.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

using Kind = ContractType::Kind;

std::string value_in_python(const ContractName& field, const Contract& contract) {
    if (const bool* flag = std::get_if<bool>(&field.initial)) return *flag ? "True" : "False";
    if (const auto* integer = std::get_if<std::int64_t>(&field.initial)) {
        if (*integer == unset_integer) return "unset_integer";
        for (const ContractEnumeration& one : contract.enumerations)
            for (const auto& [name, number] : one.values)
                if (one.name == field.type.name && number == *integer) return one.name + "." + python_name(name);
        for (const auto& [name, held] : contract.constants)
            if (*integer != 0 && held == field.initial) return name;
        return field.type.kind == Kind::enumeration ? fmt::format("{}({})", field.type.name, *integer)
                                                    : fmt::format("{}", *integer);
    }
    const double number = std::get<double>(field.initial);
    return std::isnan(number) ? "unset" : fmt::format("{}", number) + (number == std::floor(number) ? ".0" : "");
}

std::string enumeration(const ContractEnumeration& one) {
    std::string text = fmt::format("\n\nclass {}(IntEnum):\n", one.name);
    for (const auto& [name, value] : one.values) text += fmt::format("    {} = {}\n", python_name(name), value);
    return text;
}

std::string record(const ContractRecord& one, const Contract& contract) {
    std::string slots, parameters, body;
    for (const ContractName& field : one.fields) {
        const std::string name = python_name(field.name);
        slots += fmt::format("        \"{}\",\n", name);
        parameters +=
            fmt::format("        {}: {} = {},\n", name, hint_of(field.type), value_in_python(field, contract));
        body += fmt::format("        self.{0} = {0}\n", name);
    }
    return fmt::format("\n\nclass {}:\n"
                       "    __slots__ = (\n{}    )\n\n"
                       "    def __init__(\n        self,\n{}    ):\n{}\n"
                       "    def __repr__(self):\n"
                       "        return \"{}(\" + \", \".join(f\"{{name}}={{getattr(self, name)!r}}\" for name in "
                       "self.__slots__) + \")\"\n",
                       one.name, slots, parameters, body, one.name);
}

std::string class_of(const std::string& name, const Contract& contract) {
    std::string text = fmt::format("\n\nclass {}:\n    \"\"\"Derive from it.\"\"\"\n", name);
    for (const ContractFunction& method : contract.methods)
        if (method.of == name)
            text += fmt::format("\n{}        raise NotImplementedError\n", definition(method, "    "));
    return text;
}

} // namespace

std::string contract_module(const Contract& contract) {
    std::string text = fmt::format("\"\"\"The contract of `{}` in Python. contract.hpp says what everything means; "
                                   "this file is made from it, and\n"
                                   "changes to it change nothing.\n\n"
                                   "What an attempt defines, and how each argument is passed:\n",
                                   contract.exercise);
    for (const ContractFunction& function : contract.functions) text += "\n" + described(function, "    ");
    text += "\"\"\"\n\n";
    if (!contract.enumerations.empty()) text += "from enum import IntEnum\n\n";
    const bool holds_unset = text_needs_unset(contract);
    if (holds_unset) text += "from assay import unset, unset_integer  # noqa: F401\n";
    if (!contract.constants.empty()) text += "\n";
    for (const auto& [name, held] : contract.constants) {
        const ContractName constant{name, {}, held};
        text += fmt::format("{} = {}\n", name, value_in_python(constant, Contract{}));
    }
    for (const ContractEnumeration& one : contract.enumerations) text += enumeration(one);
    for (const ContractRecord& one : contract.records) text += record(one, contract);
    for (const std::string& name : contract.classes) text += class_of(name, contract);
    return text;
}

std::vector<std::string> explain_missing_in_python(const Contract& contract, const std::vector<std::string>& missing) {
    std::vector<std::string> reasons;
    for (const std::string& name : missing)
        for (const ContractFunction& function : contract.functions)
            if (function.name == name)
                reasons.push_back(fmt::format("{} is not defined: write def {}", name, python_call(function)));
    return reasons;
}

} // namespace assay
