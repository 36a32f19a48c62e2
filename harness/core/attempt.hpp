// Something that answers an exercise's problems: a worker process with a candidate's code in it, or the oracle with a
// mistake switched on (which is how every mistake is tested in milliseconds, without a compiler).
#ifndef ASSAY_CORE_ATTEMPT_HPP
#define ASSAY_CORE_ATTEMPT_HPP

#include "core/device_times.hpp"
#include "core/exercise.hpp"
#include "core/finding.hpp"
#include "core/outcome.hpp"
#include "core/problem.hpp"

#include <string>
#include <vector>

namespace assay {

/// What came back for one problem, and what the caller saw beside it (changed inputs, unwritten outputs, bytes written
/// out of bounds).
struct Answer {
    Outputs outputs;
    std::vector<Finding> findings;
    /// By the caller's clock, from each contract call's being sent to its answer, all of them together; < 0: not timed.
    double seconds = -1;
    /// Of a worker that times its calls on a device: one a contract call.
    std::vector<DeviceTimes> device = {};
};

class Attempt {
  public:
    virtual ~Attempt() = default;

    /// Forgets all state: the next answer comes from a fresh process. Called before each level and after any failure.
    /// `first_case` of a level has its outputs flush against the guard page at their start, the others at their end.
    virtual void fresh() = 0;

    /// Asks `problem` by `level`'s script. A failure is the attempt's (RTE, TLE, MLE, OLE, CE for a function that is
    /// missing) or ours (JE).
    virtual Outcome<Answer> answer(const Level& level, const Problem& problem) = 0;

    /// Bytes of memory of its own that it held at most over this answer, above what it held once it was loaded, in a
    /// fresh process that is asked twice. Failure SKIP: it cannot be measured here, or the attempt is no process.
    virtual Outcome<std::int64_t> peak_bytes(const Level& level, const Problem& problem) {
        (void)level, (void)problem;
        return Failure{Verdict::SKIP, "only a process's memory can be measured"};
    }

    /// What it wrote to its standard output and error since the last call of this function, capped.
    virtual std::string printed() = 0;
};

} // namespace assay

#endif
