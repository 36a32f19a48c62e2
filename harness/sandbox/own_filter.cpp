#include "sandbox/own_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_NEW_LISTENER
#define SECCOMP_FILTER_FLAG_NEW_LISTENER (1UL << 3)
#endif

namespace assay {

namespace {

// Numbers from 424 on are the same everywhere. 462 is mseal (Linux 6.10), the last call looked at.
constexpr std::uint32_t first_unknown_call = 463;

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW, refuse = SECCOMP_RET_ERRNO | EPERM,
                        absent = SECCOMP_RET_ERRNO | ENOSYS;

constexpr std::size_t first_argument = offsetof(seccomp_data, args); // its low half, on a little-endian machine
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

class Program {
  public:
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
    void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action, 0, 0); }
    void keep_bits(std::uint32_t mask) { add(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0); }
    /// Passes over the next `skip` instructions where the value is not this one.
    void unless_equal(std::uint32_t value, std::uint8_t skip) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip); }
    void if_equal(std::uint32_t value, std::uint8_t skip) { add(BPF_JMP | BPF_JEQ | BPF_K, value, skip, 0); }
    void unless_at_least(std::uint32_t value, std::uint8_t skip) { add(BPF_JMP | BPF_JGE | BPF_K, value, 0, skip); }

    int install() {
        sock_fprog program{static_cast<unsigned short>(used_), instructions_.data()};
        return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) == 0 ? 0 : errno;
    }

  private:
    std::array<sock_filter, 64> instructions_;
    std::size_t used_ = 0;
    void add(int code, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
        instructions_.at(used_++) = {static_cast<std::uint16_t>(code), yes, no, value};
    }
};

} // namespace

int install_own_filter(bool own_signals_only) {
    const auto self = static_cast<std::uint32_t>(::getpid());
    Program program;
    program.load(offsetof(seccomp_data, nr));
    program.unless_at_least(first_unknown_call, 1);
    program.answer(absent);

    program.unless_equal(SYS_personality, 6);
    program.load(first_argument);
    program.unless_equal(0xffffffff, 1); // asks for the present one
    program.answer(allow);
    program.keep_bits(~std::uint32_t{0x0040000}); // ADDR_NO_RANDOMIZE
    program.if_equal(0, 1);
    program.answer(refuse);
    program.load(offsetof(seccomp_data, nr));

    if (own_signals_only) {
        for (const long call : {SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
            program.unless_equal(static_cast<std::uint32_t>(call), 4);
            program.load(first_argument);
            program.if_equal(self, 1);
            program.answer(refuse);
            program.answer(allow);
        }
        program.unless_equal(SYS_prlimit64, 5);
        program.load(first_argument);
        program.if_equal(self, 2);
        program.if_equal(0, 1);
        program.answer(refuse);
        program.answer(allow);
    }
    program.answer(allow);
    return program.install();
}

int install_filter(std::string_view bytes, bool asks, int& listener) {
    sock_fprog program{static_cast<unsigned short>(bytes.size() / sizeof(sock_filter)),
                       reinterpret_cast<sock_filter*>(const_cast<char*>(bytes.data()))};
    const unsigned long flags = asks ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    const long result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (result < 0) return errno;
    if (asks) listener = static_cast<int>(result);
    return 0;
}

} // namespace assay
