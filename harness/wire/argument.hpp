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
#include <vector>

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

/// Writes a number, or the fields of a record in order.
template <class T> void encode_results(T& value, Writer& results) {
    if constexpr (detail::is_record<T>)
        detail::record<T>::visit(value, [&](const char*, auto& field) { encode_results(field, results); });
    else if constexpr (std::is_same_v<T, bool>)
        results.boolean(value);
    else if constexpr (std::is_floating_point_v<T>)
        results.number(static_cast<double>(value));
    else
        results.integer(static_cast<std::int64_t>(value));
}

/// Objects that the attempt has made, known to the judge by a number. Throws std::invalid_argument for a null.
std::int64_t keep_object(void* object, void (*destroy)(void*));
/// The object whose handle is next in the message; null, and the reader failed, where there is none.
void* find_object(Reader& reader);

/// What stands for a parameter while the function is called: its value, or the list that it fills.
template <class T> struct slot {
    using type = T;
    static T from(Reader& reader, const ArenaView& arena) { return decode<T>::from(reader, arena); }
    static void encode(const T&, Writer&) {}
};
template <class T> struct slot<list<T>> {
    struct type final : list<T> {
        std::vector<T> items;
        void push(const T& item) override { items.push_back(item); }
        long size() const override { return static_cast<long>(items.size()); }
    };
    static type from(Reader&, const ArenaView&) { return {}; }
    static void encode(type& filled, Writer& results) {
        results.integer(static_cast<std::int64_t>(filled.items.size()));
        for (T& item : filled.items) encode_results(item, results);
    }
};

/// Decodes a call's arguments in order, has `call` make it and writes what it gave; does not call where the message is
/// bad. `call` takes the slots and returns what the function does.
template <class R, class... P, class Call>
void serve(Reader& reader, const ArenaView& arena, Writer& results, Call call) {
    // Braces evaluate left to right, as the arguments lie in the message.
    std::tuple<typename slot<detail::plain<P>>::type...> slots{slot<detail::plain<P>>::from(reader, arena)...};
    if (!reader.ok() || !reader.finished()) {
        reader.fail("the call has more arguments than its function");
        return;
    }
    if constexpr (std::is_void_v<R>)
        std::apply(call, slots);
    else {
        R result = std::apply(call, slots);
        encode_results(result, results);
    }
    std::apply([&](auto&... filled) { (slot<detail::plain<P>>::encode(filled, results), ...); }, slots);
}

/// Makes the call of a contract function.
template <class Function> struct invoke;
template <class R, class... P> struct invoke<R(P...)> {
    static void call(void (*function)(), Reader& reader, const ArenaView& arena, Writer& results) {
        const auto target = reinterpret_cast<R (*)(P...)>(function);
        if constexpr (std::is_pointer_v<R>)
            serve<std::int64_t, P...>(reader, arena, results, [&](auto&... slots) {
                R made = target(slots...);
                return keep_object(made, [](void* object) { delete static_cast<R>(object); });
            });
        else
            serve<R, P...>(reader, arena, results, [&](auto&... slots) { return target(slots...); });
    }
};

/// Makes the call of a method on the object that the message names.
template <auto Member> struct invoke_method;
template <class C, class R, class... P, R (C::*Member)(P...)> struct invoke_method<Member> {
    static void call(void (*)(), Reader& reader, const ArenaView& arena, Writer& results) {
        auto* object = static_cast<C*>(find_object(reader));
        if (object == nullptr) return;
        serve<R, P...>(reader, arena, results, [&](auto&... slots) { return (object->*Member)(slots...); });
    }
};
template <class C, class R, class... P, R (C::*Member)(P...) const> struct invoke_method<Member> {
    static void call(void (*)(), Reader& reader, const ArenaView& arena, Writer& results) {
        auto* object = static_cast<C*>(find_object(reader));
        if (object == nullptr) return;
        serve<R, P...>(reader, arena, results, [&](auto&... slots) { return (object->*Member)(slots...); });
    }
};

/// Destroys the object that the message names.
void destroy_object(void (*)(), Reader& reader, const ArenaView& arena, Writer& results);

} // namespace assay

#endif
