// Reads the contract's signatures off its C++ types, so that a contract function is declared once.
// Include after the exercise's contract.hpp, which defines ASSAY_CONTRACT.
#ifndef ASSAY_WIRE_SIGNATURE_HPP
#define ASSAY_WIRE_SIGNATURE_HPP

#include "core/caller.hpp"

#include <assay/half.hpp>
#include <assay/optional.hpp>
#include <assay/tensor.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace assay {

namespace detail {

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

template <class Function> struct parameters_of;
template <class... P> struct parameters_of<void(P...)> {
    static std::vector<Parameter> list() {
        return {describe<std::remove_cv_t<std::remove_reference_t<P>>>::parameter()...};
    }
};

/// Demangles `mangled` and gives the parameters their names (separated by spaces).
Signature make_signature(std::string_view scope, std::string_view name, std::string_view names, const char* mangled,
                         std::vector<Parameter> parameters);

} // namespace detail

} // namespace assay

/// The signatures of every function of the contract included before, in its order.
#define ASSAY_SIGNATURE_ROW(scope, function, parameters)                                                               \
    ::assay::detail::make_signature(#scope, #function, parameters, typeid(decltype(::scope::function)).name(),         \
                                    ::assay::detail::parameters_of<decltype(::scope::function)>::list()),
#define ASSAY_SIGNATURES()                                                                                             \
    std::vector<::assay::Signature> { ASSAY_CONTRACT(ASSAY_SIGNATURE_ROW) }

#endif
