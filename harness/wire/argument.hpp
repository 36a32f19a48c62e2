// Decodes a contract call's arguments in the worker, by the types of the function itself.
//
// On the wire an argument is: nil (absent) | flag | integer | number | tensor: dtype, rank, byte offset of element
// (0, ..., 0) in the arena, extents, strides (in elements).
#ifndef ASSAY_WIRE_ARGUMENT_HPP
#define ASSAY_WIRE_ARGUMENT_HPP

#include "wire/message.hpp"
#include "wire/protocol.hpp"
#include "wire/signature.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>

namespace assay {

/// The arena as the worker sees it, with the regions of the call at hand.
struct ArenaView {
    std::byte* base = nullptr;
    std::span<const Region> regions;
};

/// Reads a tensor's place, refusing one whose elements do not all lie within the data of one region. Gives its first
/// element; null where the message is bad.
std::byte* read_tensor(Reader& reader, const ArenaView& arena, Dtype dtype, std::span<std::int64_t> extents,
                       std::span<std::int64_t> strides);

template <class T> struct decode {
    static T from(Reader& reader, const ArenaView&) {
        if constexpr (std::is_same_v<T, bool>)
            return reader.boolean();
        else if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(reader.number());
        else if constexpr (std::is_enum_v<T>)
            return static_cast<T>(decode<std::underlying_type_t<T>>::from(reader, {}));
        else
            return static_cast<T>(reader.integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
};

template <class T, std::size_t Rank> struct decode<tensor<T, Rank>> {
    static tensor<T, Rank> from(Reader& reader, const ArenaView& arena) {
        std::array<std::int64_t, Rank> extents{}, strides{};
        std::byte* first = read_tensor(reader, arena, detail::dtype_of<T>(), extents, strides);
        std::array<std::ptrdiff_t, Rank> e{}, s{};
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            e[axis] = static_cast<std::ptrdiff_t>(extents[axis]);
            s[axis] = static_cast<std::ptrdiff_t>(strides[axis]);
        }
        return tensor<T, Rank>(reinterpret_cast<T*>(first), e.data(), s.data());
    }
};

template <class T> struct decode<optional<T>> {
    static optional<T> from(Reader& reader, const ArenaView& arena) {
        if (reader.take_nil()) return {};
        return decode<T>::from(reader, arena);
    }
};

template <class T>
requires detail::Record<T>
struct decode<T> {
    static T from(Reader& reader, const ArenaView& arena) {
        T value{};
        detail::record<T>::visit(value, [&](const char*, auto& field) {
            field = decode<detail::plain<decltype(field)>>::from(reader, arena);
        });
        return value;
    }
};

/// Writes the fields of a returned record, in order.
template <class T> void encode_results(T& value, Writer& results) {
    detail::record<T>::visit(value, [&](const char*, auto& field) {
        using F = detail::plain<decltype(field)>;
        if constexpr (std::is_same_v<F, bool>)
            results.boolean(field);
        else if constexpr (std::is_floating_point_v<F>)
            results.number(static_cast<double>(field));
        else
            results.integer(static_cast<std::int64_t>(field));
    });
}

/// Decodes the arguments of a contract function in order, calls it and writes its results; does not call where the
/// message is bad.
template <class Function> struct invoke;
template <class R, class... P> struct invoke<R(P...)> {
    static void call(void (*function)(), Reader& reader, const ArenaView& arena, Writer& results) {
        // Braces evaluate left to right, as the arguments lie in the message.
        std::tuple<detail::plain<P>...> arguments{decode<detail::plain<P>>::from(reader, arena)...};
        if (!reader.ok() || !reader.finished()) {
            reader.fail("the call has more arguments than its function");
            return;
        }
        const auto target = reinterpret_cast<R (*)(P...)>(function);
        if constexpr (std::is_void_v<R>)
            std::apply(target, arguments);
        else {
            R result = std::apply(target, arguments);
            encode_results(result, results);
        }
    }
};

} // namespace assay

#endif
