// Runs a ranked contract function: once on each rank of a group, each with its own slice of every tensor.
#ifndef ASSAY_WORKER_RANKS_HPP
#define ASSAY_WORKER_RANKS_HPP

#include "wire/argument.hpp"

#include <functional>
#include <stdexcept>
#include <vector>

namespace assay {

inline constexpr std::int64_t most_ranks = 64;

/// The ranks' collectives do not fit together.
struct collective_error : std::logic_error {
    using std::logic_error::logic_error;
};

/// What the ring has carried for one rank.
struct Traffic {
    double sent_bytes = 0;
    std::int64_t collectives = 0;
};

/// Calls `body` once a rank, each on a thread of its own, of which one runs at a time: a rank runs until it waits in a
/// collective or ends, then the next one in order does, so that every run is the same. Throws what the first failing
/// rank threw; collective_error where the ranks' collectives do not fit together, naming both sides.
std::vector<Traffic> run_ranks(int ranks, const std::function<void(communicator&)>& body);

namespace detail {

/// How a parameter lies in the message of a ranked function: tensors with a leading axis over the ranks.
template <class T> struct spread {
    using type = T;
    static T slice(const T& value, std::int64_t) { return value; }
    static bool fits(const T&, std::int64_t) { return true; }
};
template <class T, std::size_t Rank> struct spread<tensor<T, Rank>> {
    using type = tensor<T, Rank + 1>;
    static tensor<T, Rank> slice(const type& whole, std::int64_t rank) {
        std::ptrdiff_t extents[Rank], strides[Rank];
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            extents[axis] = whole.extent(axis + 1);
            strides[axis] = whole.stride(axis + 1);
        }
        return {whole.data() + rank * whole.stride(0), extents, strides};
    }
    static bool fits(const type& whole, std::int64_t ranks) { return whole.extent(0) == ranks; }
};
template <class T> struct spread<optional<T>> {
    using type = optional<typename spread<T>::type>;
    static optional<T> slice(const type& value, std::int64_t rank) {
        return value ? optional<T>(spread<T>::slice(*value, rank)) : optional<T>();
    }
    static bool fits(const type& value, std::int64_t ranks) { return !value || spread<T>::fits(*value, ranks); }
};

} // namespace detail

template <class... P> struct invoke<void(communicator&, P...)> {
    static void call(void (*function)(), Reader& reader, const ArenaView& arena, Writer& results) {
        const std::int64_t ranks = reader.integer(1, most_ranks);
        std::tuple<typename detail::spread<detail::plain<P>>::type...> arguments{
            decode<typename detail::spread<detail::plain<P>>::type>::from(reader, arena)...};
        if (!reader.ok() || !reader.finished()) {
            reader.fail("the call has more arguments than its function");
            return;
        }
        const auto target = reinterpret_cast<void (*)(communicator&, P...)>(function);
        std::apply(
            [&](auto&... argument) {
                if (!(detail::spread<detail::plain<P>>::fits(argument, ranks) && ...)) {
                    reader.fail("a tensor has not one slice a rank");
                    return;
                }
                const std::vector<Traffic> traffic = run_ranks(static_cast<int>(ranks), [&](communicator& group) {
                    target(group, detail::spread<detail::plain<P>>::slice(argument, group.rank())...);
                });
                for (const Traffic& one : traffic) results.number(one.sent_bytes);
                for (const Traffic& one : traffic) results.number(static_cast<double>(one.collectives));
            },
            arguments);
    }
};

} // namespace assay

#endif
