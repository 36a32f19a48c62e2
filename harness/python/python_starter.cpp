// The attempt that a workspace begins with, where an exercise has no starter.py of its own.
#include "python/contract_python.hpp"
#include "python/python_types.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace assay {

namespace {

using Kind = ContractType::Kind;

/// The names that the starter uses, in the contract's order.
std::string imports(const Contract& contract) {
    std::string names, line;
    const auto add = [&](const std::string& name) {
        if (line.size() + name.size() > 100) {
            names += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "    " : " ") + name + ",";
    };
    for (const auto& constant : contract.constants) add(constant.first);
    for (const ContractEnumeration& one : contract.enumerations) add(one.name);
    for (const ContractRecord& one : contract.records) add(one.name);
    for (const std::string& one : contract.classes) add(one);
    names += line;
    return names.empty() ? "" : fmt::format("from contract import (\n{}\n)\n", names);
}

/// "MyRoundRobin" of "round_robin".
std::string class_name(const std::string& name) {
    std::string own = "My";
    bool start = true;
    for (const char c : name) {
        if (c != '_') own += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        start = c == '_';
    }
    return own;
}

bool uses_var(const ContractFunction& function) { return function.result.kind == Kind::var; }

std::string answer(const ContractType& result) {
    switch (result.kind) {
    case Kind::record: return fmt::format("return {}()", result.name);
    case Kind::object: return fmt::format("return {}()", class_name(result.name));
    case Kind::var: return "return Var(0.0)";
    default: return "pass";
    }
}

std::string own_class(const std::string& name, const Contract& contract) {
    std::string text = fmt::format("\n\nclass {}({}):\n", class_name(name), name);
    for (const ContractFunction& method : contract.methods)
        if (method.of == name)
            text += fmt::format("{}{}        {}\n",
                                text.back() == '\n' && text.find("def ") != std::string::npos ? "\n" : "",
                                definition(method, "    "), answer(method.result));
    return text;
}

} // namespace

std::string python_starter(const Contract& contract) {
    const bool var = std::any_of(contract.functions.begin(), contract.functions.end(), uses_var);
    std::string text = fmt::format("\"\"\"An attempt at `{}`. README.md is the statement, contract.hpp says what each "
                                   "function takes,\nand contract.py how that is said in Python.\n\n"
                                   "A tensor is read by t[i, j] and written by out[i, j] = x; it has .shape, and "
                                   "t.tolist() and\nnumpy.asarray(t) give all of it.",
                                   contract.exercise);
    if (var)
        text += " exp, log, min, max and clamp take a Var or a number, and\n"
                "sum() adds up either; x.value() and x.detach() are as in C++.";
    text += "\"\"\"\n\n";
    if (var) text += "from assay import Var, clamp, exp, log, max, min\n";
    text += imports(contract);
    for (const std::string& name : contract.classes) text += own_class(name, contract);
    for (const ContractFunction& function : contract.functions)
        text += "\n\n" + definition(function, "") + fmt::format("    {}\n", answer(function.result));
    return text;
}

} // namespace assay
