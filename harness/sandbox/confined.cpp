// Judge -> (bubblewrap ->) assay-confine -> program. The judge hears of the program over the leash alone: what
// bubblewrap or a process of the same user says of its end decides nothing.
#include "sandbox/confined.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/filter.hpp"
#include "sandbox/policy.hpp"
#include "sandbox/run_folder.hpp"
#include "sandbox/system_files.hpp"
#include "sandbox/user_slot.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

struct Confined::State {
    pid_t supervisor = -1; // or the bubblewrap before it
    pid_t program = -1;
    int leash = -1;
    std::optional<Fate> fate;
    std::unique_ptr<UserSlot> slot;
    std::unique_ptr<Cgroup> group;
    std::vector<std::pair<std::string, std::string>> renamed; // paths: ours, the program's
};

namespace {

constexpr int longest_setup_ms = 20'000;

Failure trouble(const std::string& what, int error = errno) {
    return {
        Verdict::JE, fmt::format("an attempt's process could not be set up: {} ({})", what, std::strerror(error)), {}};
}

void add_limit(Policy& policy, decltype(RLIMIT_CPU) resource, std::uint64_t soft, std::uint64_t hard) {
    rlimit ours{};
    if (::getrlimit(resource, &ours) == 0) hard = std::min<std::uint64_t>(hard, ours.rlim_max);
    policy.limits.push_back({static_cast<std::int64_t>(resource), std::min(soft, hard), hard});
}

/// All tasks of the machine: no user has more, and the kernel counts a user's over all its processes.
std::uint64_t tasks_here() {
    std::array<char, 128> text{};
    const int file = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? ::read(file, text.data(), text.size() - 1) : -1;
    if (file >= 0) ::close(file);
    const char* slash = got > 0 ? std::strchr(text.data(), '/') : nullptr; // "0.20 0.18 0.12 1/80 11206"
    return slash != nullptr ? std::strtoull(slash + 1, nullptr, 10) : 10'000;
}

void add_limits(Policy& policy, const Limits& limits, int processes, bool own_user) {
    add_limit(policy, RLIMIT_CORE, 0, 0);
    if (limits.cpu_seconds > 0) {
        // SIGXCPU may be caught: a second later SIGKILL may not.
        const auto whole = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds));
        add_limit(policy, RLIMIT_CPU, whole, whole + 1);
    }
    if (limits.memory > 0) add_limit(policy, RLIMIT_DATA, limits.memory, limits.memory);
    if (limits.file_bytes > 0) add_limit(policy, RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes);
    const std::uint64_t most = static_cast<std::uint64_t>(processes) + (own_user ? 0 : tasks_here());
    add_limit(policy, RLIMIT_NPROC, most, most);
    add_limit(policy, RLIMIT_MSGQUEUE, 0, 0);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

/// Paths that the program's user cannot reach are offered under others, and are named so.
Outcome<Done> offer_files(Command& command, Needs& needs, std::vector<std::pair<std::string, std::string>>& renamed) {
    for (fs::path& path : needs.readable) {
        const Outcome<fs::path> seen = offered(path);
        if (!seen) return seen.failure();
        if (*seen == path) continue;
        for (std::vector<std::string>* texts : {&command.arguments, &command.environment})
            for (std::string& text : *texts) text = replaced(text, path.native(), seen->native());
        command.folder = replaced(command.folder.native(), path.native(), seen->native());
        renamed.emplace_back(path.native(), seen->native());
        path = *seen;
    }
    return Done{};
}

