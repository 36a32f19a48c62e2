// What a batch must keep when it is fired, and what must hold when an instant is over.
#include "oracle_world.hpp"

#include "simulate/story.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace assay::batching_judge {

namespace {
std::size_t at(std::int64_t request) { return static_cast<std::size_t>(request); }
} // namespace

/// What every batch must be; marks its requests as in flight.
bool World::check_batch(bool& retried) {
    const std::vector<std::int64_t>& batch = decision_.batch;
    const Settings& settings = workload_.settings;
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::int64_t request = batch[i];
        const State state = is_known(request) ? state_[at(request)] : State::coming;
        if (state == State::surplus) {
            surplus_fired_ = request;
            return false;
        }
        if (state != State::waiting && state != State::suspect) {
            broke(batch_of_waiting, is_known(request) ? request : -1,
                  state == State::in_flight ? fmt::format("{} is in the batch twice", letter_of(request))
                  : state == State::over
                      ? fmt::format("{} was fired, though it was answered before or turned away", letter_of(request))
                      : "a request was fired that has not come");
            return false;
        }
        retried = retried || state == State::suspect;
        --(state == State::suspect ? suspects_ : fresh_);
        state_[at(request)] = State::in_flight;
        const auto size = static_cast<std::int64_t>(i) + 1;
        if (size > settings.max_batch) {
            broke(batch_limit, request,
                  fmt::format("a batch of {} was fired: at most {} go together", batch.size(), settings.max_batch));
            return false;
        }
        longest = std::max(longest, length(request));
        if (workload_.resilient && size * longest > settings.token_budget) {
            broke(within_budget, request,
                  fmt::format("with {} the batch has {} rows of {} tokens when padded, {} in all: the budget is {}",
                              letter_of(request), size, longest, size * longest, settings.token_budget));
            return false;
        }
    }
    return true;
}

/// Level 4. A batch of fresh requests takes them in order, as many as fit, and not before it is full or due; a batch
/// with a request that has failed is a retry, and few of those must do.
void World::check_promptness(bool retried) {
    const std::vector<std::int64_t>& batch = decision_.batch;
    if (retried) {
        ++retries_;
        const auto halvings = std::bit_width(static_cast<std::uint64_t>(workload_.settings.max_batch - 1));
        const std::int64_t allowed = 2 * halvings * poison_ + deaths_;
        if (retries_ > allowed)
            broke(few_retries, batch.front(),
                  fmt::format("this is retry number {}: with {} poison {} and {} {} so far, {} must do", retries_,
                              poison_, poison_ == 1 ? "input" : "inputs", deaths_, deaths_ == 1 ? "death" : "deaths",
                              allowed));
        return;
    }
    const std::int64_t oldest = *std::min_element(batch.begin(), batch.end());
    const std::int64_t next = oldest_fresh();
    for (std::size_t i = 1; i < batch.size(); ++i)
        if (batch[i] < batch[i - 1])
            return broke(no_overtaking, batch[i],
                         fmt::format("{} stands behind {} in the batch, but came before it", letter_of(batch[i]),
                                     letter_of(batch[i - 1])));
    if (next >= 0 && next < batch.back())
        return broke(
            no_overtaking, next,
            fmt::format("{} was fired before {}, which came earlier", letter_of(batch.back()), letter_of(next)));
    std::int64_t longest = 0;
    for (const std::int64_t request : batch) longest = std::max(longest, length(request));
    const auto size = static_cast<std::int64_t>(batch.size());
    const bool full = size == workload_.settings.max_batch ||
                      (next >= 0 && (size + 1) * std::max(longest, length(next)) > workload_.settings.token_budget);
    if (full) return;
    if (next >= 0) return broke(not_early, next, fmt::format("{} was left out, though it fits", letter_of(next)));
    if (now() - workload_.arrivals[at(oldest)] < workload_.settings.timeout)
        broke(not_early, oldest,
              fmt::format("the batch is not full, and {} has waited only {} of {}", letter_of(oldest),
                          text_of(now() - workload_.arrivals[at(oldest)]), text_of(workload_.settings.timeout)));
}

/// Whether those that wait, from the oldest on, fill a batch.
bool World::is_full() {
    const std::int64_t oldest = oldest_fresh();
    std::int64_t count = 0, longest = 0;
    for (std::size_t i = at(std::max<std::int64_t>(oldest, 0)); oldest >= 0 && i < state_.size(); ++i) {
        if (state_[i] == State::coming) return false;
        if (state_[i] != State::waiting) continue;
        longest = std::max(longest, length(static_cast<std::int64_t>(i)));
        if (++count * longest > workload_.settings.token_budget || count == workload_.settings.max_batch) return true;
    }
    return false;
}

void World::plan_audit() {
    if (busy_ || violation()) return;
    const std::int64_t oldest = oldest_fresh();
    if (suspects_ == 0 && oldest < 0) return;
    const Time due = suspects_ > 0 || is_full()
                         ? now()
                         : std::max(now(), workload_.arrivals[at(oldest)] + workload_.settings.timeout);
    if (due == audit_at_) return;
    audit_at_ = due;
    schedule(due, Event::audit, {Event::audit, 0});
}

void World::audit() {
    audit_at_ = never;
    if (busy_) return;
    const std::int64_t oldest = oldest_fresh();
    if (suspects_ > 0) {
        const auto found = std::find(state_.begin(), state_.end(), State::suspect);
        const std::int64_t request = found - state_.begin();
        broke(not_late, request,
              fmt::format("{} was in a batch that failed, the accelerator is free, and nothing was fired",
                          letter_of(request)));
    } else if (oldest >= 0 && now() - workload_.arrivals[at(oldest)] >= workload_.settings.timeout) {
        broke(not_late, oldest,
              fmt::format("{} has waited {}, the accelerator is free, and nothing was fired", letter_of(oldest),
                          text_of(now() - workload_.arrivals[at(oldest)])));
    } else if (is_full()) {
        broke(not_late, oldest,
              fmt::format("those that wait from {} on fill a batch, the accelerator is free, and nothing was fired",
                          letter_of(oldest)));
    }
}

} // namespace assay::batching_judge
