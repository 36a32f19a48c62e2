// Threads interrupted before writes: `x += y` on one address by two threads without an atomic then loses one of them,
// as on a GPU. Attempts are compiled with -fsanitize=thread, which puts a call before every access to memory, and are
// linked with these functions in the place of ThreadSanitizer's library.
#include "block.hpp"
#include "simt.hpp"

namespace assay::simt {

namespace {

bool interrupting = false;

void before_write(const void* at) {
    if (!interrupting) return;
    if (Block* block = Block::running()) block->interrupt(at);
}

} // namespace

void set_interrupting(bool on) { interrupting = on; }

} // namespace assay::simt

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void** at, void*) { assay::simt::before_write(at); }
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void* at, unsigned long) { assay::simt::before_write(at); }
#define ASSAY_ACCESS(size)                                                                                             \
    void __tsan_read##size(void*) {}                                                                                   \
    void __tsan_unaligned_read##size(void*) {}                                                                         \
    void __tsan_volatile_read##size(void*) {}                                                                          \
    void __tsan_write##size(void* at) { assay::simt::before_write(at); }                                               \
    void __tsan_unaligned_write##size(void* at) { assay::simt::before_write(at); }                                     \
    void __tsan_volatile_write##size(void* at) { assay::simt::before_write(at); }
ASSAY_ACCESS(1)
ASSAY_ACCESS(2)
ASSAY_ACCESS(4)
ASSAY_ACCESS(8)
ASSAY_ACCESS(16)
#undef ASSAY_ACCESS

// Host code's atomics (static variables' guards, std::atomic), which come here too.
#define ASSAY_ATOMIC(bits, T)                                                                                          \
    T __tsan_atomic##bits##_load(const volatile T* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }          \
    void __tsan_atomic##bits##_store(volatile T* at, T v, int) { __atomic_store_n(at, v, __ATOMIC_SEQ_CST); }          \
    T __tsan_atomic##bits##_exchange(volatile T* at, T v, int) {                                                       \
        return __atomic_exchange_n(at, v, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                                  \
    T __tsan_atomic##bits##_fetch_add(volatile T* at, T v, int) {                                                      \
        return __atomic_fetch_add(at, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    T __tsan_atomic##bits##_fetch_sub(volatile T* at, T v, int) {                                                      \
        return __atomic_fetch_sub(at, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    T __tsan_atomic##bits##_fetch_and(volatile T* at, T v, int) {                                                      \
        return __atomic_fetch_and(at, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    T __tsan_atomic##bits##_fetch_or(volatile T* at, T v, int) { return __atomic_fetch_or(at, v, __ATOMIC_SEQ_CST); }  \
    T __tsan_atomic##bits##_fetch_xor(volatile T* at, T v, int) {                                                      \
        return __atomic_fetch_xor(at, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T v, int, int) {                    \
        return __atomic_compare_exchange_n(at, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;        \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T v, int, int) {                      \
        return __atomic_compare_exchange_n(at, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;        \
    }
ASSAY_ATOMIC(8, unsigned char)
ASSAY_ATOMIC(16, unsigned short)
ASSAY_ATOMIC(32, unsigned)
ASSAY_ATOMIC(64, unsigned long)
#undef ASSAY_ATOMIC
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
