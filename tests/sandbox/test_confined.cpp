// What each layer denies, tried for real; and that what an honest program needs is there under all of them.
#include "sandbox/trial.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace assay;
using namespace assay::tests;
namespace fs = std::filesystem;

namespace {

/// A folder that every user may enter, with a file that the program is not given.
struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "assay-sandbox-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
        path = name;
        ::chmod(name.c_str(), 0755);
        std::ofstream(path / "private") << "secret\n";
        fs::create_directory(path / "own");
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

} // namespace

TEST_CASE("an honest program finds what it needs under every level") {
    for (const std::vector<Layer>& left_out : {std::vector<Layer>{},
                                               {Layer::cgroup},
                                               {Layer::cgroup, Layer::bubblewrap},
                                               {Layer::cgroup, Layer::bubblewrap, Layer::landlock, Layer::seccomp}}) {
        const Layers layers = without(layers_here(), left_out);
        CAPTURE(name_of(layers.level()));
        const Tried tried = try_under(layers, {"thread", "descriptors", "folder", "status=NoNewPrivs", "status=CapEff",
                                               "personality", "no-randomness", "write=/dev/null"});
        CHECK(tried["thread"] == "ok");
        CHECK(tried["descriptors"] == "0,1,2");
        CHECK(tried["folder"] == "/");
        CHECK(tried["status=NoNewPrivs"] == "1");
        CHECK(tried["status=CapEff"] == "0000000000000000");
        CHECK(tried["personality"] == "ok"); // what AddressSanitizer asks
        CHECK(tried["no-randomness"] == "ok");
        CHECK(tried["write=/dev/null"] == "ok");
        CHECK(tried.ended.exited);
        CHECK(tried.ended.exit_code == 0);
    }
}

TEST_CASE("endings arrive as they are under every level") {
    for (const Layers& layers : {layers_here(), without(layers_here(), {Layer::bubblewrap}), only({})}) {
        CAPTURE(name_of(layers.level()));
        CHECK(try_under(layers, {"exit=7"}).ended.exit_code == 7);
        CHECK(try_under(layers, {"abort"}).ended.signal == SIGABRT);
        CHECK(try_under(layers, {"signal=15"}).ended.signal == SIGTERM);
        const Tried slept = try_under(layers, {"user", "sleep"}, {}, {}, std::chrono::milliseconds(300));
        CHECK(slept.ended.timed_out);
        CHECK_FALSE(slept["user"].empty());
    }
}

TEST_CASE("as root a program runs under a user of its own") {
    if (lacks(Layer::user)) return;
    for (const Layers& layers : {only({}), layers_here()}) {
        const Tried tried = try_under(layers, {"user", "read=/etc/shadow"});
        CHECK(std::stoul(tried["user"]) >= layers.first_user);
        CHECK(tried["read=/etc/shadow"] != "ok");
    }
}

TEST_CASE("two programs at a time have two users") {
    if (lacks(Layer::user)) return;
    const Layers layers = only({});
    Needs needs;
    needs.readable = {ASSAY_TRIES};
    const auto sleeping = Confined::start({{ASSAY_TRIES, "sleep"}, {}, "/", {}, {}}, needs, layers);
    REQUIRE(sleeping.ok());
    struct stat status {};
    REQUIRE(::stat(("/proc/" + std::to_string((*sleeping)->pid())).c_str(), &status) == 0);
    const Tried tried = try_under(layers, {"user", "kill=" + std::to_string((*sleeping)->pid())});
    CHECK(tried["user"] != std::to_string(status.st_uid));
    CHECK(tried["kill=" + std::to_string((*sleeping)->pid())] == "EPERM");
}

TEST_CASE("Landlock denies the files that a program is not given") {
    if (lacks(Layer::landlock)) return;
    const Folder folder;
    const std::string secret = folder.path / "private", own = folder.path / "own";
    Needs needs;
    needs.writable = {own};
    const Tried tried = try_under(only({Layer::landlock}),
                                  {"read=" + secret, "read=/etc/passwd", "read=" + own + "/../private",
                                   "write=" + own + "/x", "read=/proc/1/environ", "write=/dev/shm/assay-test"},
                                  needs);
    CHECK(tried["read=" + secret] == "EACCES");
    CHECK(tried["read=/etc/passwd"] == "EACCES");
    CHECK(tried["read=" + own + "/../private"] == "EACCES");
    CHECK(tried["write=" + own + "/x"] == "ok");
    CHECK(tried["read=/proc/1/environ"] == "EACCES");
    CHECK(tried["write=/dev/shm/assay-test"] == "EACCES");
    // Without it the file can be read: the test would see a difference.
    CHECK(try_under(only({}), {"read=" + secret})["read=" + secret] == "ok");
}

