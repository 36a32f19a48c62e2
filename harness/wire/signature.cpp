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

namespace {

/// Gives the parameters their names.
void enter_parameters(Signature& signature, std::string_view names, Shape& shape) {
    std::size_t at = 0;
    for (std::vector<Parameter>& group : shape.parameters) {
        const bool named = group.size() == 1 && group.front().name == handle_name;
        const std::size_t end = std::min(names.find(' ', at), names.size());
        const std::string_view own = named ? std::string_view(handle_name) : names.substr(at, end - at);
        if (own.empty())
            throw std::logic_error("the contract of " + signature.name + " names fewer parameters than it has");
        for (Parameter& parameter : group) {
            if (parameter.name.empty()) parameter.name = own;
            if (parameter.name == gradient_suffix) parameter.name = std::string(own) + gradient_suffix;
            for (const Parameter& other : signature.parameters)
                if (other.name == parameter.name)
                    throw std::logic_error("the contract of " + signature.name +
                                           " has two parameters or fields called " + other.name);
            signature.parameters.push_back(std::move(parameter));
        }
        if (!named) at = std::min(end + 1, names.size());
    }
    if (at < names.size())
        throw std::logic_error("the contract of " + signature.name + " names more parameters than it has");
}

} // namespace

Signature make_signature(std::string_view scope, std::string_view name, std::string_view names, const char* mangled,
                         Shape shape) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                          &std::free);
    Signature signature;
    signature.name = name;
    signature.scope = scope;
    signature.readable = readable ? readable.get() : mangled;
    signature.results = std::move(shape.results);
    for (Parameter& result : signature.results)
        if (result.name.empty()) result.name = name;
    signature.ranked = shape.ranked;
    enter_parameters(signature, names, shape);
    return signature;
}

Signature make_method(std::string_view scope, std::string_view type, std::string_view method, std::string_view names,
                      Shape shape) {
    Signature signature;
    signature.name = std::string(type) + "." + std::string(method);
    signature.scope = scope;
    signature.results = std::move(shape.results);
    signature.method = true;
    enter_parameters(signature, names, shape);
    return signature;
}

Signature make_destroy(std::string_view scope, std::string_view type) {
    Shape shape{{parameters_of<std::int64_t>()}, {}, false};
    shape.parameters.front().front().name = handle_name;
    return make_method(scope, type, "destroy", "", std::move(shape));
}

} // namespace assay::detail