int policy_file(const Policy& policy) {
    const std::string bytes = encoded(policy);
    const int file = ::memfd_create("assay-policy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
        ::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    ::close(file);
    return -1;
}

/// Entries of a folder without `left_out`, or the folder where that does not lie in it.
void add_rules(std::vector<FileRule>& rules, const fs::path& path, FileRule::Kind kind,
               const std::vector<fs::path>& left_out) {
    const bool holds_one = std::any_of(left_out.begin(), left_out.end(), [&](const fs::path& out) {
        return std::mismatch(path.begin(), path.end(), out.begin(), out.end()).first == path.end();
    });
    if (!holds_one) {
        rules.push_back({path.native(), kind});
        return;
    }
    std::error_code error;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
        if (std::find(left_out.begin(), left_out.end(), at->path()) == left_out.end())
            add_rules(rules, at->path(), kind, left_out);
}

void add_files(Policy& policy, const View& view, const std::vector<fs::path>& own, bool contained) {
    for (const fs::path& path : view.readable) {
        std::error_code error;
        const bool runs = std::find(own.begin(), own.end(), path) == own.end() || !fs::is_directory(path, error);
        // Inside bubblewrap what is hidden is hidden already.
        add_rules(policy.files, path, runs ? FileRule::Kind::execute : FileRule::Kind::read,
                  contained ? std::vector<fs::path>() : view.hidden);
    }
    for (const fs::path& path : view.writable) policy.files.push_back({path.native(), FileRule::Kind::write});
    for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"})
        policy.files.push_back({device, FileRule::Kind::device});
    for (const char* path : {"/dev/urandom", "/dev/random", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo",
                             contained ? "/proc" : "/proc/self"})
        policy.files.push_back({path, FileRule::Kind::read});
    if (contained) policy.files.push_back({"/tmp", FileRule::Kind::write});
}

/// The next message of the leash, with the sender's number; "" at its end or after `wait`.
std::string hear(int leash, int wait_ms, bool& closed, pid_t* sender = nullptr) {
    pollfd waited{leash, POLLIN, 0};
    int ready = 0;
    while ((ready = ::poll(&waited, 1, wait_ms)) < 0 && errno == EINTR) {
    }
    if (ready <= 0) return {};
    std::array<char, 512> text{};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    iovec part{text.data(), text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(leash, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    closed = got <= 0;
    if (closed) return {};
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
        if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_CREDENTIALS || sender == nullptr) continue;
        ucred who{};
        std::memcpy(&who, CMSG_DATA(one), sizeof who);
        *sender = who.pid;
    }
    return {text.data(), static_cast<std::size_t>(got)};
}

template <class Body> Body body_of(const std::string& message) {
    Body body{};
    std::memcpy(&body, message.data() + 1, std::min(sizeof body, message.size() - 1));
    return body;
}

bool is(const std::string& message, Word word) { return !message.empty() && message[0] == static_cast<char>(word); }

Fate fate_of(const std::string& message) {
    const auto word = body_of<EndedWord>(message);
    Fate fate;
    fate.known = true;
    fate.status = word.status;
    if (word.forbidden >= 0) fate.forbidden = system_call_name(word.forbidden);
    if (word.refused >= 0) fate.refused = system_call_name(word.refused);
    fate.refused_at = word.refused_at;
    fate.left_over = word.left_over;
    return fate;
}

} // namespace

Confined::Confined(std::unique_ptr<State> state) : state_(std::move(state)) {}
Confined::~Confined() { kill(); }
pid_t Confined::pid() const { return state_->program; }
int Confined::leash() const { return state_->leash; }

