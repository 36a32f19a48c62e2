// Reads the contract's signatures off its C++ types, so that a contract function is declared once.
// Include after the exercise's contract.hpp, which defines ASSAY_CONTRACT and, where functions take or return structs
// of numbers, ASSAY_RECORDS: RECORD(namespace, struct, field, field, ...) for each, with all its fields.
#ifndef ASSAY_WIRE_SIGNATURE_HPP
#define ASSAY_WIRE_SIGNATURE_HPP

#include "core/caller.hpp"

#include <assay/half.hpp>
#include <assay/list.hpp>
#include <assay/optional.hpp>
#include <assay/ranks.hpp>
#include <assay/tensor.hpp>
#include <assay/var.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace assay {

namespace detail {

/// A struct of the contract whose fields travel as arguments or results; specialised for what ASSAY_RECORDS lists.
template <class T> struct record;
template <class T>
concept Record = requires {
    record<T>::listed;
};
template <class T> inline constexpr bool is_record = Record<T>;

/// Throws std::logic_error where a record's listed fields do not fill it.
void require_field(bool in_place, const char* name);

template <class T> constexpr Dtype dtype_of() {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Plain, float>)
        return Dtype::f32;
    else if constexpr (std::is_same_v<Plain, double>)
        return Dtype::f64;
    else if constexpr (std::is_same_v<Plain, half>)
        return Dtype::f16;
    else if constexpr (std::is_same_v<Plain, bfloat16>)
        return Dtype::bf16;
    else if constexpr (std::is_same_v<Plain, bool>)
        return Dtype::boolean;
    else if constexpr (std::is_same_v<Plain, std::int32_t>)
        return Dtype::i32;
    else if constexpr (std::is_same_v<Plain, std::int64_t>)
        return Dtype::i64;
    else if constexpr (std::is_enum_v<Plain>)
        return dtype_of<std::underlying_type_t<Plain>>();
    else
        static_assert(!sizeof(T), "a contract's tensors hold float, double, half, bfloat16, bool, int32 or int64");
}

template <class T> struct describe {
    static Parameter parameter() {
        Parameter p;
        p.dtype = dtype_of<T>();
        p.kind = std::is_same_v<T, bool>       ? Parameter::Kind::boolean
                 : std::is_floating_point_v<T> ? Parameter::Kind::number
                                               : Parameter::Kind::integer;
        return p;
    }
};
template <class T, std::size_t Rank> struct describe<tensor<T, Rank>> {
    static Parameter parameter() {
        Parameter p;
        p.kind = Parameter::Kind::tensor;
        p.dtype = dtype_of<T>();
        p.rank = static_cast<int>(Rank);
        p.writable = !std::is_const_v<T>;
        return p;
    }
};
template <class T> struct describe<optional<T>> {
    static Parameter parameter() {
        Parameter p = describe<T>::parameter();
        p.optional = true;
        return p;
    }
};

template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;

/// The fields of a record, in its order. Throws where the contract's list leaves one out (they would not fill it).
template <class T> std::vector<Parameter> fields_of() {
    std::vector<Parameter> fields;
    T sample{};
    const auto* start = reinterpret_cast<const char*>(&sample);
    std::size_t end = 0;
    record<T>::visit(sample, [&](const char* name, auto& field) {
        using F = plain<decltype(field)>;
        fields.push_back(describe<F>::parameter());
        fields.back().name = name;
        const auto at = static_cast<std::size_t>(reinterpret_cast<const char*>(&field) - start);
        const std::size_t next = (end + alignof(F) - 1) / alignof(F) * alignof(F);
        require_field(at == next, name);
        end = at + sizeof(F);
    });
    require_field((end + alignof(T) - 1) / alignof(T) * alignof(T) == sizeof(T), "the end");
    return fields;
}

/// A list that the function fills, of numbers or records.
template <class T> struct item_of;
template <class T> struct item_of<list<T>> { using type = T; };
template <class T>
concept List = requires {
    typename item_of<T>::type;
};

template <class T> std::vector<Parameter> items_of() {
    if constexpr (is_record<T>)
        return fields_of<T>();
    else
        return {describe<T>::parameter()};
}

/// A tensor that the judge wants gradients for.
template <class T> inline constexpr std::size_t var_rank = 0;
template <std::size_t Rank> inline constexpr std::size_t var_rank<tensor<const Var, Rank>> = Rank;

/// What the gradient's parameter is called behind the name of its tensor: "logits_grad".
inline constexpr const char* gradient_suffix = "_grad";

/// One parameter as C++ sees it: one entry, its name still empty, or a record's fields; or, of a tensor of Var, its
/// values and its gradient.
template <class T> std::vector<Parameter> parameters_of() {
    if constexpr (is_record<T>)
        return fields_of<T>();
    else if constexpr (var_rank<T> > 0) {
        std::vector<Parameter> both{describe<tensor<const double, var_rank<T>>>::parameter(),
                                    describe<tensor<double, var_rank<T>>>::parameter()};
        both.back().name = gradient_suffix;
        return both;
    } else if constexpr (List<T>) {
        Parameter parameter;
        parameter.kind = Parameter::Kind::list;
        parameter.writable = true;
        parameter.items = items_of<typename item_of<T>::type>();
        return {parameter};
    } else
        return {describe<T>::parameter()};
}

