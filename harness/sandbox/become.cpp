// The child shares our memory and descriptors until it becomes the program, so that it can hand us its filter's
// listener and its errors without a call that its filter forbids. We sleep meanwhile. The order of its steps matters:
// cgroups are entered and the user is changed while it may, files and calls are given up last.
#include "sandbox/become.hpp"

#include "sandbox/landlock.hpp"
#include "sandbox/own_filter.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace assay {

namespace {

struct Shared {
    const Policy* policy = nullptr;
    std::vector<char*> arguments, environment;
    Child child;
};

[[noreturn]] void give_up(Shared& shared, const char* step, int error = errno) {
    shared.child.error = error;
    shared.child.step = step;
    ::_exit(127);
}

void enter_cgroups(Shared& shared) {
    for (int i = 0; i < shared.policy->cgroups; ++i)
        if (::write(first_cgroup_descriptor + i, "0", 1) != 1) give_up(shared, "enter its cgroup");
}

void change_user(Shared& shared) {
    if (const auto user = static_cast<uid_t>(shared.policy->user); shared.policy->user >= 0) {
        for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability)
            ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
        // The plain calls: libc's would change every thread, and ours is asleep.
        if (::syscall(SYS_setgroups, 0, nullptr) != 0 || ::syscall(SYS_setresgid, user, user, user) != 0 ||
            ::syscall(SYS_setresuid, user, user, user) != 0)
            give_up(shared, "become its user");
    }
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> none{};
    if (::syscall(SYS_capset, &header, none.data()) != 0) give_up(shared, "give up capabilities");
}

int become(void* argument) {
    Shared& shared = *static_cast<Shared*>(argument);
    const Policy& policy = *shared.policy;
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
    enter_cgroups(shared);
    // A session of its own: no terminal, and a signal to its group reaches nobody else.
    if (::setsid() < 0) give_up(shared, "make a session");
    change_user(shared);
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(shared, "tie it to its parent");
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up(shared, "give up privileges");
    if (!policy.folder.empty() && ::chdir(policy.folder.c_str()) != 0) give_up(shared, "enter its folder");
    for (const ResourceLimit& limit : policy.limits) {
        const rlimit value{limit.soft, limit.hard};
        if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &value) != 0) give_up(shared, "set a limit");
    }
    const char word = static_cast<char>(Word::started);
    if (::send(leash_descriptor, &word, 1, MSG_NOSIGNAL) != 1) give_up(shared, "tell the judge");
    if (policy.landlock > 0)
        if (const int error = restrict_files(static_cast<int>(policy.landlock), policy.files); error != 0)
            give_up(shared, "give up files", error);
    if (!policy.filter.empty()) {
        if (const int error = install_own_filter(policy.own_signals_only); error != 0)
            give_up(shared, "give up signals", error);
        if (const int error = install_filter(policy.filter, policy.filter_asks, shared.child.listener); error != 0)
            give_up(shared, "give up system calls", error);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(shared.arguments[0], shared.arguments.data(), shared.environment.data());
    give_up(shared, "run");
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

} // namespace

Child start_child(const Policy& policy) {
    alignas(16) static std::array<std::byte, 256 << 10> stack;
    static Shared shared; // of static storage: no variable of this frame can be overwritten by the child
    shared = {&policy, pointers(policy.arguments), pointers(policy.environment), {}};
    shared.child.pid =
        ::clone(become, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &shared);
    if (shared.child.pid < 0) {
        shared.child.error = errno;
        shared.child.step = "make a process";
    }
    return shared.child;
}

} // namespace assay
