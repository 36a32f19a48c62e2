// One run of a policy on the virtual clock, with promises that are checked after every event.
#ifndef ASSAY_SIMULATE_SIMULATION_HPP
#define ASSAY_SIMULATE_SIMULATION_HPP

#include "simulate/queue.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// A promise that was broken, the first of a run, which ends there.
struct Violation {
    int invariant = 0; // its number, from 1, in the order in which they were declared
    Time at = 0;
    std::string sentence; // "request C was answered twice"
};

/// A world whose events are of type `Event`: derive, declare the invariants, schedule the first events, run.
template <class Event> class Simulation {
  public:
    virtual ~Simulation() = default;

    /// Until nothing is left to happen, an invariant is broken, or `most_events` have happened (a policy that keeps the
    /// clock busy for ever; counts as a violation of invariant 0).
    void run(std::int64_t most_events) {
        while (!queue_.empty() && !violation_) {
            if (events_ == most_events) {
                break_promise(0, "the run does not end: more events happened than any right policy causes");
                return;
            }
            ++events_;
            happen(queue_.next());
            check();
        }
    }

    const std::optional<Violation>& violation() const { return violation_; }
    Time now() const { return queue_.now(); }
    std::int64_t events() const { return events_; }

  protected:
    virtual void happen(const Event& event) = 0;

    void schedule(Time at, int kind, Event event) { queue_.add(at, kind, std::move(event)); }

    /// `broken` is asked after every event and gives the sentence, or "" while the promise holds. Gives its number.
    int promise(std::function<std::string()> broken) {
        invariants_.push_back(std::move(broken));
        return static_cast<int>(invariants_.size());
    }

    /// A broken promise that is seen where it happens. Only the first of a run counts.
    void break_promise(int invariant, std::string sentence) {
        if (!violation_) violation_ = Violation{invariant, queue_.now(), std::move(sentence)};
    }

  private:
    EventQueue<Event> queue_;
    std::vector<std::function<std::string()>> invariants_;
    std::optional<Violation> violation_;
    std::int64_t events_ = 0;

    void check() {
        for (std::size_t i = 0; i < invariants_.size() && !violation_; ++i)
            if (std::string sentence = invariants_[i](); !sentence.empty())
                break_promise(static_cast<int>(i) + 1, std::move(sentence));
    }
};

} // namespace assay

#endif
