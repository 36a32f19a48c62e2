// Contestants timed against each other: in turn, on fresh content, every answer looked at, with the first one's twin
// among them to tell what this machine's noise alone would show.
#ifndef ASSAY_TIMING_RACE_HPP
#define ASSAY_TIMING_RACE_HPP

#include "core/attempt.hpp"
#include "timing/statistics.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::timing {

/// Something that answers problems in a process of its own.
class Contestant {
  public:
    virtual ~Contestant() = default;
    /// Answer::seconds is by the caller's clock, never by the contestant's.
    virtual Outcome<Answer> ask(const Problem& problem) = 0;
    /// Seconds of a call that does nothing; 0 where that is taken off already.
    virtual Outcome<double> empty_call() = 0;
    /// Asked once the race is over: why none of its times can stand, and what is odd about them. "" = nothing.
    virtual std::string doubt() const { return ""; }
    virtual std::string remark() const { return ""; }
};

struct Entrant {
    std::string name;
    Contestant* contestant = nullptr;
};

/// What is raced over, and by which clock.
struct Course {
    /// The problem of a round: content that no contestant has seen, of one shape.
    std::function<Problem(int round)> make;
    /// What is wrong with an answer, in a sentence; "" = nothing. Called after every timed call.
    std::function<std::string(const Problem&, const Answer&)> wrong;
    /// Seconds; for how long the race goes on, never for a figure.
    std::function<double()> now;
};

struct Rules {
    double seconds = 10;       // the race should take
    int fewest = 7, most = 99; // rounds; 6 are needed for an interval
    double allowed = 0.03;     // how far first and twin may lie apart
    std::size_t reference = 0; // the entrant that ratios are taken to
};

struct Timing {
    std::string name;
    std::vector<double> samples; // seconds a call, round by round, the empty call's median taken off
    std::vector<int> rounds;     // that they are from
    double empty = 0;            // the empty call's median
    double median = 0;
    Interval interval; // of the median
    /// The reference's time by this one's, median of the rounds in which both were called, and its interval.
    double ratio = 0;
    Interval ratios;
    /// Why there is no figure: a wrong answer, a failure, a machine that is too noisy. "" = there is one.
    std::string refused;
    std::string remark;             // what is odd about its times, which stand; "" = nothing
    bool disqualified = false;      // refused for what it did itself
    bool faster_than_floor = false; // refused: physics does not allow it
    bool has_figure() const { return refused.empty() && !samples.empty(); }
};

struct Race {
    std::vector<Timing> timings; // one an entrant, in their order
    double control = 0;          // the twin's time by the first's; 0 = never measured
    int rounds = 0;
    double seconds = 0; // it took
};

/// Each round asks every entrant and then the twin (of the first entrant) the same problem, and in every other round
/// the other way round, so that a machine that slows down steadily favours nobody. Before the first round each is asked
/// once, untimed. An entrant whose answer is wrong, or that fails, is disqualified and asked no more. One that has
/// had its share of the time, other than first, twin and reference, sits out what is left. Everybody's figure is
/// refused where the control is off by more than `allowed`, or where fewer than 6 rounds were run; a single one's where
/// it takes no longer than an empty call.
Race race(const std::vector<Entrant>& entrants, Contestant& twin, const Course& course, const Rules& rules);

/// Refuses figures whose whole interval lies below `floor`, the seconds that no implementation can do without: such a
/// figure is a finding, not a record. Apart, so that the floor can be measured again after the race. 0 = not known.
/// `or_else`: what else may be the cause than work that was not done in the call.
void refuse_below(double floor, Race& race,
                  std::string_view or_else = "the machine's limits were measured while it was busy");

} // namespace assay::timing

#endif
