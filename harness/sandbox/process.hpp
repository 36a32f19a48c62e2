// Child processes with limits: started by vfork and exec, watched by the parent's clock, their output capped. What
// holds an attempt's code is started through confined.hpp, which builds on this.
#ifndef ASSAY_SANDBOX_PROCESS_HPP
#define ASSAY_SANDBOX_PROCESS_HPP

#include "core/outcome.hpp"
#include "sandbox/limits.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <time.h>
#include <utility>
#include <vector>

namespace assay {

struct Command {
    std::vector<std::string> arguments;           // [0] is an absolute path
    std::vector<std::string> environment;         // the whole of it, "NAME=value"
    std::filesystem::path folder;                 // to run in; "" = here
    std::vector<std::pair<int, int>> descriptors; // (ours, the child's); all others are closed in the child, save that
                                                  // 0, 1 and 2 are /dev/null where not named
    Limits limits;
};

/// Starts it in a process group of its own, no_new_privs, no core file, all signals at their defaults. Gives the pid.
/// The child dies with the thread that started it. Failure: JE, the reason says which program could not be started and
/// why.
Outcome<pid_t> start(const Command& command);

struct Ended {
    bool timed_out = false;
    bool exited = false;
    int exit_code = 0;  // where exited
    int signal = 0;     // where not
    std::string output; // stdout and stderr together, cut at the cap
    bool output_cut = false;
    double milliseconds = 0;
    // Of confined programs:
    std::string forbidden;      // the system call that it was ended for
    bool out_of_memory = false; // its cgroup's bound
};

/// Runs it to its end with stdin from /dev/null and stdout and stderr gathered; killed (its whole group) at the wall
/// limit.
Outcome<Ended> run(const Command& command, std::chrono::milliseconds wall_limit, std::size_t output_cap = 1 << 20);

/// CPU time the process (all its threads) has used, in seconds; < 0 where it is gone.
double cpu_seconds(pid_t pid);

/// The same, for one who asks often: the clock is looked up once.
class CpuClock {
  public:
    CpuClock() = default;
    explicit CpuClock(pid_t pid);
    double seconds() const;

  private:
    clockid_t clock_{};
    bool found_ = false;
};

/// Bytes of memory, its own and shared, that the process has in use; what it maps of files is not counted. 0 where it
/// is gone.
std::uint64_t resident_bytes(pid_t pid);

/// SIGKILLs the group and reaps the child.
void kill_and_reap(pid_t pid);

/// A small clean environment: PATH, HOME, LANG=C.UTF-8, TMPDIR.
std::vector<std::string> clean_environment();

} // namespace assay

#endif
