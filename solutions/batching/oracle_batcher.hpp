// The reference batcher, with every mistake of levels 2 and 4 as a switch.
#ifndef ASSAY_BATCHING_ORACLE_BATCHER_HPP
#define ASSAY_BATCHING_ORACLE_BATCHER_HPP

#include "core/slips.hpp"
#include "oracle_world.hpp"

#include <deque>

namespace assay::batching_judge {

class Reference final : public Policy {
  public:
    Reference(const Settings& settings, bool resilient, const Slips& on);

    void on_arrival(Time now, std::int64_t request, std::int64_t length, Decision& decision) override;
    void on_completion(Time now, Ending how, Decision& decision) override;
    void on_timer(Time now, Decision& decision) override;

  private:
    struct Item {
        std::int64_t request = 0, length = 1;
        Time arrival = 0;
    };
    using Group = std::vector<Item>;

    /// Each of them once, by name, since a batcher asks for some at every event.
    struct Switches {
        bool restarted, from_completion, at_once, stale, empty, ignores_full, full_off, overdue_first, misses_instant;
        bool in_flight_counted, queue_short, unbounded, overlaps, whole_queue, newest_first;
        int stranded, rows, drops;
        int full_ignored;
        bool suspects_counted;
        int budget, order, retries;
        bool lost, alone, death_as_poison, gives_up_all, second_half_lost, answers_lost, never_given_up, duplicated;
    };

    const Settings settings_;
    const bool resilient_;
    Switches wrong_;
    std::deque<Item> waiting_;
    std::deque<Group> retries_;
    Group flight_;
    bool busy_ = false;
    Time now_ = 0, last_completion_ = 0, armed_ = never;

    Time due() const;
    std::size_t fitting(bool& full) const;
    bool is_full() const;
    void settle(Decision& decision);
    void arm(Time at, Decision& decision);
    void fire(Decision& decision);
    void launch(Group group, Decision& decision);
    void answer(Decision& decision);
    void recover(Ending how, Decision& decision);
    void split(const Group& group);
};

} // namespace assay::batching_judge

#endif
