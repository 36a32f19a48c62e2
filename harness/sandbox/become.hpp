// assay-confine's child: gives up everything the policy takes, then becomes the program.
#ifndef ASSAY_SANDBOX_BECOME_HPP
#define ASSAY_SANDBOX_BECOME_HPP

#include "sandbox/policy.hpp"

#include <sys/types.h>

namespace assay {

struct Child {
    pid_t pid = -1;
    int listener = -1;     // of its filter, where that asks
    int error = 0;         // errno, where it did not come to run
    const char* step = ""; // "failed to <step>"
};

/// Starts the program. It has told the judge Word::started before it runs. Back once it runs or has failed to.
Child start_child(const Policy& policy);

} // namespace assay

#endif
