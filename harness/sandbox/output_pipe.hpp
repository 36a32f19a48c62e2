// A child's standard output and error, gathered up to a cap.
#ifndef ASSAY_SANDBOX_OUTPUT_PIPE_HPP
#define ASSAY_SANDBOX_OUTPUT_PIPE_HPP

#include "sandbox/process.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace assay {

/// A descriptor that is closed at the end of its scope.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    void close();

  private:
    int fd_;
};

class OutputPipe {
  public:
    static Outcome<std::unique_ptr<OutputPipe>> make();

    /// The command with stdin from /dev/null and stdout and stderr into the pipe, where it does not name them itself.
    Command into(const Command& command);
    /// After it was started: then the pipe ends with the last process that holds it.
    void close_childs_end() { childs_.close(); }

    /// Gathers until `has_ended` says so, asked whenever `watch` can be read (every few milliseconds where it is < 0),
    /// or until `deadline`. Gives whether the end came in time.
    bool gather(int watch, const std::function<bool()>& has_ended, std::chrono::steady_clock::time_point deadline,
                std::size_t cap, Ended& ended);
    /// Takes what is left in the pipe.
    void finish(std::size_t cap, Ended& ended);

  private:
    OutputPipe(int ours, int childs);
    Descriptor ours_, childs_, nothing_;
    bool open_ = true;
};

} // namespace assay

#endif