Outcome<std::unique_ptr<Confined>> Confined::start(const Command& wanted, const Needs& wants, const Layers& layers) {
    Command command = wanted;
    Needs needs = wants;
    // Without a filter a program of our own user could look into us, who hold the answers.
    if (!layers.has(Layer::seccomp)) ::prctl(PR_SET_DUMPABLE, 0);
    auto state = std::make_unique<State>();
    const bool contained = layers.has(Layer::bubblewrap);
    if (layers.has(Layer::user)) {
        Outcome<std::unique_ptr<UserSlot>> slot = UserSlot::take(layers.first_user);
        if (!slot) return slot.failure();
        state->slot = std::move(*slot);
        for (const fs::path& folder : needs.writable)
            if (::chown(folder.c_str(), state->slot->user(), state->slot->user()) != 0)
                return trouble(fmt::format("{} cannot be given to another user", folder.native()));
        if (!contained)
            if (const Outcome<Done> done = offer_files(command, needs, state->renamed); !done) return done.failure();
    }
    if (layers.has(Layer::cgroup)) {
        // Beside its own memory: its libraries, and the kernel's tables for it.
        const std::uint64_t memory =
            needs.memory > 0 ? needs.memory + (std::uint64_t{64} << 20) : std::uint64_t{4} << 30;
        Outcome<std::unique_ptr<Cgroup>> group = Cgroup::make(*layers.cgroup, memory, needs.processes);
        if (!group) return group.failure();
        state->group = std::move(*group);
    }

    View view{needs.compiler.empty() ? system_libraries() : system_for_compiling(needs.compiler),
              needs.writable,
              {},
              needs.temporary};
    view.hidden = to_be_hidden(view.readable);
    view.readable.insert(view.readable.end(), needs.readable.begin(), needs.readable.end());
    const bool processes = needs.starts_programs || !needs.compiler.empty();

    Policy policy;
    policy.arguments = command.arguments;
    policy.environment = command.environment;
    policy.folder = command.folder.native();
    policy.user = state->slot ? static_cast<std::int64_t>(state->slot->user()) : -1;
    policy.cgroups = state->group ? static_cast<std::int64_t>(state->group->lists().size()) : 0;
    policy.landlock = layers.landlock;
    if (layers.has(Layer::landlock)) add_files(policy, view, needs.readable, contained);
    if (layers.has(Layer::seccomp)) {
        const Filter& filter = filter_for(processes, layers.filter_asks);
        if (filter.program.empty())
            return Failure{Verdict::JE, "libseccomp could not make the filter of system calls", {}};
        policy.filter = filter.program;
        policy.filter_asks = layers.filter_asks;
        policy.forbidden = filter.forbidden;
        policy.own_signals_only = !processes;
    }
    add_limits(policy, command.limits, needs.processes, state->slot != nullptr);

    Command outer;
    const fs::path confine = confine_program();
    outer.arguments =
        contained ? bubblewrap_command(layers.bubblewrap, view, confine) : std::vector<std::string>{confine.native()};
    outer.descriptors = command.descriptors;
    std::array<int, 2> leash{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, leash.data()) != 0) return trouble("no socket");
    state->leash = leash[0];
    const int on = 1;
    ::setsockopt(leash[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
    const int file = policy_file(policy);
    outer.descriptors.emplace_back(leash[1], leash_descriptor);
    outer.descriptors.emplace_back(file, policy_descriptor);
    for (std::size_t i = 0; state->group && i < state->group->lists().size(); ++i)
        outer.descriptors.emplace_back(state->group->lists()[i], first_cgroup_descriptor + static_cast<int>(i));
    const Outcome<pid_t> started = file < 0 ? Outcome<pid_t>(trouble("no memory file")) : assay::start(outer);
    if (file >= 0) ::close(file);
    ::close(leash[1]);
    if (!started) {
        ::close(state->leash);
        return started.failure();
    }
    state->supervisor = *started;
    std::unique_ptr<Confined> confined(new Confined(std::move(state)));
    bool closed = false;
    std::string word = hear(confined->leash(), longest_setup_ms, closed, &confined->state_->program);
    if (is(word, Word::started)) word = hear(confined->leash(), longest_setup_ms, closed);
    if (is(word, Word::running)) return confined;
    std::string why = closed ? "its supervisor ended" : "its supervisor said nothing for 20 s";
    if (is(word, Word::failed)) {
        const std::size_t head = std::min(word.size(), 1 + sizeof(FailedWord));
        why = fmt::format("failed to {} ({})", word.substr(head), std::strerror(body_of<FailedWord>(word).error));
    }
    return Failure{Verdict::JE, fmt::format("{} could not be started: {}", wanted.arguments[0], why), {}};
}

std::string Confined::in_our_words(std::string text) const {
    for (const auto& [ours, its] : state_->renamed) text = replaced(std::move(text), its, ours);
    return text;
}

std::optional<Fate> Confined::ended(std::chrono::milliseconds wait) {
    if (state_->fate) return state_->fate;
    bool closed = false;
    const std::string word = hear(state_->leash, static_cast<int>(wait.count()), closed);
    if (word.empty() && !closed) return std::nullopt;
    Fate fate;
    if (is(word, Word::ended)) fate = fate_of(word);
    if (state_->group) fate.out_of_memory = state_->group->out_of_memory();
    state_->fate = fate;
    kill_and_reap(state_->supervisor);
    ::close(state_->leash);
    state_->leash = -1;
    return fate;
}

Fate Confined::kill() {
    if (state_->fate) return *state_->fate;
    ::shutdown(state_->leash, SHUT_WR);
    // The supervisor kills for ten seconds at most. One that is stopped or gone cannot: then all it can be is killed.
    if (const auto fate = ended(std::chrono::seconds(12))) return *fate;
    kill_and_reap(state_->supervisor);
    ::close(state_->leash);
    state_->leash = -1;
    state_->fate = Fate{};
    return *state_->fate;
}

} // namespace assay
