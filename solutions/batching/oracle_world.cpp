#include "oracle_world.hpp"

#include "simulate/story.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace assay::batching_judge {

namespace {
std::size_t at(std::int64_t request) { return static_cast<std::size_t>(request); }
} // namespace

void Decision::clear() {
    fire = reject = false;
    wake = keep_alarm;
    batch.clear();
    given_up.clear();
    answers.clear();
}

World::World(const Workload& workload, Policy& policy)
    : row(workload.arrivals.size(), -1), fired_at(row), answered_at(row), rejected(row.size(), 0), workload_(workload),
      policy_(policy), state_(row.size(), State::coming), seen_poison_(row.size(), 0) {
    log.reserve(3 * row.size());
    promise([this]() -> std::string {
        if (surplus_fired_ < 0) return {};
        culprit = surplus_fired_;
        return fmt::format("{} was let in, though the queue of {} was full when it came", letter_of(surplus_fired_),
                           workload_.settings.queue);
    });
    if (!row.empty()) schedule(workload_.arrivals[0], Event::arrival, {Event::arrival, 0});
}

void World::run() {
    // A right batcher causes an arrival, a firing's share and an alarm or two a request: 20 leave room to poll.
    Simulation::run(20 * static_cast<std::int64_t>(row.size()) + 1000);
    for (std::size_t i = 0; i < row.size() && !violation(); ++i)
        if (state_[i] != State::over)
            broke(all_answered, static_cast<std::int64_t>(i),
                  letter_of(static_cast<std::int64_t>(i)) +
                      (state_[i] == State::surplus ? " came to a full queue, was not rejected, and is never answered"
                                                   : " is never answered: nothing more will happen"));
}

void World::happen(const Event& event) {
    decision_.clear();
    switch (event.kind) {
    case Event::arrival: arrive(event.number); break;
    case Event::completion: complete(); break;
    case Event::timer:
        if (event.number != alarm_) return; // set anew or cleared since
        policy_.on_timer(now(), decision_);
        apply();
        break;
    case Event::audit: audit(); break;
    }
    if (workload_.resilient) plan_audit();
}

void World::arrive(std::int64_t request) {
    if (at(request) + 1 < row.size())
        schedule(workload_.arrivals[at(request) + 1], Event::arrival, {Event::arrival, request + 1});
    log.push_back({now(), Kind::arrives, request, -1});
    policy_.on_arrival(now(), request, length(request), decision_);
    if (decision_.reject) {
        log.push_back({now(), Kind::rejected, request, -1});
        rejected[at(request)] = 1;
        state_[at(request)] = State::over;
        if (fresh_ < workload_.settings.queue)
            broke(room_is_used, request,
                  fmt::format("{} was rejected, though only {} of {} places in the queue were taken",
                              letter_of(request), fresh_, workload_.settings.queue));
    } else if (fresh_ == workload_.settings.queue) {
        state_[at(request)] = State::surplus; // let in or dropped: what becomes of it will tell
    } else {
        state_[at(request)] = State::waiting;
        ++fresh_;
    }
    apply();
}

void World::complete() {
    busy_ = false;
    if (ending_ != Ending::done) {
        log.push_back({now(), ending_ == Ending::bad_input ? Kind::failed : Kind::died, -1, batches_ - 1});
        if (ending_ == Ending::accelerator_lost) ++deaths_;
        for (const std::int64_t request : flight_) {
            state_[at(request)] = State::suspect;
            ++suspects_;
            if (ending_ == Ending::bad_input && !is_healthy(request) && seen_poison_[at(request)] == 0) {
                seen_poison_[at(request)] = 1;
                ++poison_;
            }
        }
        flight_.clear();
    }
    policy_.on_completion(now(), ending_, decision_);
    take_answers();
    apply();
}

