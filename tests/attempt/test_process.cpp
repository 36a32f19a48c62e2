// Child processes: what reaches them, what does not, and that every limit ends them.
#include "sandbox/process.hpp"
#include "catch.hpp"

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace assay;
using namespace std::chrono_literals;

Command shell(const std::string& script) { return {{"/bin/sh", "-c", script}, clean_environment(), {}, {}, {}}; }

Ended ran(const Command& command, std::chrono::milliseconds limit = 10s, std::size_t cap = 1 << 20) {
    const Outcome<Ended> ended = run(command, limit, cap);
    if (!ended) FAIL(ended.failure().reason);
    return *ended;
}

TEST_CASE("output, exit code and signal of a child are told", "[process]") {
    const Ended both = ran(shell("echo one; echo two >&2; exit 7"));
    CHECK(both.output == "one\ntwo\n");
    CHECK(both.exited);
    CHECK(both.exit_code == 7);
    CHECK_FALSE(both.timed_out);

    const Ended killed = ran(shell("kill -SEGV $$"));
    CHECK_FALSE(killed.exited);
    CHECK(killed.signal == SIGSEGV);
}

TEST_CASE("a child reads nothing from standard input", "[process]") {
    CHECK(ran(shell("cat; echo end")).output == "end\n");
}

TEST_CASE("a child runs in the folder and environment it is given, no other", "[process]") {
    Command command = shell("pwd; echo \"$ONLY|$HIDDEN\"");
    command.folder = "/";
    command.environment = {"ONLY=this"};
    ::setenv("HIDDEN", "seen", 1);
    CHECK(ran(command).output == "/\nthis|\n");
    ::unsetenv("HIDDEN");
}

TEST_CASE("a program that cannot be started is a failure with its name and cause", "[process]") {
    for (const char* path : {"/nonexistent/program", "/etc/passwd", "relative"}) {
        const Outcome<Ended> ended = run({{path}, {}, {}, {}, {}}, 1s);
        REQUIRE_FALSE(ended.ok());
        CHECK(ended.failure().verdict == Verdict::JE);
    }
    const Outcome<pid_t> missing = start({{"/nonexistent/program"}, {}, {}, {}, {}});
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.failure().reason ==
          "/nonexistent/program could not be started: failed to run (No such file or directory)");
    const Outcome<pid_t> nowhere = start({{"/bin/true"}, {}, "/nonexistent", {}, {}});
    REQUIRE_FALSE(nowhere.ok());
    CHECK(nowhere.failure().reason.find("enter its folder") != std::string::npos);
}

TEST_CASE("the wall limit ends the whole group", "[process]") {
    const auto begun = std::chrono::steady_clock::now();
    const Ended ended = ran(shell("trap '' TERM INT; sleep 60 & echo $!; sleep 60"), 150ms);
    CHECK(ended.timed_out);
    CHECK(ended.signal == SIGKILL);
    CHECK(std::chrono::steady_clock::now() - begun < 5s);
    const pid_t grandchild = static_cast<pid_t>(std::stol(ended.output));
    for (int i = 0; i < 200 && ::kill(grandchild, 0) == 0; ++i) {
        // An orphan may stay a zombie until init reaps it; a zombie is dead enough.
        const Ended state = ran(shell("sed 's/.*) //' /proc/" + std::to_string(grandchild) + "/stat 2>/dev/null"));
        if (state.output.empty() || state.output[0] == 'Z') break;
        REQUIRE(i < 199);
        std::this_thread::sleep_for(5ms);
    }
}

TEST_CASE("a descendant that holds the pipe does not delay the end", "[process]") {
    const Ended ended = ran(shell("sleep 60 & echo done"));
    CHECK(ended.output == "done\n");
    CHECK(ended.milliseconds < 5000);
}

TEST_CASE("a flood is cut at the cap and drained, not stalled", "[process]") {
    const Ended ended = ran(shell("head -c 3000000 /dev/zero; exit 3"), 10s, 1000);
    CHECK(ended.output.size() == 1000);
    CHECK(ended.output_cut);
    CHECK(ended.exited);
    CHECK(ended.exit_code == 3);
    const Ended endless = ran(shell("cat /dev/zero"), 100ms, 1000);
    CHECK(endless.timed_out);
    CHECK(endless.output_cut);
    CHECK_FALSE(ran(shell("head -c 1000 /dev/zero"), 10s, 1000).output_cut);
}

