// Reads a contract off its C++ types as a document (core/contract.hpp), names of types and enumerators included.
// Include after the exercise's contract.hpp. Beside the lists that signature.hpp knows, a contract may give
// ASSAY_CONSTANTS: CONSTANT(namespace, name) for each constant that an attempt needs.
#ifndef ASSAY_WIRE_DESCRIBE_HPP
#define ASSAY_WIRE_DESCRIBE_HPP

#include "core/contract.hpp"
#include "wire/signature.hpp"

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace assay::detail {

/// "resource" of the mangled name of roofline::resource.
std::string own_name(const char* mangled);

/// "compute" of the text by which the compiler names enumerator<resource, resource(0)>; "" where no enumerator has the
/// value.
std::string enumerator_in(std::string_view pretty);

template <class E, E Value> std::string enumerator() { return enumerator_in(__PRETTY_FUNCTION__); }

/// The values that are looked at: contracts count from 0, and say "none" by -1.
inline constexpr int first_enumerator = -1, enumerators_looked_at = 33;

template <class E, int... Offsets>
void add_enumerators(ContractEnumeration& entry, std::integer_sequence<int, Offsets...>) {
    const auto add = [&](std::string name, int value) {
        if (!name.empty()) entry.values.emplace_back(std::move(name), value);
    };
    (add(enumerator<E, static_cast<E>(Offsets + first_enumerator)>(), Offsets + first_enumerator), ...);
}

template <class T> ContractValue value_of(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        return value;
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<double>(value);
    else
        return static_cast<std::int64_t>(value);
}

/// Describes types, and collects the records and enumerations that they are made of.
class Describer {
  public:
    explicit Describer(Contract& contract) : contract_(contract) {}

    template <class T> ContractType type() {
        ContractType described;
        if constexpr (std::is_void_v<T>)
            described.kind = ContractType::Kind::nothing;
        else if constexpr (std::is_same_v<T, Var>)
            described.kind = ContractType::Kind::var;
        else if constexpr (std::is_pointer_v<T>) {
            described.kind = ContractType::Kind::object;
            described.name = own_name(typeid(std::remove_pointer_t<T>).name());
        } else if constexpr (is_record<T>) {
            described.kind = ContractType::Kind::record;
            described.name = own_name(typeid(T).name());
            add_record<T>(described.name);
        } else if constexpr (List<T>) {
            described.kind = ContractType::Kind::list;
            described.item.push_back(type<typename item_of<T>::type>());
        } else if constexpr (std::is_enum_v<T>) {
            described.kind = ContractType::Kind::enumeration;
            described.name = own_name(typeid(T).name());
            described.dtype = dtype_of<T>();
            add_enumeration<T>(described.name);
        } else
            described = plain_type(static_cast<const T*>(nullptr));
        return described;
    }

    template <class R, class... P>
    ContractFunction function(std::string_view name, std::string_view names, R (*)(P...)) {
        ContractFunction described{std::string(name), {}, type<R>()};
        (add_parameter<plain<P>>(described, names), ...);
        return described;
    }
    template <class... P>
    ContractFunction function(std::string_view name, std::string_view names, void (*)(communicator&, P...)) {
        take_word(names); // the communicator
        ContractFunction described{std::string(name), {}, {}};
        described.ranked = true;
        (add_parameter<plain<P>>(described, names), ...);
        return described;
    }
    template <class C, class R, class... P>
    ContractFunction function(std::string_view name, std::string_view names, R (C::*)(P...)) {
        ContractFunction described = function(name, names, static_cast<R (*)(P...)>(nullptr));
        described.of = own_name(typeid(C).name());
        return described;
    }
    template <class C, class R, class... P>
    ContractFunction function(std::string_view name, std::string_view names, R (C::*)(P...) const) {
        return function(name, names, static_cast<R (C::*)(P...)>(nullptr));
    }

  private:
    Contract& contract_;

    static std::string take_word(std::string_view& names);
    bool is_new_record(std::string_view name) const;
    bool is_new_enumeration(std::string_view name) const;

    template <class P> void add_parameter(ContractFunction& described, std::string_view& names) {
        described.parameters.push_back({take_word(names), type<P>()});
    }

    template <class T> static ContractType plain_type(const T*) {
        ContractType described;
        described.kind = std::is_same_v<T, bool>       ? ContractType::Kind::boolean
                         : std::is_floating_point_v<T> ? ContractType::Kind::number
                                                       : ContractType::Kind::integer;
        described.dtype = dtype_of<T>();
        return described;
    }
    template <class T, std::size_t Rank> static ContractType plain_type(const tensor<T, Rank>*) {
        ContractType described;
        described.kind = ContractType::Kind::tensor;
        described.rank = static_cast<int>(Rank);
        if constexpr (std::is_same_v<T, const Var>)
            described.gradient = true;
        else {
            described.dtype = dtype_of<T>();
            described.writable = !std::is_const_v<T>;
        }
        return described;
    }
    template <class T> ContractType plain_type(const optional<T>*) {
        ContractType described = type<T>();
        described.optional = true;
        return described;
    }

    template <class T> void add_record(const std::string& name) {
        if (!is_new_record(name)) return;
        ContractRecord entry{name, {}};
        T sample{};
        record<T>::visit(sample, [&](const char* field, auto& value) {
            entry.fields.push_back({field, type<plain<decltype(value)>>(), value_of(value)});
        });
        contract_.records.push_back(std::move(entry));
    }
    template <class T> void add_enumeration(const std::string& name) {
        if (!is_new_enumeration(name)) return;
        ContractEnumeration entry{name, {}};
        add_enumerators<T>(entry, std::make_integer_sequence<int, enumerators_looked_at>());
        contract_.enumerations.push_back(std::move(entry));
    }
};

} // namespace assay::detail

#ifndef ASSAY_CONSTANTS
#define ASSAY_CONSTANTS(CONSTANT)
#endif

#define ASSAY_DESCRIBE_FUNCTION(scope, function_, names)                                                               \
    contract.functions.push_back(                                                                                      \
        describer.function(#function_, names, static_cast<decltype(&::scope::function_)>(nullptr)));
#define ASSAY_DESCRIBE_METHOD(scope, type_, method, names)                                                             \
    contract.methods.push_back(                                                                                        \
        describer.function(#method, names, static_cast<decltype(&::scope::type_::method)>(nullptr)));
#define ASSAY_DESCRIBE_CLASS(scope, type_) contract.classes.push_back(#type_);
#define ASSAY_DESCRIBE_CONSTANT(scope, constant)                                                                       \
    contract.constants.emplace_back(#constant, ::assay::detail::value_of(::scope::constant));

#endif
