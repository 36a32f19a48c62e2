// What is going to happen, in order: by time, then by kind, then by when it was scheduled.
#ifndef ASSAY_SIMULATE_QUEUE_HPP
#define ASSAY_SIMULATE_QUEUE_HPP

#include "simulate/time.hpp"

#include <cstdint>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

namespace assay {

/// `kind` settles what comes first at one instant (each exercise states its order: completions before arrivals before
/// timeouts, say); equal kinds go in the order in which they were scheduled.
template <class Event> class EventQueue {
  public:
    /// Throws std::logic_error for a time that has passed: a simulation's own mistake.
    void add(Time at, int kind, Event event) {
        if (at < now_) throw std::logic_error("an event was scheduled in the past");
        queue_.push({at, kind, sequence_++, std::move(event)});
    }
    bool empty() const { return queue_.empty(); }
    Time now() const { return now_; }

    /// The next event, to whose time the clock goes; only where !empty().
    Event next() {
        Entry entry = queue_.top();
        queue_.pop();
        now_ = entry.at;
        return std::move(entry.event);
    }

  private:
    struct Entry {
        Time at;
        int kind;
        std::uint64_t sequence;
        Event event;

        bool operator<(const Entry& other) const { // the queue's top is the greatest: the first to happen
            if (at != other.at) return at > other.at;
            if (kind != other.kind) return kind > other.kind;
            return sequence > other.sequence;
        }
    };
    std::priority_queue<Entry> queue_;
    Time now_ = 0;
    std::uint64_t sequence_ = 0;
};

} // namespace assay

#endif
