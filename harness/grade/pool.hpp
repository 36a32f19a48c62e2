// Runs many child processes, a bounded number at a time.
#ifndef ASSAY_GRADE_POOL_HPP
#define ASSAY_GRADE_POOL_HPP

#include "sandbox/process.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>

namespace assay {

struct PoolOptions {
    int jobs = 1;
    std::chrono::seconds wall_limit{600}; // of one child: a backstop, its own limits are far below
    int stop = -1;                        // a descriptor: once it is readable, no more is started and all are killed
};

struct PoolTasks {
    /// The next command to run, under a number of the caller's; false where there is none for now.
    std::function<bool(std::size_t& number, Command& command)> next;
    /// A child has ended; its output holds the last of what it printed. May make `next` give more.
    std::function<void(std::size_t number, const Ended& ended)> ended;
    /// Called now and then, for progress; may be empty.
    std::function<void(int running)> tick;
};

/// Returns when nothing runs and nothing is left to run; false where it was stopped. A child that cannot be started is
/// told as one that ended with exit code 127 and the reason as output.
bool run_pool(const PoolTasks& tasks, const PoolOptions& options);

} // namespace assay

#endif
