// Barriers, votes, shuffles and fences.
#ifndef ASSAY_SIMT_SYNC_HPP
#define ASSAY_SIMT_SYNC_HPP

#include "abi.hpp"

#include <time.h> // its clock() serves as the device's

#define ASSAY_SIMT_WHERE ::assay::simt::Where where = ASSAY_SIMT_HERE

inline void __syncthreads(ASSAY_SIMT_WHERE) { ::assay::simt::barrier(where); }
inline int __syncthreads_count(int predicate, ASSAY_SIMT_WHERE) {
    return ::assay::simt::barrier_vote(::assay::simt::Vote::count, predicate, where);
}
inline int __syncthreads_and(int predicate, ASSAY_SIMT_WHERE) {
    return ::assay::simt::barrier_vote(::assay::simt::Vote::all, predicate, where);
}
inline int __syncthreads_or(int predicate, ASSAY_SIMT_WHERE) {
    return ::assay::simt::barrier_vote(::assay::simt::Vote::any, predicate, where);
}

// Memory is consistent at all times here; a loop around a fence waits for somebody.
inline void __threadfence(ASSAY_SIMT_WHERE) { ::assay::simt::spinning(where); }
inline void __threadfence_block(ASSAY_SIMT_WHERE) { ::assay::simt::spinning(where); }
inline void __threadfence_system(ASSAY_SIMT_WHERE) { ::assay::simt::spinning(where); }
inline void __nanosleep(unsigned, ASSAY_SIMT_WHERE) { ::assay::simt::spinning(where); }
inline void __trap(ASSAY_SIMT_WHERE) { ::assay::simt::trap(where); }
inline long long clock64() { return ::assay::simt::ticks(); }

namespace assay::simt {

enum class Shuffle { index, up, down, exclusive };

template <class T> struct ShuffleSlot {
    T value;
    int parameter, width;
    const char* operation;
    unsigned mask;
    Where where;
};

template <class T> void fill_with_poison(T& value) {
    auto* bytes = reinterpret_cast<unsigned char*>(&value);
    const unsigned short pattern = poison_in_use();
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = static_cast<unsigned char>(i % 2 == 0 ? pattern & 0xff : pattern >> 8);
}

/// Source lanes as PTX's shfl.sync gives them: a source outside the segment is the lane itself.
template <Shuffle kind, class T> void shuffle_all(void* const* slots, unsigned lanes) {
    T results[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        auto& mine = *static_cast<ShuffleSlot<T>*>(slots[lane]);
        const int width = mine.width, own = static_cast<int>(lane), first = own & -width, last = first + width - 1;
        int source = own;
        if constexpr (kind == Shuffle::index) source = first + (mine.parameter & (width - 1));
        if constexpr (kind == Shuffle::up) source = own - mine.parameter;
        if constexpr (kind == Shuffle::down) source = own + mine.parameter;
        if constexpr (kind == Shuffle::exclusive) source = own ^ mine.parameter;
        // An exclusive-or may reach back into an earlier segment, never on into a later one.
        if (source > last || source < 0 || (kind == Shuffle::up && source < first)) source = own;
        if (lanes >> source & 1) {
            results[lane] = static_cast<ShuffleSlot<T>*>(slots[source])->value;
        } else {
            fill_with_poison(results[lane]);
            inactive_source(lane, static_cast<unsigned>(source), mine.operation, mine.mask, mine.where);
        }
    }
    for (unsigned lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) static_cast<ShuffleSlot<T>*>(slots[lane])->value = results[lane];
}

template <Shuffle kind, class T>
T shuffle(const char* operation, unsigned mask, T value, int parameter, int width, Where where) {
    static_assert(sizeof(T) <= 16 && __is_trivially_copyable(T), "shuffles take plain values of at most 16 bytes");
    ShuffleSlot<T> slot{value, parameter, width, operation, mask, where};
    meet({operation, mask, &slot, shuffle_all<kind, T>, where});
    return slot.value;
}

/// A meeting in which everybody gets one result made of all values.
template <class T, class Result> struct VoteSlot {
    T value;
    Result result;
};
template <class T, class Result, class Combine>
Result vote(const char* operation, unsigned mask, T value, Combine, Where where) {
    using Slot = VoteSlot<T, Result>;
    Slot slot{value, {}};
    meet({operation, mask, &slot, [](void* const* slots, unsigned lanes) { Combine{}(slots, lanes); }, where});
    return slot.result;
}

template <class Slot, class Make> void each_lane(void* const* slots, unsigned lanes, Make make) {
    for (unsigned lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) make(lane, *static_cast<Slot*>(slots[lane]));
}

struct Ballot {
    using Slot = VoteSlot<int, unsigned>;
    void operator()(void* const* slots, unsigned lanes) const {
        unsigned yes = 0;
        each_lane<Slot>(slots, lanes, [&](unsigned lane, Slot& slot) { yes |= slot.value != 0 ? 1u << lane : 0u; });
        each_lane<Slot>(slots, lanes, [&](unsigned, Slot& slot) { slot.result = yes; });
    }
};
/// True for all is 1, for any 2: both from one ballot.
struct AllAny {
    using Slot = VoteSlot<int, int>;
    void operator()(void* const* slots, unsigned lanes) const {
        bool all = true, any = false;
        each_lane<Slot>(slots, lanes, [&](unsigned, Slot& slot) {
            all = all && slot.value != 0;
            any = any || slot.value != 0;
        });
        each_lane<Slot>(slots, lanes, [&](unsigned, Slot& slot) { slot.result = (all ? 1 : 0) | (any ? 2 : 0); });
    }
};
template <class T> struct Match {
    using Slot = VoteSlot<T, unsigned>;
    void operator()(void* const* slots, unsigned lanes) const {
        each_lane<Slot>(slots, lanes, [&](unsigned, Slot& mine) {
            mine.result = 0;
            each_lane<Slot>(slots, lanes, [&](unsigned lane, Slot& other) {
                if (__builtin_memcmp(&mine.value, &other.value, sizeof(T)) == 0) mine.result |= 1u << lane;
            });
        });
    }
};
template <class T, class Operation> struct Reduce {
    using Slot = VoteSlot<T, T>;
    void operator()(void* const* slots, unsigned lanes) const {
        T total{};
        bool first = true;
        each_lane<Slot>(slots, lanes, [&](unsigned, Slot& slot) {
            total = first ? slot.value : Operation{}(total, slot.value);
            first = false;
        });
        each_lane<Slot>(slots, lanes, [&](unsigned, Slot& slot) { slot.result = total; });
    }
};
struct Nothing {
    void operator()(void* const*, unsigned) const {}
};
#define ASSAY_SIMT_OPERATION(name, expression)                                                                         \
    struct name {                                                                                                      \
        template <class T> T operator()(T a, T b) const { return static_cast<T>(expression); }                         \
    };
ASSAY_SIMT_OPERATION(Add, a + b)
ASSAY_SIMT_OPERATION(Least, b < a ? b : a)
ASSAY_SIMT_OPERATION(Greatest, a < b ? b : a)
ASSAY_SIMT_OPERATION(BitAnd, a& b)
ASSAY_SIMT_OPERATION(BitOr, a | b)
ASSAY_SIMT_OPERATION(BitXor, a ^ b)
#undef ASSAY_SIMT_OPERATION

} // namespace assay::simt

