// Why a contract function is not in the library: C++ takes a function with one other parameter for another function.
#include "attempt/build.hpp"
#include "attempt/toolchain_probe.hpp"
#include "attempt/type_names.hpp"
#include "sandbox/confined.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>
#include <sstream>

namespace assay {

namespace {

/// A function that the library defines.
struct Defined {
    std::string scope; // "sdpa", "" for the global namespace
    std::string name;
    std::vector<std::string> parameters;
    bool c_linkage = false; // its parameters are not in its name
    bool is_template = false;
};

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      &std::free);
    return text ? text.get() : symbol;
}

/// "void a::f<int>(b<c>)" into its parts. What stands before the name (a template's return type) is dropped.
Defined parse(const std::string& symbol) {
    Defined function;
    const std::string text = demangled(symbol);
    function.c_linkage = text == symbol;
    function.parameters = parameters_of_function(text);
    // The qualified name ends at the first '(' or '<' that follows it at depth 0.
    std::size_t end = text.find('(');
    const std::size_t angle = text.find('<');
    if (angle < end) {
        function.is_template = true;
        end = angle;
    }
    std::string name = text.substr(0, end);
    const std::size_t space = name.rfind(' ');
    if (space != std::string::npos) name.erase(0, space + 1);
    const std::size_t colons = name.rfind("::");
    if (colons != std::string::npos) function.scope = name.substr(0, colons);
    function.name = colons == std::string::npos ? name : name.substr(colons + 2);
    return function;
}

/// By readelf, not nm: that loads its plugins for link-time optimisation first, LLVM among them, 25 ms an attempt. The
/// library is an attempt's: even readelf reads it where it can do no harm.
std::vector<Defined> functions_in(const std::filesystem::path& library, const Layers& layers) {
    std::vector<Defined> functions;
    const auto readelf = find_program("readelf");
    if (!readelf) return functions;
    Needs needs;
    needs.readable = {*readelf, library};
    const Outcome<Ended> ended =
        run({{readelf->native(), "--dyn-syms", "--wide", library.native()}, clean_environment(), "/", {}, {}}, needs,
            layers, std::chrono::seconds(10), 16 << 20);
    if (!ended || !ended->exited || ended->exit_code != 0) return functions;
    std::istringstream lines(ended->output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string number, value, size, type, bind, visibility, section, symbol;
        fields >> number >> value >> size >> type >> bind >> visibility >> section >> symbol;
        if ((type != "FUNC" && type != "IFUNC") || section == "UND") continue;
        if (symbol.size() < 4096) functions.push_back(parse(symbol.substr(0, symbol.find('@'))));
    }
    return functions;
}

std::string place(const std::string& scope) {
    return scope.empty() ? "in the global namespace" : "in namespace " + scope;
}

std::string counted(std::size_t count) { return fmt::format("{} parameter{}", count, count == 1 ? "" : "s"); }

/// Which parameters are other than the contract's; "" where none is.
std::string difference(const std::vector<std::string>& got, const std::vector<std::string>& wanted) {
    std::vector<std::string> parts;
    if (got.size() != wanted.size())
        parts.push_back(fmt::format("it has {} where the contract has {}", counted(got.size()), wanted.size()));
    for (std::size_t i = 0; i < std::min(got.size(), wanted.size()); ++i) {
        if (got[i] == wanted[i]) continue;
        // Past the first difference of a list that is longer or shorter, all the others are shifted too.
        if (got.size() != wanted.size() && parts.size() == 2) break;
        parts.push_back(fmt::format("parameter {} is {}, the contract has {}", i + 1, got[i], wanted[i]));
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == 3 && parts.size() > 4) return text + fmt::format("; and {} more differ", parts.size() - 3);
        text += (i == 0 ? "" : "; ") + parts[i];
    }
    return text;
}

/// How far a function is from the wanted one: smaller is nearer.
std::size_t distance(const Defined& function, const std::string& scope, const std::vector<std::string>& wanted) {
    std::size_t far = function.scope == scope ? 0 : 1;
    const std::size_t both = std::min(function.parameters.size(), wanted.size());
    far += 2 * (std::max(function.parameters.size(), wanted.size()) - both);
    for (std::size_t i = 0; i < both; ++i) far += function.parameters[i] == wanted[i] ? 0 : 2;
    return far;
}

std::string explain(const WantedFunction& wanted, const std::vector<Defined>& functions) {
    const std::string full = wanted.scope.empty() ? wanted.name : wanted.scope + "::" + wanted.name;
    const std::vector<std::string> parameters = parameters_of_function(wanted.readable);
    const Defined* nearest = nullptr;
    for (const Defined& function : functions) {
        if (function.name != wanted.name) continue;
        if (!nearest || distance(function, wanted.scope, parameters) < distance(*nearest, wanted.scope, parameters))
            nearest = &function;
    }
    if (!nearest) return fmt::format("{} is not defined", full);
    if (nearest->c_linkage)
        return fmt::format("{} is not defined; the attempt's {} is extern \"C\": take that away and define it in "
                           "namespace {}",
                           full, wanted.name, wanted.scope);
    if (nearest->is_template)
        return fmt::format("{} is not defined; the attempt's {} is a template: define the function itself", full,
                           wanted.name);
    const std::string other = difference(nearest->parameters, parameters);
    if (nearest->scope == wanted.scope && other.empty()) return fmt::format("{} is not defined", full);
    if (nearest->scope == wanted.scope)
        return fmt::format("{} is not defined with the contract's parameters; of the attempt's {}, {}", full,
                           wanted.name, other);
    return fmt::format("{} is not defined; the attempt defines {} {}: define it in namespace {}{}{}", full, wanted.name,
                       place(nearest->scope), wanted.scope, other.empty() ? "" : "; also, ", other);
}

} // namespace

std::vector<std::string> explain_missing(const std::filesystem::path& library,
                                         const std::vector<WantedFunction>& wanted, const Layers& layers) {
    const std::vector<Defined> functions = wanted.empty() ? std::vector<Defined>{} : functions_in(library, layers);
    std::vector<std::string> sentences;
    for (const WantedFunction& function : wanted) sentences.push_back(explain(function, functions));
    return sentences;
}

} // namespace assay