TEST_CASE("limits hold in the child", "[process]") {
    Command command = shell("ulimit -d; ulimit -t; ulimit -f; ulimit -c");
    command.limits = {1.5, std::uint64_t{64} << 20, 1 << 20};
    CHECK(ran(command).output == "65536\n2\n2048\n0\n");

    Command spinning = shell("while :; do :; done");
    spinning.limits.cpu_seconds = 0.5;
    const Ended ended = ran(spinning);
    CHECK_FALSE(ended.timed_out);
    CHECK(ended.signal == SIGXCPU);
}

TEST_CASE("a child gets exactly the descriptors named", "[process]") {
    const int secret = ::open("/dev/null", O_RDONLY); // no O_CLOEXEC: inheritable by carelessness
    const int elsewhere = ::fcntl(secret, F_DUPFD, 200);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    Command command = shell("ls /proc/self/fd; echo through >&7");
    command.descriptors = {{ends[1], 7}};
    const Ended ended = ran(command);
    // ls itself holds 3, the folder it lists.
    CHECK(ended.output == "0\n1\n2\n3\n7\n");
    char text[16] = {};
    CHECK(::read(ends[0], text, sizeof text) == 8);
    CHECK(std::string(text) == "through\n");

    // Numbers may be exchanged: the child's number may be one that another of ours still uses.
    int others[2];
    REQUIRE(::pipe(others) == 0);
    const auto path = [](int fd) { return "/proc/self/fd/" + std::to_string(fd); }; // sh takes >& with one digit only
    Command crossed = shell("echo first >" + path(others[1]) + "; echo second >" + path(ends[1]));
    crossed.descriptors = {{ends[1], others[1]}, {others[1], ends[1]}};
    CHECK(ran(crossed).exit_code == 0);
    char first[16] = {}, second[16] = {};
    CHECK(::read(ends[0], first, sizeof first) == 6);
    CHECK(std::string(first) == "first\n");
    CHECK(::read(others[0], second, sizeof second) == 7);
    CHECK(std::string(second) == "second\n");
    for (int fd : {secret, elsewhere, ends[0], ends[1], others[0], others[1]}) ::close(fd);
}

TEST_CASE("standard descriptors that are not named are /dev/null", "[process]") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    Command command = shell("readlink /proc/self/fd/0 /proc/self/fd/2 >&9; echo lost");
    command.descriptors = {{ends[1], 9}};
    const Outcome<pid_t> pid = start(command);
    REQUIRE(pid.ok());
    REQUIRE(::waitpid(*pid, nullptr, 0) == *pid);
    char text[64] = {};
    CHECK(::read(ends[0], text, sizeof text) == 20);
    CHECK(std::string(text) == "/dev/null\n/dev/null\n");
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("ignored and blocked signals do not reach through to the child", "[process]") {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked, old;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &old);
    const std::string status = ran(shell("grep -E 'SigBlk|SigIgn|NoNewPrivs' /proc/self/status")).output;
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    std::signal(SIGPIPE, before);
    CHECK(status == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nNoNewPrivs:\t1\n");
}

TEST_CASE("CPU time of a child counts work, not sleep, and is negative once it is gone", "[process]") {
    const Outcome<pid_t> spinning = start(shell("while :; do :; done"));
    const Outcome<pid_t> sleeping = start({{"/bin/sleep", "60"}, {}, {}, {}, {}});
    REQUIRE(spinning.ok());
    REQUIRE(sleeping.ok());
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (cpu_seconds(*spinning) < 0.05 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(5ms);
    CHECK(cpu_seconds(*spinning) >= 0.05);
    CHECK(cpu_seconds(*sleeping) >= 0);
    CHECK(cpu_seconds(*sleeping) < 0.05);
    CHECK(::getpgid(*sleeping) == *sleeping);
    kill_and_reap(*spinning);
    kill_and_reap(*sleeping);
    CHECK(cpu_seconds(*spinning) < 0);
    CHECK(::kill(*sleeping, 0) != 0);
    kill_and_reap(-1); // would be every process we may signal
    kill_and_reap(0);
}

} // namespace
