#include "worker/signals.hpp"

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <ucontext.h>

namespace assay {

namespace {

ControlPage* page_of_notes = nullptr;
const std::byte* arena_begin = nullptr;
std::size_t arena_bytes = 0;
alignas(16) char handler_stack[32 << 10];

std::uintptr_t stack_pointer([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
#else
    return 0;
#endif
}

// Only async-signal-safe work: plain stores to memory that is always mapped.
void note(int signal, siginfo_t* info, void* context) {
    const int error_number = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const auto base = reinterpret_cast<std::uintptr_t>(arena_begin);
    const std::uintptr_t stack = stack_pointer(context);
    page_of_notes->signal = signal;
    page_of_notes->error_number = error_number;
    if (signal == SIGSEGV || signal == SIGBUS) {
        page_of_notes->address = address;
        page_of_notes->in_arena = address >= base && address < base + arena_bytes;
        page_of_notes->arena_offset = page_of_notes->in_arena != 0 ? static_cast<std::int64_t>(address - base) : 0;
        // A push or a local array just below the stack pointer, or a frame's far end.
        constexpr std::uintptr_t near = 256 << 10;
        page_of_notes->stack_overflow = stack != 0 && address + near > stack && address < stack + 4096;
    }
    // SA_RESETHAND has restored the default action: returning runs the instruction again and dies of it; a signal
    // that was sent, not raised by an instruction, needs raising again.
    if (info->si_code <= 0) ::raise(signal);
}

} // namespace

void note_crashes(ControlPage* page, const std::byte* arena, std::size_t bytes) {
    page_of_notes = page;
    arena_begin = arena;
    arena_bytes = bytes;
    stack_t stack{};
    stack.ss_sp = handler_stack;
    stack.ss_size = sizeof handler_stack;
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

} // namespace assay
