// Atomic operations. One thread runs at a time and none is interrupted, so that plain reads and writes are atomic; one
// that changes nothing may be a spin, and lets the others go on.
#ifndef ASSAY_SIMT_ATOMICS_HPP
#define ASSAY_SIMT_ATOMICS_HPP

#include "sync.hpp"

namespace assay::simt {

/// Never interrupted (cuda/host/interrupt.cpp).
template <class T, class Make> __attribute__((no_sanitize("thread"))) T atomically(T* address, Make make, Where where) {
    const T old = *address;
    const T next = make(old);
    *address = next;
    if (__builtin_memcmp(&old, &next, sizeof(T)) == 0)
        spinning(where);
    else
        progressed();
    return old;
}
template <class T> struct Same { using type = T; };
template <class T> using same = typename Same<T>::type; // the argument converts to what the address points to

} // namespace assay::simt

#define ASSAY_SIMT_ATOMIC(name, expression)                                                                            \
    template <class T> T name(T* address, ::assay::simt::same<T> value, ASSAY_SIMT_WHERE) {                            \
        return ::assay::simt::atomically(                                                                              \
            address, [&](T old) { return static_cast<T>(expression); }, where);                                        \
    }                                                                                                                  \
    template <class T> T name##_block(T* address, ::assay::simt::same<T> value, ASSAY_SIMT_WHERE) {                    \
        return name(address, value, where);                                                                            \
    }                                                                                                                  \
    template <class T> T name##_system(T* address, ::assay::simt::same<T> value, ASSAY_SIMT_WHERE) {                   \
        return name(address, value, where);                                                                            \
    }
ASSAY_SIMT_ATOMIC(atomicAdd, old + value)
ASSAY_SIMT_ATOMIC(atomicSub, old - value)
ASSAY_SIMT_ATOMIC(atomicExch, (static_cast<void>(old), value))
ASSAY_SIMT_ATOMIC(atomicMin, value < old ? value : old)
ASSAY_SIMT_ATOMIC(atomicMax, old < value ? value : old)
ASSAY_SIMT_ATOMIC(atomicInc, old >= value ? T(0) : old + 1)
ASSAY_SIMT_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
ASSAY_SIMT_ATOMIC(atomicAnd, old& value)
ASSAY_SIMT_ATOMIC(atomicOr, old | value)
ASSAY_SIMT_ATOMIC(atomicXor, old ^ value)
#undef ASSAY_SIMT_ATOMIC

template <class T>
T atomicCAS(T* address, ::assay::simt::same<T> compare, ::assay::simt::same<T> value, ASSAY_SIMT_WHERE) {
    return ::assay::simt::atomically(
        address, [&](T old) { return old == compare ? value : old; }, where);
}
template <class T>
T atomicCAS_block(T* address, ::assay::simt::same<T> compare, ::assay::simt::same<T> value, ASSAY_SIMT_WHERE) {
    return atomicCAS(address, compare, value, where);
}
template <class T>
T atomicCAS_system(T* address, ::assay::simt::same<T> compare, ::assay::simt::same<T> value, ASSAY_SIMT_WHERE) {
    return atomicCAS(address, compare, value, where);
}

#endif