void World::take_answers() {
    for (const auto& [number, request] : decision_.answers) {
        const bool exists = number >= 0 && number < static_cast<std::int64_t>(flight_.size());
        if (!exists)
            return broke(
                right_row, is_known(request) ? request : -1,
                ending_ == Ending::done
                    ? fmt::format("row {} was given out, but the batch had rows 0 to {}", number, flight_.size() - 1)
                    : fmt::format("row {} was given out, but the batch failed: no row was computed", number));
        const std::int64_t owner = flight_[at(number)];
        if (owner != request)
            return broke(right_row, owner,
                         fmt::format("row {} holds the answer to {}, and was given to {}", number, letter_of(owner),
                                     is_known(request) ? letter_of(request) : "a request that never came"));
        if (state_[at(owner)] == State::over)
            return broke(right_row, owner, fmt::format("{} was answered twice", letter_of(owner)));
        state_[at(owner)] = State::over;
        answered_at[at(owner)] = now();
        log.push_back({now(), Kind::answered, owner, number});
    }
    for (const std::int64_t owner : flight_)
        if (state_[at(owner)] != State::over)
            return broke(all_answered, owner,
                         fmt::format("the batch of {} came back, and {} was not answered", letters_of(flight_),
                                     letter_of(owner)));
    flight_.clear();
    for (const std::int64_t request : decision_.given_up) {
        if (!is_known(request) || state_[at(request)] != State::suspect || is_healthy(request))
            return broke(healthy_served, is_known(request) ? request : -1,
                         !is_known(request) ? "a request was given up that never came"
                         : state_[at(request)] != State::suspect
                             ? fmt::format("{} was given up, but is in no batch that failed", letter_of(request))
                             : fmt::format("{} was given up, but nothing is wrong with it", letter_of(request)));
        state_[at(request)] = State::over;
        --suspects_;
        log.push_back({now(), Kind::given_up, request, -1});
    }
}

void World::apply() {
    if (violation()) return;
    if (decision_.fire) {
        fire();
    } else if (!decision_.batch.empty()) {
        broke(listed_is_fired, decision_.batch.front(),
              fmt::format("a batch of {} was listed, but `fire` was not set", decision_.batch.size()));
    }
    if (decision_.wake == keep_alarm || violation()) return;
    ++alarm_; // the one before is void
    if (decision_.wake < never) schedule(std::max(now(), decision_.wake), Event::timer, {Event::timer, alarm_});
}

void World::fire() {
    const std::vector<std::int64_t>& batch = decision_.batch;
    for (std::size_t i = 0; i < batch.size(); ++i) log.push_back({now(), Kind::fires, batch[i], batches_});
    if (batch.empty()) {
        log.push_back({now(), Kind::fires, -1, batches_});
        return broke(no_empty_batch, -1, "a batch of nothing was fired");
    }
    if (busy_)
        return broke(one_in_flight, batch.front(),
                     fmt::format("{} was fired while {} was still in flight", letters_of(batch), letters_of(flight_)));
    bool retried = false;
    if (!check_batch(retried)) return;
    if (workload_.resilient) check_promptness(retried);
    if (violation()) return;

    std::int64_t longest = 0;
    bool poisoned = false;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::size_t request = at(batch[i]);
        row[request] = static_cast<std::int64_t>(i);
        fired_at[request] = now();
        longest = std::max(longest, length(batch[i]));
        poisoned = poisoned || !is_healthy(batch[i]);
    }
    flight_ = batch;
    busy_ = true;
    Time lasts = workload_.batch_time + workload_.token_time * longest * static_cast<std::int64_t>(batch.size());
    const auto& deaths = workload_.deaths;
    ending_ = poisoned ? Ending::bad_input : Ending::done;
    if (std::find(deaths.begin(), deaths.end(), batches_) != deaths.end()) {
        ending_ = Ending::accelerator_lost;
        lasts -= lasts / 2;
    }
    ++batches_;
    schedule(now() + lasts, Event::completion, {Event::completion, 0});
}

void World::broke(int promise, std::int64_t request, std::string sentence) {
    if (!violation()) culprit = request;
    break_promise(promise, std::move(sentence));
}

std::int64_t World::length(std::int64_t request) const {
    return workload_.lengths.empty() ? 1 : workload_.lengths[at(request)];
}

bool World::is_healthy(std::int64_t request) const {
    return workload_.healthy.empty() || workload_.healthy[at(request)] != 0;
}

bool World::is_known(std::int64_t request) const {
    return request >= 0 && request < static_cast<std::int64_t>(row.size()) && state_[at(request)] != State::coming;
}

/// The oldest waiting request that was in no batch yet; -1 where there is none.
std::int64_t World::oldest_fresh() {
    while (first_fresh_ < row.size() && state_[first_fresh_] != State::waiting && state_[first_fresh_] != State::coming)
        ++first_fresh_; // whoever has left that state never comes back to it
    for (std::size_t i = first_fresh_; i < row.size() && state_[i] != State::coming; ++i)
        if (state_[i] == State::waiting) return static_cast<std::int64_t>(i);
    return -1;
}

} // namespace assay::batching_judge
