#include "wire/signature.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <stdexcept>

namespace assay::detail {

Signature make_signature(std::string_view scope, std::string_view name, std::string_view names, const char* mangled,
                         std::vector<Parameter> parameters) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                          &std::free);
    Signature signature{std::string(name), std::string(scope), readable ? readable.get() : mangled,
                        std::move(parameters)};
    std::size_t at = 0;
    for (Parameter& parameter : signature.parameters) {
        const std::size_t end = std::min(names.find(' ', at), names.size());
        parameter.name = names.substr(at, end - at);
        if (parameter.name.empty())
            throw std::logic_error("the contract of " + signature.name + " names fewer parameters than it has");
        at = std::min(end + 1, names.size());
    }
    if (at < names.size())
        throw std::logic_error("the contract of " + signature.name + " names more parameters than it has");
    return signature;
}

} // namespace assay::detail
