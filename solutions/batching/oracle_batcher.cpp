#include "oracle_batcher.hpp"

#include <algorithm>

namespace assay::batching_judge {

Reference::Reference(const Settings& settings, bool resilient, const Slips& on)
    : settings_(settings), resilient_(resilient) {
    wrong_.restarted = on("timer-restarted");
    wrong_.from_completion = on("timer-from-completion");
    wrong_.at_once = on("fires-at-once");
    wrong_.stale = on("stale-timer");
    wrong_.empty = on("fires-empty");
    wrong_.ignores_full = on("full-at-completion-missed");
    wrong_.full_off = on("full-off-by-one");
    wrong_.overdue_first = on("overdue-before-arrivals");
    wrong_.misses_instant = on("timeout-before-arrival");
    wrong_.in_flight_counted = on("in-flight-counted");
    wrong_.queue_short = on("queue-one-short");
    wrong_.unbounded = on("queue-unbounded");
    wrong_.overlaps = on("batches-overlap");
    wrong_.whole_queue = on("whole-queue-fired");
    wrong_.newest_first = on("newest-first");
    wrong_.stranded = on.form("partial-batch-stranded");
    wrong_.rows = on.form("rows-to-wrong-request");
    wrong_.drops = on.form("dropped-not-rejected");
    wrong_.full_ignored = on.form("full-ignored");
    wrong_.suspects_counted = on("suspects-counted");
    wrong_.budget = on.form("padding-ignored");
    wrong_.order = on.form("reordered-by-length");
    wrong_.retries = on.form("poison-retried-for-ever");
    wrong_.lost = on("lost-with-the-accelerator");
    wrong_.alone = on("retried-one-by-one");
    wrong_.death_as_poison = on("death-taken-for-poison");
    wrong_.gives_up_all = on("whole-batch-given-up");
    wrong_.second_half_lost = on("second-half-lost");
    wrong_.answers_lost = on("failed-batch-answered");
    wrong_.never_given_up = on("poison-never-given-up");
    wrong_.duplicated = on("queued-twice-after-death");
}

/// When the oldest waiting request has waited long enough; only where one waits.
Time Reference::due() const {
    if (wrong_.at_once) return waiting_.front().arrival;
    if (wrong_.restarted) return waiting_.back().arrival + settings_.timeout;
    const Time from = waiting_.front().arrival;
    return (wrong_.from_completion ? std::max(from, last_completion_) : from) + settings_.timeout;
}

/// How many of those that wait go together, in order. Full: one more would not, or there is no room for one.
std::size_t Reference::fitting(bool& full) const {
    const auto most = static_cast<std::size_t>(settings_.max_batch);
    std::int64_t longest = 0, sum = 0;
    std::size_t count = 0;
    full = false;
    for (; count < waiting_.size() && count < most; ++count) {
        if (!resilient_ || wrong_.budget == 1) continue;
        longest = std::max(longest, waiting_[count].length);
        sum += waiting_[count].length;
        const std::int64_t padded = wrong_.budget == 0 ? sum : longest * static_cast<std::int64_t>(count + 1);
        if (padded <= settings_.token_budget) continue;
        full = true;
        break;
    }
    full = full || count == most;
    return count;
}

bool Reference::is_full() const {
    bool full = false;
    const std::size_t count = fitting(full);
    if (wrong_.full_off) return waiting_.size() > static_cast<std::size_t>(settings_.max_batch);
    if (wrong_.full_ignored == 1) return count == static_cast<std::size_t>(settings_.max_batch);
    return full && wrong_.full_ignored < 0;
}

void Reference::arm(Time at, Decision& decision) {
    if ((wrong_.stale || wrong_.empty) && armed_ != never) return; // one is pending, whoever it was set for
    if (wrong_.stranded == 3 && at < now_) return;                 // past, so not set
    decision.wake = armed_ = at;
}

/// The accelerator is free: fires what is full, or sets the alarm.
void Reference::settle(Decision& decision) {
    if (busy_) return;
    if (!retries_.empty()) {
        Group group = std::move(retries_.front());
        retries_.pop_front();
        return launch(std::move(group), decision);
    }
    if (is_full()) return fire(decision);
    if (!waiting_.empty()) arm(due(), decision);
}

void Reference::fire(Decision& decision) {
    bool full = false;
    std::size_t count = wrong_.whole_queue ? waiting_.size() : fitting(full);
    Group group;
    if (wrong_.order >= 0)
        std::stable_sort(waiting_.begin(), waiting_.end(), [this](const Item& a, const Item& b) {
            return wrong_.order == 0 ? a.length < b.length : a.length > b.length;
        });
    if (wrong_.order >= 0) count = std::max<std::size_t>(1, fitting(full));
    for (std::size_t i = 0; i < count; ++i) {
        group.push_back(wrong_.newest_first ? waiting_.back() : waiting_.front());
        wrong_.newest_first ? waiting_.pop_back() : waiting_.pop_front();
    }
    launch(std::move(group), decision);
}

void Reference::launch(Group group, Decision& decision) {
    decision.fire = true;
    if (!wrong_.stale && !wrong_.empty) decision.wake = armed_ = never;
    for (const Item& item : group) decision.batch.push_back(item.request);
    flight_ = std::move(group);
    busy_ = true;
}

void Reference::on_arrival(Time now, std::int64_t request, std::int64_t length, Decision& decision) {
    now_ = now;
    const Item item{request, length, now};
    if (wrong_.misses_instant && !busy_ && !waiting_.empty() && due() <= now) {
        fire(decision);
        waiting_.push_back(item);
        return;
    }
    std::int64_t taken = static_cast<std::int64_t>(waiting_.size());
    if (wrong_.in_flight_counted) taken += static_cast<std::int64_t>(flight_.size());
    if (wrong_.suspects_counted)
        for (const Group& group : retries_) taken += static_cast<std::int64_t>(group.size());
    if (taken >= settings_.queue - (wrong_.queue_short ? 1 : 0) && !wrong_.unbounded) {
        if (wrong_.drops == 0) return;
        if (wrong_.drops != 1) {
            decision.reject = true;
            return;
        }
        waiting_.pop_front(); // the oldest makes room
    }
    waiting_.push_back(item);
    if (wrong_.overlaps && busy_ && is_full()) return fire(decision);
    const auto full = [&] { return !busy_ && is_full(); };
    switch (wrong_.stranded) {
    case 0: // the alarm is set for the first of an empty queue while the accelerator is free
        if (full()) return fire(decision);
        if (!busy_ && waiting_.size() == 1) arm(due(), decision);
        return;
    case 1: // never set
        if (full()) fire(decision);
        return;
    case 2: // set for the first of an empty queue, whether the accelerator is free or not
        if (full()) return fire(decision);
        if (waiting_.size() == 1) arm(due(), decision);
        return;
    default: settle(decision);
    }
}

void Reference::on_completion(Time now, Ending how, Decision& decision) {
    busy_ = false;
    now_ = last_completion_ = now;
    if (how == Ending::done || wrong_.answers_lost) {
        answer(decision);
    } else {
        recover(how, decision);
    }
    flight_.clear();
    if (wrong_.overdue_first && !waiting_.empty() && due() <= now) return fire(decision);
    if (wrong_.ignores_full && !waiting_.empty()) return arm(due(), decision);
    if (wrong_.stranded >= 0 && wrong_.stranded < 3) {
        if (is_full()) fire(decision);
        return;
    }
    settle(decision);
}

void Reference::on_timer(Time now, Decision& decision) {
    now_ = now;
    armed_ = never;
    if (busy_) return;
    if (waiting_.empty()) {
        if (wrong_.empty) launch({}, decision);
        return;
    }
    if (due() <= now || wrong_.stale) return fire(decision);
    settle(decision);
}

void Reference::answer(Decision& decision) {
    const std::size_t rows = flight_.size();
    for (std::size_t i = 0; i < rows; ++i) {
        std::int64_t request = flight_[wrong_.rows == 0 ? rows - 1 - i : i].request;
        // What now stands at the front of the queue is not what stood there when the batch was fired.
        if (wrong_.rows == 1 && i < waiting_.size()) request = waiting_[i].request;
        decision.answers.emplace_back(static_cast<std::int64_t>(i), request);
    }
}

void Reference::split(const Group& group) {
    const auto half = static_cast<std::ptrdiff_t>((group.size() + 1) / 2);
    if (!wrong_.second_half_lost) retries_.emplace_front(group.begin() + half, group.end());
    retries_.emplace_front(group.begin(), group.begin() + half);
}

void Reference::recover(Ending how, Decision& decision) {
    const bool died = how == Ending::accelerator_lost;
    if (died && wrong_.lost) return;
    if (died && wrong_.duplicated) { // in flight it stays known, and to the queue it goes as well
        retries_.push_front(flight_);
        for (const Item& item : flight_) waiting_.push_back(item);
        return;
    }
    if ((died && !wrong_.death_as_poison) || wrong_.retries == 0) {
        retries_.push_front(flight_);
        return;
    }
    if (wrong_.gives_up_all || flight_.size() == 1) {
        if (wrong_.never_given_up) return;
        if (wrong_.retries == 1) return retries_.push_front(flight_);
        for (const Item& item : flight_) decision.given_up.push_back(item.request);
        return;
    }
    if (!wrong_.alone) return split(flight_);
    for (std::size_t i = flight_.size(); i-- > 0;) retries_.push_front({flight_[i]});
}

} // namespace assay::batching_judge
