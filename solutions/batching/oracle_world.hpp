// The world that a batcher lives in: arrivals, one accelerator, one alarm, and the promises that a batcher keeps.
#ifndef ASSAY_BATCHING_ORACLE_WORLD_HPP
#define ASSAY_BATCHING_ORACLE_WORLD_HPP

#include "simulate/simulation.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace assay::batching_judge {

inline constexpr Time keep_alarm = -1; // as in the contract

struct Settings {
    std::int64_t max_batch = 1;
    Time timeout = 0;
    std::int64_t queue = 1;
    std::int64_t token_budget = 1;
};

/// What happens to a batcher, and under which rules it is held.
struct Workload {
    Settings settings;
    Time batch_time = 1;
    Time token_time = 0;    // more for each token of a batch's padded size
    bool resilient = false; // level 4: failures, and promises in place of one right log
    std::vector<Time> arrivals;
    std::vector<std::int64_t> lengths; // empty: all 1
    std::vector<char> healthy;         // empty: all
    std::vector<std::int64_t> deaths;  // numbers of the batches in whose middle the accelerator dies, from 0
};

enum class Ending : std::int64_t { done, bad_input, accelerator_lost };

struct Decision {
    bool fire = false, reject = false;
    Time wake = keep_alarm;
    std::vector<std::int64_t> batch, given_up;
    std::vector<std::pair<std::int64_t, std::int64_t>> answers; // row, request

    void clear();
};

/// The attempt's batcher, or the reference. `decision` comes cleared.
class Policy {
  public:
    virtual ~Policy() = default;
    virtual void on_arrival(Time now, std::int64_t request, std::int64_t length, Decision& decision) = 0;
    virtual void on_completion(Time now, Ending how, Decision& decision) = 0;
    virtual void on_timer(Time now, Decision& decision) = 0;
};

/// Numbers of the promises, as they go out.
enum Promise : int {
    queue_bound = 1,
    no_empty_batch,
    one_in_flight,
    batch_limit,
    batch_of_waiting,
    right_row,
    room_is_used,
    all_answered,
    listed_is_fired,
    within_budget, // those from here on are level 4's alone
    healthy_served,
    no_overtaking,
    not_early,
    not_late,
    few_retries,
};
inline constexpr int no_end = -1;

enum class Kind : std::int64_t { arrives, rejected, fires, answered, given_up, failed, died };

/// One line of the log. `extra`: of `fires` the batch's number, of `answered` the row.
struct Entry {
    Time at = 0;
    Kind kind = Kind::arrives;
    std::int64_t request = -1, extra = -1;

    bool operator==(const Entry&) const = default;
};

struct Event {
    enum Kind : int { completion, arrival, timer, audit }; // what comes first at one instant
    Kind kind = arrival;
    std::int64_t number = 0; // of the request; of the alarm that was set
};

class World final : public Simulation<Event> {
  public:
    /// Both must outlive it.
    World(const Workload& workload, Policy& policy);

    /// To the end of the run, and what must hold there.
    void run();

    /// By request; -1 where it never happened.
    std::vector<std::int64_t> row, fired_at, answered_at;
    std::vector<char> rejected;
    std::vector<Entry> log;
    std::int64_t culprit = -1; // the request that the broken promise is about
    int broken() const { return !violation() ? 0 : violation()->invariant == 0 ? no_end : violation()->invariant; }

  private:
    /// `surplus`: came to a full queue and was not rejected.
    enum class State : char { coming, waiting, surplus, suspect, in_flight, over };

    const Workload& workload_;
    Policy& policy_;
    Decision decision_;
    std::vector<State> state_;
    std::vector<std::int64_t> flight_; // requests of the batch in flight, by row
    bool busy_ = false;
    std::size_t first_fresh_ = 0;           // no request before it waits that was in no batch yet
    std::int64_t fresh_ = 0, suspects_ = 0; // waiting: in no batch yet; in one that failed
    std::int64_t alarm_ = 0, batches_ = 0, retries_ = 0, deaths_ = 0, poison_ = 0;
    std::int64_t surplus_fired_ = -1;
    Ending ending_ = Ending::done;
    Time audit_at_ = never;
    std::vector<char> seen_poison_;

    void happen(const Event& event) override;
    void arrive(std::int64_t request);
    void complete();
    void apply();
    void fire();
    bool check_batch(bool& retried);
    void check_promptness(bool retried);
    void audit();
    void plan_audit();
    void take_answers();
    void broke(int promise, std::int64_t request, std::string sentence);

    std::int64_t length(std::int64_t request) const;
    bool is_healthy(std::int64_t request) const;
    bool is_known(std::int64_t request) const;
    std::int64_t oldest_fresh();
    bool is_full();
};

} // namespace assay::batching_judge

#endif
