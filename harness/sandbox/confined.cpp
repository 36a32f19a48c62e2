// Judge -> (bubblewrap ->) assay-confine -> program. The judge hears of the program over the leash alone: what
// bubblewrap or a process of the same user says of its end decides nothing.
#include "sandbox/confined.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/leash.hpp"
#include "sandbox/policy_for.hpp"
#include "sandbox/run_folder.hpp"
#include "sandbox/system_files.hpp"
#include "sandbox/user_slot.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

/// A user of its own, to whom its folders belong and who can read its files.
Outcome<Done> give_user(Confined::State& state, Command& command, Needs& needs, const Layers& layers) {
    Outcome<std::unique_ptr<UserSlot>> slot = UserSlot::take(layers.first_user);
    if (!slot) return slot.failure();
    state.slot = std::move(*slot);
    for (const fs::path& folder : needs.writable)
        if (::chown(folder.c_str(), state.slot->user(), state.slot->user()) != 0)
            return trouble(fmt::format("{} cannot be given to another user", folder.native()));
    if (layers.has(Layer::bubblewrap)) return Done{}; // shows them wherever they lie
    return offer_files(command, needs, state.renamed);
}

Outcome<Done> launch(Confined::State& state, Policy& policy, const Command& command, const View& view,
                     const Layers& layers) {
    const fs::path confine = confine_program();
    Command outer;
    outer.arguments = {confine.native()};
    if (layers.has(Layer::bubblewrap)) outer.arguments = bubblewrap_command(layers.bubblewrap, view, confine);
    outer.descriptors = command.descriptors;
    if (state.group)
        for (const int list : state.group->lists())
            outer.descriptors.emplace_back(list, first_cgroup_descriptor + static_cast<int>(policy.cgroups++));
    const auto [ours, theirs] = make_leash();
    if (ours < 0) return trouble("no socket");
    state.leash = ours;
    const int file = policy_file(policy);
    outer.descriptors.emplace_back(theirs, leash_descriptor);
    outer.descriptors.emplace_back(file, policy_descriptor);
    const Outcome<pid_t> started = file < 0 ? Outcome<pid_t>(trouble("no memory file")) : start(outer);
    if (file >= 0) ::close(file);
    ::close(theirs);
    if (!started) {
        ::close(ours);
        return started.failure();
    }
    state.supervisor = *started;
    return Done{};
}

} // namespace

Confined::Confined(std::unique_ptr<State> state) : state_(std::move(state)) {}
Confined::~Confined() { kill(); }
pid_t Confined::pid() const { return state_->program; }
int Confined::leash() const { return state_->leash; }

Outcome<std::unique_ptr<Confined>> Confined::start(const Command& wanted, const Needs& wants, const Layers& layers) {
    Command command = wanted;
    Needs needs = wants;
    auto state = std::make_unique<State>();
#if !defined(__SANITIZE_ADDRESS__) // whose search for leaks looks into us as well
    // Without a filter a program of our own user could look into us, who hold the answers.
    if (!layers.has(Layer::seccomp)) ::prctl(PR_SET_DUMPABLE, 0);
#endif
    if (layers.has(Layer::user))
        if (const Outcome<Done> given = give_user(*state, command, needs, layers); !given) return given.failure();
    if (layers.has(Layer::cgroup)) {
        // Beside its own memory: its libraries, and the kernel's tables for it.
        constexpr std::uint64_t besides = std::uint64_t{64} << 20, unbounded = std::uint64_t{4} << 30;
        Outcome<std::unique_ptr<Cgroup>> group =
            Cgroup::make(*layers.cgroup, needs.memory > 0 ? needs.memory + besides : unbounded, needs.processes);
        if (!group) return group.failure();
        state->group = std::move(*group);
    }
    const View view = view_for(needs);
    std::optional<uid_t> user;
    if (state->slot) user = state->slot->user();
    Policy policy = policy_for(command, needs, view, layers, user);
    if (layers.has(Layer::seccomp) && policy.filter.empty())
        return Failure{Verdict::JE, "libseccomp could not make the filter of system calls", {}};
    if (const Outcome<Done> launched = launch(*state, policy, command, view, layers); !launched)
        return launched.failure();

    std::unique_ptr<Confined> confined(new Confined(std::move(state)));
    Heard heard = hear(confined->leash(), longest_setup_ms);
    if (heard.is(Word::started)) {
        confined->state_->program = heard.sender;
        heard = hear(confined->leash(), longest_setup_ms);
    }
    if (heard.is(Word::running)) return confined;
    const std::string why = heard.is(Word::failed) ? failure_of(heard)
                            : heard.closed         ? "its supervisor ended"
                                                   : "its supervisor said nothing for 20 s";
    return Failure{Verdict::JE, fmt::format("{} could not be started: {}", wanted.arguments[0], why), {}};
}

std::string Confined::in_our_words(std::string text) const {
    for (const auto& [ours, its] : state_->renamed) text = replaced(std::move(text), its, ours);
    return text;
}

std::optional<Fate> Confined::ended(std::chrono::milliseconds wait) {
    if (state_->fate) return state_->fate;
    const Heard heard = hear(state_->leash, static_cast<int>(wait.count()));
    if (heard.message.empty() && !heard.closed) return std::nullopt;
    Fate fate;
    if (heard.is(Word::ended)) fate = fate_of(heard);
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
    ::kill(state_->supervisor, SIGCONT); // a program of our own user may have stopped it, where no filter forbids that
    // The supervisor kills for ten seconds at most. One that is stopped or gone cannot: then all it can be is killed.
    if (const auto fate = ended(std::chrono::seconds(12))) return *fate;
    kill_and_reap(state_->supervisor);
    ::close(state_->leash);
    state_->leash = -1;
    state_->fate = Fate{};
    return *state_->fate;
}

} // namespace assay
