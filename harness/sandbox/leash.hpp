// The judge's end of the leash to assay-confine.
#ifndef ASSAY_SANDBOX_LEASH_HPP
#define ASSAY_SANDBOX_LEASH_HPP

#include "sandbox/confined.hpp"
#include "sandbox/policy.hpp"

#include <string>
#include <sys/types.h>
#include <utility>

namespace assay {

/// A connected pair, the judge's end first, which learns who sends; (-1, -1) where the system has none left.
std::pair<int, int> make_leash();

struct Heard {
    std::string message; // "" where nothing came in time
    bool closed = false;
    pid_t sender = -1; // as the judge sees it

    bool is(Word word) const { return !message.empty() && message[0] == static_cast<char>(word); }
};

/// The next message, waited for so long.
Heard hear(int leash, int wait_ms);

/// What Word::failed says: "failed to run (No such file or directory)".
std::string failure_of(const Heard& heard);

/// What Word::ended says.
Fate fate_of(const Heard& heard);

} // namespace assay

#endif
