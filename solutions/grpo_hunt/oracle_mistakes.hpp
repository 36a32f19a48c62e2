// The bugs that can be planted, which are the mistakes that the exercise can name.
#ifndef ASSAY_GRPO_HUNT_ORACLE_MISTAKES_HPP
#define ASSAY_GRPO_HUNT_ORACLE_MISTAKES_HPP

#include <vector>

namespace assay::grpo_hunt_judge {

struct KnownBug {
    const char* id;       // the name of its fragment
    const char* sentence; // a noun phrase: "It had ...", "your output matches ..."
    const char* level;    // whose cases are the first to show it
    const char* probe;    // a case of that level which tells it from right code
};

/// In the order of the computation.
const std::vector<KnownBug>& known_bugs();

} // namespace assay::grpo_hunt_judge

#endif