template <class T> std::vector<Parameter> results_of() {
    if constexpr (std::is_void_v<T>)
        return {};
    else if constexpr (std::is_same_v<T, Var>) // named as the function
        return {describe<double>::parameter()};
    else if constexpr (std::is_pointer_v<T>) {
        static_assert(std::has_virtual_destructor_v<std::remove_pointer_t<T>>,
                      "a class of the contract has a virtual destructor");
        std::vector<Parameter> handle = parameters_of<std::int64_t>();
        handle.front().name = handle_name;
        return handle;
    } else {
        static_assert(is_record<T>, "a contract function returns nothing, a Var, or a record that ASSAY_RECORDS lists");
        return fields_of<T>();
    }
}

/// What a contract function takes and gives.
struct Shape {
    std::vector<std::vector<Parameter>> parameters;
    std::vector<Parameter> results;
    bool ranked = false;
};
template <class Function> struct shape_of;
template <class R, class... P> struct shape_of<R(P...)> {
    static Shape get() { return {{parameters_of<plain<P>>()...}, results_of<R>(), false}; }
};
template <class... P> struct shape_of<void(communicator&, P...)> {
    static Shape get() {
        Shape shape{{parameters_of<std::int64_t>(), parameters_of<plain<P>>()...}, {}, true};
        for (std::vector<Parameter>& group : shape.parameters)
            for (Parameter& parameter : group)
                if (parameter.kind == Parameter::Kind::tensor) ++parameter.rank;
        return shape;
    }
};

/// A method of a contract's class: the object's handle comes first.
template <class C, class R, class... P> struct shape_of<R (C::*)(P...)> {
    static Shape get() {
        Shape shape{{parameters_of<std::int64_t>(), parameters_of<plain<P>>()...}, results_of<R>(), false};
        shape.parameters.front().front().name = handle_name;
        return shape;
    }
};
template <class C, class R, class... P> struct shape_of<R (C::*)(P...) const> : shape_of<R (C::*)(P...)> {};

/// Demangles `mangled` and gives the parameters their names (separated by spaces; a record's stands for all its
/// fields).
Signature make_signature(std::string_view scope, std::string_view name, std::string_view names, const char* mangled,
                         Shape shape);

/// "policy.on_arrival", called on the object of a handle that a function of the contract returned.
Signature make_method(std::string_view scope, std::string_view type, std::string_view method, std::string_view names,
                      Shape shape);
/// "policy.destroy".
Signature make_destroy(std::string_view scope, std::string_view type);

} // namespace detail

} // namespace assay

/// MACRO(x) for each argument.
#define ASSAY_PARENS ()
#define ASSAY_EXPAND(...) ASSAY_EXPAND3(ASSAY_EXPAND3(ASSAY_EXPAND3(ASSAY_EXPAND3(__VA_ARGS__))))
#define ASSAY_EXPAND3(...) ASSAY_EXPAND2(ASSAY_EXPAND2(ASSAY_EXPAND2(ASSAY_EXPAND2(__VA_ARGS__))))
#define ASSAY_EXPAND2(...) ASSAY_EXPAND1(ASSAY_EXPAND1(ASSAY_EXPAND1(ASSAY_EXPAND1(__VA_ARGS__))))
#define ASSAY_EXPAND1(...) __VA_ARGS__
#define ASSAY_EACH(macro, ...) __VA_OPT__(ASSAY_EXPAND(ASSAY_EACH_STEP(macro, __VA_ARGS__)))
#define ASSAY_EACH_STEP(macro, a, ...) macro(a) __VA_OPT__(ASSAY_EACH_AGAIN ASSAY_PARENS(macro, __VA_ARGS__))
#define ASSAY_EACH_AGAIN() ASSAY_EACH_STEP

#define ASSAY_VISIT_FIELD(field) visit_one(#field, value.field);
#define ASSAY_RECORD_TRAIT(scope, name, ...)                                                                           \
    template <> struct record<::scope::name> {                                                                         \
        static constexpr bool listed = true;                                                                           \
        template <class Visit> static void visit(::scope::name& value, Visit&& visit_one) {                            \
            ASSAY_EACH(ASSAY_VISIT_FIELD, __VA_ARGS__)                                                                 \
        }                                                                                                              \
    };
#ifdef ASSAY_RECORDS
namespace assay::detail {
ASSAY_RECORDS(ASSAY_RECORD_TRAIT)
}
#endif

/// The signatures of every function of the contract included before, in its order.
#define ASSAY_SIGNATURE_ROW(scope, function, parameters)                                                               \
    ::assay::detail::make_signature(#scope, #function, parameters, typeid(decltype(::scope::function)).name(),         \
                                    ::assay::detail::shape_of<decltype(::scope::function)>::get()),
#define ASSAY_METHOD_ROW(scope, type, method, parameters)                                                              \
    ::assay::detail::make_method(#scope, #type, #method, parameters,                                                   \
                                 ::assay::detail::shape_of<decltype(&::scope::type::method)>::get()),
#define ASSAY_DESTROY_ROW(scope, type) ::assay::detail::make_destroy(#scope, #type),
#ifndef ASSAY_CLASSES
#define ASSAY_CLASSES(CLASS)
#define ASSAY_METHODS(METHOD)
#endif
#define ASSAY_SIGNATURES()                                                                                             \
    std::vector<::assay::Signature> {                                                                                  \
        ASSAY_CONTRACT(ASSAY_SIGNATURE_ROW) ASSAY_METHODS(ASSAY_METHOD_ROW) ASSAY_CLASSES(ASSAY_DESTROY_ROW)           \
    }

#endif
