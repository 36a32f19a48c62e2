#include "wire/describe.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace assay::detail {

std::string own_name(const char* mangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                          &std::free);
    const std::string name = readable ? readable.get() : mangled;
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

// g++:   ... [with E = roofline::resource; E Value = roofline::resource::compute; ...]   or   Value =
// (roofline::resource)7 clang: ... [E = roofline::resource, Value = roofline::resource::compute]               or Value
// = (roofline::resource)7
std::string enumerator_in(std::string_view pretty) {
    constexpr std::string_view mark = "Value = ";
    const std::size_t at = pretty.find(mark);
    if (at == std::string_view::npos) return "";
    std::string_view value = pretty.substr(at + mark.size());
    value = value.substr(0, value.find_first_of(";,]"));
    if (value.empty() || value.front() == '(' || value.front() == '-' || (value.front() >= '0' && value.front() <= '9'))
        return "";
    const std::size_t scope = value.rfind("::");
    return std::string(scope == std::string_view::npos ? value : value.substr(scope + 2));
}

std::string Describer::take_word(std::string_view& names) {
    const std::size_t end = std::min(names.find(' '), names.size());
    std::string word(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
    return word;
}

bool Describer::is_new_record(std::string_view name) const {
    return std::none_of(contract_.records.begin(), contract_.records.end(),
                        [&](const ContractRecord& known) { return known.name == name; });
}

bool Describer::is_new_enumeration(std::string_view name) const {
    return std::none_of(contract_.enumerations.begin(), contract_.enumerations.end(),
                        [&](const ContractEnumeration& known) { return known.name == name; });
}

} // namespace assay::detail
