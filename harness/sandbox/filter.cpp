// Nearly all calls are allowed: the kernel keeps those in a bitmap and runs no filter for them. What is listed here is
// listed for a reason. What depends on the process itself is in own_filter.cpp.
#include "sandbox/filter.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <initializer_list>
#include <mutex>
#include <sched.h>
#include <seccomp.h>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifdef __clang__ // libseccomp's own macros, SCMP_A0 and its like
#pragma clang diagnostic ignored "-Wc99-extensions"
#pragma clang diagnostic ignored "-Wmissing-field-initializers"
#endif

namespace assay {

namespace {

/// No honest attempt makes these: whoever does wants out, or wants the kernel's rarely trodden parts.
constexpr std::string_view forbidden_calls[] = {
    // other processes' memory and descriptors
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    // calls that go round this filter, or run code in the kernel
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "userfaultfd", "perf_event_open", "kexec_load",
    "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module",
    // name spaces and mounts
    "unshare", "setns", "mount", "umount2", "umount", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "swapon", "swapoff", "quotactl", "quotactl_fd",
    // files by number, which no folder's permission guards
    "open_by_handle_at", "name_to_handle_at", "fanotify_init", "fanotify_mark", "lookup_dcookie",
    // the kernel's keyring, which outlives a process
    "keyctl", "add_key", "request_key",
    // the machine
    "reboot", "acct", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname",
    "setdomainname", "iopl", "ioperm", "vhangup", "nfsservctl", "uselib", "ustat", "sysfs", "_sysctl"};

/// A library might try these and do without.
constexpr std::string_view refused_calls[] = {
    // no sockets but the channel, and no descriptor passed over that
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendmsg", "sendmmsg", "socketcall",
    // leaving the judge's sight
    "setsid", "setpgid", "pidfd_open", "pidfd_send_signal",
    // what would outlive it
    "shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semctl", "semtimedop", "msgget", "msgsnd", "msgrcv",
    "msgctl", "mq_open", "mq_unlink", "mknod", "mknodat",
    // further filters, and memory that a limit does not count
    "seccomp", "memfd_secret", "move_pages", "migrate_pages", "syslog", "process_mrelease"};

/// Landlock does not govern these, and a compiler's linker needs some of them.
constexpr std::string_view file_attribute_calls[] = {
    "chmod",     "fchmod",      "fchmodat",     "fchmodat2",    "chown",     "fchown",   "fchownat",
    "lchown",    "utime",       "utimes",       "futimesat",    "utimensat", "setxattr", "lsetxattr",
    "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "truncate"};

/// libseccomp 2.5.4 does not know their names yet; calls from 424 on have one number on every architecture.
struct Newer {
    std::string_view name;
    int number;
};
constexpr Newer newer_calls[] = {{"memfd_secret", 447}, {"process_mrelease", 448}, {"fchmodat2", 452}};

constexpr unsigned new_spaces[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                   CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};

/// Negative where this architecture has no such call.
int number_of(std::string_view name) {
    const int number = ::seccomp_syscall_resolve_name(std::string(name).c_str());
    if (number != __NR_SCMP_ERROR) return number;
    for (const Newer& newer : newer_calls)
        if (newer.name == name) return newer.number;
    return -1;
}

class Maker {
  public:
    Maker(bool processes, bool asks)
        : processes_(processes), context_(::seccomp_init(SCMP_ACT_ALLOW)),
          kill_(asks ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS),
          refuse_(asks ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM)) {}
    Maker(const Maker&) = delete;
    Maker& operator=(const Maker&) = delete;
    ~Maker() { ::seccomp_release(context_); }

    Filter make() {
        Filter filter;
        if (context_ == nullptr) return filter;
        // 32-bit and x32 calls have other numbers: a filter that overlooked them would be none.
        ::seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
        for (const std::string_view name : forbidden_calls) {
            add(kill_, name, {});
            if (const int number = number_of(name); number >= 0) filter.forbidden.push_back(number);
        }
        for (const std::string_view name : refused_calls) add(refuse_, name, {});
        // Its flags lie in memory, where no filter can look: glibc then takes clone.
        add(SCMP_ACT_ERRNO(ENOSYS), "clone3", {});
        if (processes_) {
            for (const unsigned space : new_spaces) add(refuse_, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, space, space)});
        } else {
            for (const std::string_view name : file_attribute_calls) add(refuse_, name, {});
            for (const std::string_view name : {"fork", "vfork"}) add(refuse_, name, {});
            add(refuse_, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)});
        }
        for (const int option :
             {PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_MM, PR_SET_CHILD_SUBREAPER, PR_SET_PTRACER})
            add(refuse_, "prctl", {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option))});
        add(refuse_, "ioctl", {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, TIOCSTI)});
        if (ok_) filter.program = exported();
        return filter;
    }

  private:
    bool processes_;
    scmp_filter_ctx context_;
    std::uint32_t kill_, refuse_;
    bool ok_ = true;

    void add(std::uint32_t action, std::string_view name, std::initializer_list<scmp_arg_cmp> arguments) {
        const int number = number_of(name);
        if (number < 0) return;
        ok_ = ok_ && ::seccomp_rule_add_array(context_, action, number, static_cast<unsigned>(arguments.size()),
                                              arguments.begin()) == 0;
    }

    std::string exported() {
        std::string program;
        const int file = ::memfd_create("assay-filter", MFD_CLOEXEC);
        if (file < 0) return program;
        if (::seccomp_export_bpf(context_, file) == 0) {
            const off_t size = ::lseek(file, 0, SEEK_END);
            program.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
            if (::pread(file, program.data(), program.size(), 0) != size) program.clear();
        }
        ::close(file);
        return program;
    }
};

} // namespace

const Filter& filter_for(bool processes, bool asks) {
    static std::mutex mutex;
    static std::array<Filter, 4> made;
    const std::lock_guard<std::mutex> lock(mutex);
    Filter& filter = made[(processes ? 2u : 0u) + (asks ? 1u : 0u)];
    if (filter.program.empty()) filter = Maker(processes, asks).make();
    return filter;
}

std::string system_call_name(std::int64_t number) {
    char* name = ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number));
    std::string result = name != nullptr ? name : "";
    std::free(name);
    for (const Newer& newer : newer_calls)
        if (result.empty() && newer.number == number) result = newer.name;
    return result.empty() ? fmt::format("system call {}", number) : result;
}

} // namespace assay
