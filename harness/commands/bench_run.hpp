// From programs and the exercise's benches to figures: shared by `assay bench` and the timed levels.
#ifndef ASSAY_COMMANDS_BENCH_RUN_HPP
#define ASSAY_COMMANDS_BENCH_RUN_HPP

#include "commands/contestants.hpp"
#include "commands/device_floor.hpp"
#include "core/exercise.hpp"
#include "report/bench.hpp"
#include "roofline/ceilings.hpp"
#include "timing/race.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Null where there is none of this id.
const Bench* find_bench(const Exercise& exercise, const std::string& id);

/// Times programs on one exercise's benches.
class BenchRun {
  public:
    /// `programs` are ready (not refused); `reference` is the name of the one that ratios are taken to. Limits are
    /// measured for `threads` threads; where they cannot be, notes() says why, and figures have no floor.
    BenchRun(const Exercise& exercise, std::vector<Program> programs, std::string reference, int threads);
    /// Of programs on a device: this machine's limits are none of theirs, `floors` gives the device's.
    BenchRun(const Exercise& exercise, std::vector<Program> programs, std::string reference, int threads,
             DeviceFloors floors);

    /// Races them on this bench for about so many seconds; with `memory`, then measures the peak of each. One that
    /// disqualifies itself before the others' figures stand on a control is left out of a second race.
    BenchReport::Case run(const Bench& bench, double seconds, bool memory);

    /// The best seen so far.
    roofline::MachineLimits limits() const;
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    const Level& level_of(const Problem& problem) const;
    void set_floor(const Problem& problem, BenchReport::Case& result) const;
    struct Raced;
    Raced race_once(const Bench& bench, const std::vector<const Program*>& programs, double seconds);

    const Exercise& exercise_;
    std::vector<Program> programs_;
    std::string reference_;
    int threads_;
    std::uint64_t secret_; // contents and rows to check come from it: an attempt can know neither
    std::uint64_t races_ = 0;
    std::unique_ptr<roofline::LimitsMeter> meter_;
    DeviceFloors floors_; // empty: by this machine's limits
    std::vector<std::string> notes_;
    Level plain_; // of a route that belongs to no level
};

} // namespace assay

#endif
