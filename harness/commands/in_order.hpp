// Runs tasks on several threads and tells of their ends in one fixed order, whichever ends first.
#ifndef ASSAY_COMMANDS_IN_ORDER_HPP
#define ASSAY_COMMANDS_IN_ORDER_HPP

#include <cstddef>
#include <functional>
#include <vector>

namespace assay {

struct Task {
    std::function<void()> work; // on any thread; must not throw
    std::function<void()> done; // on the caller's thread, after `work`, in the order of the list
    int urgency = 0;            // more urgent ones start first; alike, in the order of the list
};

/// Returns when all are done. Where a `done` throws, no further task is started, and the exception goes on once those
/// that run have ended.
void run_in_order(const std::vector<Task>& tasks, std::size_t threads);

} // namespace assay

#endif
