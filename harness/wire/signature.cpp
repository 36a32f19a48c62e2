#include "wire/signature.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <stdexcept>

namespace assay::detail {

void require_field(bool in_place, const char* name) {
    if (!in_place)
        throw std::logic_error(std::string("the contract's ASSAY_RECORDS leaves out a field of a struct, before ") +
                               name);
}

Signature make_signature(std::string_view scope, std::string_view name, std::string_view names, const char* mangled,
                         Shape shape) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                          &std::free);
    Signature signature{std::string(name),        std::string(scope), readable ? readable.get() : mangled, {},
                        std::move(shape.results), shape.ranked};
    std::size_t at = 0;
    for (std::vector<Parameter>& group : shape.parameters) {
        const std::size_t end = std::min(names.find(' ', at), names.size());
        const std::string_view own = names.substr(at, end - at);
        if (own.empty())
            throw std::logic_error("the contract of " + signature.name + " names fewer parameters than it has");
        for (Parameter& parameter : group) {
            if (parameter.name.empty()) parameter.name = own;
            for (const Parameter& other : signature.parameters)
                if (other.name == parameter.name)
                    throw std::logic_error("the contract of " + signature.name +
                                           " has two parameters or fields called " + other.name);
            signature.parameters.push_back(std::move(parameter));
        }
        at = std::min(end + 1, names.size());
    }
    if (at < names.size())
        throw std::logic_error("the contract of " + signature.name + " names more parameters than it has");
    return signature;
}

} // namespace assay::detail
