// A program that holds, or compiles, an attempt's code: started under every layer that works here, and ended with all
// that it has started.
#ifndef ASSAY_SANDBOX_CONFINED_HPP
#define ASSAY_SANDBOX_CONFINED_HPP

#include "core/outcome.hpp"
#include "sandbox/layers.hpp"
#include "sandbox/process.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// What a program needs beside the system's libraries. Everything else it is denied.
struct Needs {
    std::vector<std::filesystem::path> readable; // files and folders; programs among them may be run
    std::vector<std::filesystem::path> writable; // folders of ours, given to the program's user
    std::vector<std::filesystem::path> devices;  // as /dev/nvidia0: to read, write and control; /sys and /proc/driver
                                                // are then readable, its own files in /proc writable
    std::filesystem::path compiler;                    // compiles: sees the toolchain and may start programs
    std::filesystem::path starter;                     // a compiler that starts that one, as nvcc does; "" = none
    bool starts_programs = false;                      // may start programs without seeing the toolchain
    std::uint64_t memory = 0;                          // of all its processes together; 0 = 4 GiB
    int processes = 256;                               // and threads
    std::uint64_t temporary = std::uint64_t{64} << 20; // bytes in its /tmp, where it has one
};

/// How a confined program ended.
struct Fate {
    bool known = false;         // else its supervisor was lost with it
    int status = 0;             // as waitpid gives it
    std::string forbidden;      // name of the system call that it was ended for
    std::string refused;        // name of the last one that it was refused
    double refused_at = 0;      // CLOCK_MONOTONIC, s
    bool out_of_memory = false; // its cgroup's bound
    int left_over = 0;          // processes that it had left running
};

class Confined {
  public:
    /// As start() of process.hpp, with the limits applied to the program alone. The command's descriptors are numbered
    /// below leash_descriptor.
    static Outcome<std::unique_ptr<Confined>> start(const Command& command, const Needs& needs, const Layers& layers);
    ~Confined();
    Confined(const Confined&) = delete;
    Confined& operator=(const Confined&) = delete;

    /// The program's own number, as we see it.
    pid_t pid() const;
    /// Becomes readable at its end.
    int leash() const;
    /// Waits so long for its end and gives it; nothing while it runs.
    std::optional<Fate> ended(std::chrono::milliseconds wait = std::chrono::milliseconds(0));
    /// What it wrote, with the paths that were given to it in place of those that it saw.
    std::string in_our_words(std::string text) const;
    /// Ends it and everything that it has started.
    Fate kill();

    struct State; // known to confined.cpp alone

  private:
    explicit Confined(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// As run() of process.hpp.
Outcome<Ended> run(const Command& command, const Needs& needs, const Layers& layers,
                   std::chrono::milliseconds wall_limit, std::size_t output_cap = 1 << 20);

} // namespace assay

#endif