TEST_CASE("seccomp refuses what a library might try") {
    if (lacks(Layer::seccomp)) return;
    const Folder folder;
    const std::string change = "chmod=" + (folder.path / "private").string();
    const Tried tried = try_under(only({Layer::seccomp}), {"socket", "connect", "fork", "setsid", "shm", "clone3",
                                                           "newest-call", "old-personality", "thread", change});
    for (const char* word : {"socket", "connect", "fork", "setsid", "shm", "old-personality"}) {
        CAPTURE(word);
        CHECK(tried[word] == "EPERM");
    }
    CHECK(tried[change] == "EPERM");
    CHECK(tried["clone3"] == "ENOSYS");
    CHECK(tried["newest-call"] == "ENOSYS");
    CHECK(tried["thread"] == "ok");
    CHECK(tried.ended.exit_code == 0);
}

TEST_CASE("seccomp ends who makes a call that no attempt may, and names the call") {
    if (lacks(Layer::seccomp)) return;
    Layers told = only({Layer::seccomp}), untold = told;
    untold.filter_asks = false;
    const std::vector<std::pair<std::string, std::string>> calls{
        {"ptrace", "ptrace"}, {"unshare", "unshare"},         {"bpf", "bpf"},    {"io_uring", "io_uring_setup"},
        {"keyctl", "keyctl"}, {"userfaultfd", "userfaultfd"}, {"mount", "mount"}};
    for (const auto& [word, call] : calls) {
        CAPTURE(word);
        const Tried killed = try_under(untold, {word, "thread"});
        CHECK(killed.ended.signal == SIGSYS);
        CHECK(killed["thread"].empty());
        if (!told.filter_asks) continue;
        const Tried named = try_under(told, {word, "thread"});
        CHECK(named.ended.forbidden == call);
        CHECK_FALSE(named.ended.exited);
        CHECK(named["thread"].empty());
    }
    skipped(!told.filter_asks, "the kernel does not let a process answer for a filter");
#if defined(__x86_64__)
    for (const char* word : {"int80", "x32"}) {
        CAPTURE(word);
        const Tried other = try_under(told, {word, "thread"});
        // A kernel without 32-bit calls has nothing to refuse: it ends the program by itself.
        CHECK(((other.ended.signal == SIGSYS || other.ended.signal == SIGSEGV) || other[word] == "ENOSYS"));
        CHECK(other[word] != "ok");
    }
#endif
}

TEST_CASE("a program that may start others still gets no name space") {
    if (lacks(Layer::seccomp)) return;
    Needs needs;
    needs.starts_programs = true;
    const Tried tried = try_under(only({Layer::seccomp}), {"fork", "clone-newuser", "socket"}, needs);
    CHECK(tried["fork"] == "ok");
    CHECK(tried["clone-newuser"] == "EPERM");
    CHECK(tried["socket"] == "EPERM");
}

TEST_CASE("bubblewrap shows no other process, file or network") {
    if (lacks(Layer::bubblewrap)) return;
    const Folder folder;
    const std::string secret = folder.path / "private", own = folder.path / "own";
    const std::string everybodys = fmt::format("/tmp/assay-tried-{}", ::getpid()); // a stranger may have a /tmp/x
    Needs needs;
    needs.writable = {own};
    const Tried tried = try_under(only({Layer::bubblewrap}),
                                  {"exists=/etc/passwd", "exists=/var/lib", "exists=" + secret, "write=/x", "parent",
                                   "write=" + own + "/x", "write=/dev/shm/x", "exists=/sys", "connect",
                                   "write=" + everybodys, "processes"},
                                  needs);
    for (const std::string& path : {std::string("/etc/passwd"), std::string("/var/lib"), secret}) {
        CAPTURE(path);
        CHECK(tried["exists=" + path] == "ENOENT");
    }
    CHECK(tried["write=/x"] == "EROFS");
    CHECK(tried["write=" + own + "/x"] == "ok");
    CHECK(tried["write=/dev/shm/x"] != "ok");
    CHECK(tried["exists=/sys"] == "ENOENT");
    CHECK(tried["connect"] == "ENETUNREACH");
    CHECK(tried["write=" + everybodys] == "ok");
    CHECK(tried["parent"] == "1");
    if (layers_here().bubblewrap.proc) CHECK(tried["processes"] == "2");
    CHECK(fs::exists(folder.path / "own/x"));
    CHECK_FALSE(fs::exists(everybodys));
}

