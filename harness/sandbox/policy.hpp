// What the judge tells assay-confine of the program it starts: handed over in a sealed memory file, so that neither an
// argument list nor an environment shows it.
#ifndef ASSAY_SANDBOX_POLICY_HPP
#define ASSAY_SANDBOX_POLICY_HPP

#include "sandbox/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Descriptors in assay-confine. Those below are the program's own, those above its cgroups' lists of tasks.
inline constexpr int leash_descriptor = 5; // to the judge; its end is the end of the program
inline constexpr int policy_descriptor = 6;
inline constexpr int first_cgroup_descriptor = 7;

struct FileRule {
    enum class Kind : std::int64_t { read, execute, write, device };
    std::string path;
    Kind kind = Kind::read;
};

struct Policy {
    std::vector<std::string> arguments; // [0] is the program
    std::vector<std::string> environment;
    std::string folder;        // to run in; "" = here
    std::int64_t user = -1;    // user and group to become; -1 = none
    std::int64_t cgroups = 0;  // how many lists to enter, from first_cgroup_descriptor
    std::int64_t landlock = 0; // version of the interface to use; 0 = not at all
    std::vector<FileRule> files;
    std::string filter;                  // seccomp program; "" = none
    bool filter_asks = false;            // it asks assay-confine of calls that are not allowed
    bool own_signals_only = false;       // it may send signals to itself alone
    std::vector<std::int64_t> forbidden; // calls that end it where the filter asks; others are refused
    std::vector<ResourceLimit> limits;
};

std::string encoded(const Policy& policy);
/// Nothing where the bytes are no policy.
std::optional<Policy> decoded(std::string_view bytes);

/// What is said over the leash. The first byte tells which. The program itself says `started`, while it still may, so
/// that the judge learns its number from the kernel; the rest is assay-confine's.
enum class Word : char { started = 's', running = 'r', failed = 'f', ended = 'e' };

/// Follows Word::failed; then the step in words.
struct FailedWord {
    std::int32_t error = 0;
};

/// Follows Word::ended.
struct EndedWord {
    std::int32_t status = 0;     // as waitpid gives it
    std::int32_t forbidden = -1; // the system call it was ended for
    std::int32_t refused = -1;   // the last one that was refused
    std::int32_t left_over = 0;  // processes that it had left behind
    double refused_at = 0;       // seconds of CLOCK_MONOTONIC
};

} // namespace assay

#endif
