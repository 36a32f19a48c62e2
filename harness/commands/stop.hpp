// How a command gives up: an exit code and one sentence. Caught in main alone.
#ifndef ASSAY_COMMANDS_STOP_HPP
#define ASSAY_COMMANDS_STOP_HPP

#include <stdexcept>
#include <string>

namespace assay {

/// Exit codes of every command.
enum class Exit : int {
    passed = 0,
    falls_short = 1,
    usage = 2,       // wrong usage, unusable input
    environment = 3, // something is missing on this machine
    fault = 4,       // ours
};

class Stop : public std::runtime_error {
  public:
    Stop(Exit exit, const std::string& sentence) : std::runtime_error(sentence), exit_(exit) {}
    Exit exit() const { return exit_; }

  private:
    Exit exit_;
};

} // namespace assay

#endif