inline void __syncwarp(unsigned mask = 0xffffffffu, ASSAY_SIMT_WHERE) {
    ::assay::simt::vote<char, char>("__syncwarp", mask, 0, ::assay::simt::Nothing{}, where);
}
template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = 32, ASSAY_SIMT_WHERE) {
    return ::assay::simt::shuffle<::assay::simt::Shuffle::index>("__shfl_sync", mask, value, source, width, where);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, ASSAY_SIMT_WHERE) {
    return ::assay::simt::shuffle<::assay::simt::Shuffle::up>("__shfl_up_sync", mask, value, static_cast<int>(delta),
                                                              width, where);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, ASSAY_SIMT_WHERE) {
    return ::assay::simt::shuffle<::assay::simt::Shuffle::down>("__shfl_down_sync", mask, value,
                                                                static_cast<int>(delta), width, where);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, ASSAY_SIMT_WHERE) {
    return ::assay::simt::shuffle<::assay::simt::Shuffle::exclusive>("__shfl_xor_sync", mask, value, lane_mask, width,
                                                                     where);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, ASSAY_SIMT_WHERE) {
    return ::assay::simt::vote<int, unsigned>("__ballot_sync", mask, predicate, ::assay::simt::Ballot{}, where);
}
inline int __all_sync(unsigned mask, int predicate, ASSAY_SIMT_WHERE) {
    return ::assay::simt::vote<int, int>("__all_sync", mask, predicate, ::assay::simt::AllAny{}, where) & 1;
}
inline int __any_sync(unsigned mask, int predicate, ASSAY_SIMT_WHERE) {
    return ::assay::simt::vote<int, int>("__any_sync", mask, predicate, ::assay::simt::AllAny{}, where) >> 1;
}
template <class T> unsigned __match_any_sync(unsigned mask, T value, ASSAY_SIMT_WHERE) {
    return ::assay::simt::vote<T, unsigned>("__match_any_sync", mask, value, ::assay::simt::Match<T>{}, where);
}
template <class T> unsigned __match_all_sync(unsigned mask, T value, int* all, ASSAY_SIMT_WHERE) {
    const unsigned same =
        ::assay::simt::vote<T, unsigned>("__match_all_sync", mask, value, ::assay::simt::Match<T>{}, where);
    const unsigned here = __ballot_sync(mask, 1, where);
    *all = same == here;
    return same == here ? here : 0;
}
#define ASSAY_SIMT_REDUCE(name, operation)                                                                             \
    inline unsigned name(unsigned mask, unsigned value, ASSAY_SIMT_WHERE) {                                            \
        return ::assay::simt::vote<unsigned, unsigned>(                                                                \
            #name, mask, value, ::assay::simt::Reduce<unsigned, ::assay::simt::operation>{}, where);                   \
    }                                                                                                                  \
    inline int name(unsigned mask, int value, ASSAY_SIMT_WHERE) {                                                      \
        return ::assay::simt::vote<int, int>(#name, mask, value,                                                       \
                                             ::assay::simt::Reduce<int, ::assay::simt::operation>{}, where);           \
    }
ASSAY_SIMT_REDUCE(__reduce_add_sync, Add)
ASSAY_SIMT_REDUCE(__reduce_min_sync, Least)
ASSAY_SIMT_REDUCE(__reduce_max_sync, Greatest)
ASSAY_SIMT_REDUCE(__reduce_and_sync, BitAnd)
ASSAY_SIMT_REDUCE(__reduce_or_sync, BitOr)
ASSAY_SIMT_REDUCE(__reduce_xor_sync, BitXor)
#undef ASSAY_SIMT_REDUCE

/// CUDA promises no lane to be active beside the caller: that alone is what is said here. Code that relies on more
/// gives wrong results, as it may on a GPU.
inline unsigned __activemask() { return 1u << ::assay::simt::lane(); }

#endif