TEST_CASE("a device is there for who needs it") {
    if (lacks(Layer::bubblewrap) || lacks(Layer::landlock)) return;
    Needs needs;
    for (const Layers& layers : {only({Layer::landlock}), only({Layer::bubblewrap}), layers_here()}) {
        CAPTURE(name_of(layers.level()));
        needs.devices = {};
        CHECK(try_under(layers, {"write=/dev/full"}, needs)["write=/dev/full"] != "ok");
        needs.devices = {"/dev/full"};
        const Tried tried = try_under(layers, {"write=/dev/full", "exists=/sys/devices", "write=/sys/x"}, needs);
        CHECK(tried["write=/dev/full"] == "ok");
        CHECK(tried["exists=/sys/devices"] == "ok");
        CHECK(tried["write=/sys/x"] != "ok");
    }
}

TEST_CASE("a cgroup bounds memory that no limit of a process counts, and the number of processes") {
    if (lacks(Layer::cgroup)) return;
    Needs needs;
    needs.memory = std::uint64_t{64} << 20;
    needs.processes = 40;
    const Layers layers = only({Layer::cgroup});
    CHECK(try_under(layers, {"shared-mib=32"}, needs)["shared-mib=32"] == "ok");
    const Tried bomb = try_under(layers, {"shared-mib=1024"}, needs);
    CHECK(bomb.ended.out_of_memory);
    CHECK(bomb.ended.signal == SIGKILL);
    // A group is used again: the next program has not run out of memory.
    const Tried next = try_under(layers, {"shared-mib=32", "threads"}, needs);
    CHECK_FALSE(next.ended.out_of_memory);
    CHECK(next["threads"] == "bounded");
}

TEST_CASE("threads are bounded without a cgroup as well") {
    if (skipped(::geteuid() == 0 && !layers_here().has(Layer::user), "root's threads are not limited by the kernel"))
        return;
    Needs needs;
    needs.processes = 40;
    CHECK(try_under(only({}), {"threads"}, needs)["threads"] == "bounded");
}

TEST_CASE("nothing that a program starts outlives it") {
    Needs needs;
    needs.starts_programs = true;
    needs.readable = {ASSAY_TRIES};
    for (const Layers& layers : {only({}), layers_here()}) {
        CAPTURE(name_of(layers.level()));
        const auto started =
            Confined::start({{ASSAY_TRIES, "daemon"}, clean_environment(), "/", {}, {}}, needs, layers);
        REQUIRE(started.ok());
        const auto fate = (*started)->ended(std::chrono::seconds(15));
        REQUIRE(fate.has_value());
        CHECK(fate->known);
        CHECK(fate->left_over >= 1);
    }
}

TEST_CASE("a program ends when its judge is killed") {
    Needs needs;
    needs.readable = {ASSAY_TRIES};
    for (const Layers& layers : {only({}), layers_here()}) {
        CAPTURE(name_of(layers.level()));
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        const pid_t judge = ::fork();
        if (judge == 0) {
            const auto started = Confined::start({{ASSAY_TRIES, "sleep"}, {}, "/", {}, {}}, needs, layers);
            const pid_t pid = started ? (*started)->pid() : -1;
            if (::write(ends[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
            ::pause();
            ::_exit(0);
        }
        pid_t program = -1;
        REQUIRE(::read(ends[0], &program, sizeof program) == sizeof program);
        ::close(ends[0]), ::close(ends[1]);
        REQUIRE(program > 1);
        CHECK(fs::exists("/proc/" + std::to_string(program)));
        ::kill(judge, SIGKILL);
        ::waitpid(judge, nullptr, 0);
        bool gone = false;
        for (int i = 0; i < 2000 && !gone; ++i) {
            gone = !fs::exists("/proc/" + std::to_string(program) + "/status");
            if (!gone) ::usleep(5000);
        }
        CHECK(gone);
    }
}

TEST_CASE("a limit of a process is the program's, not its supervisor's") {
    Limits limits;
    limits.file_bytes = 1;
    limits.memory = std::uint64_t{64} << 20;
    for (const Layers& layers : {only({}), layers_here()}) {
        CAPTURE(name_of(layers.level()));
        const Tried tried = try_under(layers, {"thread"}, {}, limits);
        CHECK(tried.ended.exited);
        CHECK(tried["thread"] == "ok"); // to a pipe, which no limit on files counts
    }
}

TEST_CASE("a program that cannot be started is told with the step that failed") {
    for (const Layers& layers : {only({}), layers_here()}) {
        CAPTURE(name_of(layers.level()));
        const Outcome<Ended> missing =
            run({{"/nonexistent/program"}, {}, "/", {}, {}}, Needs{}, layers, std::chrono::seconds(5));
        REQUIRE_FALSE(missing.ok());
        CHECK(missing.failure().verdict == Verdict::JE);
        CHECK(missing.failure().reason ==
              "/nonexistent/program could not be started: failed to run (No such file or directory)");
    }
}
