// A run told as a timeline, and where it first parts from the right one.
#include "oracle.hpp"

#include "oracle_batcher.hpp"
#include "simulate/story.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace assay::batching_judge {

namespace {

/// Entries of the log that belong together: a batch that is fired, rows that are answered at one instant.
struct Happening {
    Time at = 0;
    Kind kind = Kind::arrives;
    std::vector<std::int64_t> requests;
    std::int64_t batch = -1;

    bool operator==(const Happening& other) const {
        return at == other.at && kind == other.kind && requests == other.requests;
    }
};

std::vector<Happening> happenings_of(const std::vector<Entry>& log) {
    std::vector<Happening> all;
    for (const Entry& entry : log) {
        const std::int64_t batch = entry.kind == Kind::fires ? entry.extra : -1;
        const bool joins = entry.kind != Kind::arrives && entry.kind != Kind::rejected;
        if (!joins || all.empty() || all.back().at != entry.at || all.back().kind != entry.kind ||
            all.back().batch != batch)
            all.push_back({entry.at, entry.kind, {}, batch});
        if (entry.request >= 0) all.back().requests.push_back(entry.request);
    }
    return all;
}

std::vector<Entry> log_of(const Outputs& outputs) {
    std::vector<Entry> log;
    const Array* array = outputs.find("log");
    if (array == nullptr) return log;
    const std::vector<double> numbers = array->values();
    for (std::size_t i = 0; i + 3 < numbers.size(); i += 4) {
        const auto number = [&](std::size_t k) { return static_cast<std::int64_t>(numbers[i + k]); };
        log.push_back({number(0), static_cast<Kind>(number(1)), number(2), number(3)});
    }
    return log;
}

std::string sentence_of(const Outputs& outputs) {
    std::string sentence;
    const Array* array = outputs.find("sentence");
    if (array == nullptr) return sentence;
    for (const double c : array->values()) sentence += static_cast<char>(c);
    return sentence;
}

std::vector<Happening> right_run(const Workload& work) {
    Reference batcher(work.settings, work.resilient, {});
    World world(work, batcher);
    world.run();
    return happenings_of(world.log);
}

/// The first happening at which two runs part; the length of both where they do not.
std::size_t parting(const std::vector<Happening>& a, const std::vector<Happening>& b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

class Teller {
  public:
    Teller(const Workload& work, std::vector<Happening> run, const std::string& broken, Time broken_at)
        : work_(work), run_(std::move(run)), broken_(broken), broken_at_(broken_at) {}

    std::vector<std::string> exact() {
        const std::vector<Happening> right = right_run(work_);
        const std::size_t at = parting(run_, right);
        for (std::size_t i = 0; i < run_.size(); ++i) {
            if (i == at && at < right.size())
                correct(right, at, &run_[at]);
            else
                tell(run_[i]);
        }
        if (at == run_.size() && at < right.size()) correct(right, at, nullptr);
        return end();
    }

    std::vector<std::string> free() {
        for (const Happening& one : run_) tell(one);
        return end();
    }

  private:
    const Workload& work_;
    std::vector<Happening> run_;
    const std::string& broken_;
    Time broken_at_;
    Story story_;

    std::vector<std::string> end() {
        if (!broken_.empty()) story_.tell(broken_at_, "✗ " + broken_);
        return story_.lines();
    }

    std::string words_of(const Happening& one) const {
        const std::string who = letters_of(one.requests);
        const bool several = one.requests.size() > 1;
        switch (one.kind) {
        case Kind::arrives:
            if (!work_.resilient) return who + " arrives";
            return fmt::format("{} arrives, {} token{}{}", who, work_.lengths[index(one)],
                               work_.lengths[index(one)] == 1 ? "" : "s",
                               work_.healthy[index(one)] != 0 ? "" : ", poison");
        case Kind::rejected: return who + " is rejected";
        case Kind::fires: return one.requests.empty() ? "fires nothing" : fmt::format("fires {}", who);
        case Kind::answered: return fmt::format("{} {} answered", who, several ? "are" : "is");
        case Kind::given_up: return fmt::format("{} {} given up", who, several ? "are" : "is");
        case Kind::failed: return "the batch fails: bad input";
        case Kind::died: return "the accelerator dies, and another takes its place";
        }
        return who;
    }

    static std::size_t index(const Happening& one) { return static_cast<std::size_t>(one.requests.front()); }
    void tell(const Happening& one) { story_.tell(one.at, words_of(one)); }

    /// What is due at a firing that is right.
    std::string reason(const Happening& one) const {
        if (static_cast<std::int64_t>(one.requests.size()) == work_.settings.max_batch) return "the batch is full";
        const Time waited = one.at - work_.arrivals[index(one)];
        if (waited == work_.settings.timeout)
            return fmt::format("{} has waited the timeout of {}", letter_of(one.requests.front()), text_of(waited));
        return fmt::format("{} has waited {}, more than the timeout of {}", letter_of(one.requests.front()),
                           text_of(waited), text_of(work_.settings.timeout));
    }

    /// Tells what was right beside what was done in its place (null: nothing more was).
    void correct(const std::vector<Happening>& all, std::size_t at, const Happening* done) {
        const Happening& right = all[at];
        const bool late = done == nullptr || done->at > right.at || done->kind == Kind::arrives;
        const bool instead = done != nullptr && done->at == right.at && done->kind != right.kind;
        if (right.kind != Kind::arrives && (late || instead)) {
            if (right.kind == Kind::fires)
                story_.tell(right.at,
                            fmt::format("✗ {} should be fired here: {}", letters_of(right.requests), reason(right)));
            else if (right.kind == Kind::rejected)
                story_.tell(right.at, fmt::format("✗ {} should be rejected: the queue of {} is full",
                                                  letters_of(right.requests), work_.settings.queue));
            else if (right.kind == Kind::answered && broken_.empty())
                story_.tell(right.at, fmt::format("✗ {} should be answered here", letters_of(right.requests)));
            if (done != nullptr) tell(*done);
            return;
        }
        if (done == nullptr) return;
        tell(*done);
        if (done->kind == Kind::fires && !done->requests.empty() && broken_.empty()) fault_of_firing(all, at, *done);
    }

    void fault_of_firing(const std::vector<Happening>& all, std::size_t at, const Happening& done) {
        const auto next = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(at), all.end(),
                                       [](const Happening& one) { return one.kind == Kind::fires; });
        if (next == all.end()) return;
        const bool same = std::is_permutation(next->requests.begin(), next->requests.end(), done.requests.begin(),
                                              done.requests.end());
        const std::string should = letters_of(next->requests);
        if (next->at == done.at && same)
            story_.tell(done.at, fmt::format("✗ it should be {}: in order of arrival", should));
        else if (next->at == done.at && all[at].kind == Kind::arrives)
            story_.tell(done.at, fmt::format("✗ too early: who arrives at this instant comes along, {}", should));
        else if (next->at == done.at)
            story_.tell(done.at, fmt::format("✗ it should be {}: {}", should, reason(*next)));
        else
            story_.tell(done.at,
                        fmt::format("✗ too early: {} of {} wait, and {} has waited {} of {}", done.requests.size(),
                                    work_.settings.max_batch, letter_of(done.requests.front()),
                                    text_of(done.at - work_.arrivals[index(done)]), text_of(work_.settings.timeout)));
    }
};

} // namespace

std::vector<std::string> story(const Problem& problem, const Outputs& outputs) {
    if (!is_run(problem)) return {};
    const Workload work = workload_of(problem);
    const std::string broken = sentence_of(outputs);
    const Array* at = outputs.find("violation_at");
    Teller teller(work, happenings_of(log_of(outputs)), broken, at == nullptr ? 0 : static_cast<Time>(at->stored(0)));
    return work.resilient ? teller.free() : teller.exact();
}

std::vector<Suspects> suspects(const Problem& problem, const Outputs& outputs) {
    if (!is_run(problem)) return {};
    const Workload work = workload_of(problem);
    const std::vector<Happening> run = happenings_of(log_of(outputs));
    if (run.empty() || work.arrivals.size() < 2) return {};
    Time trouble = run.back().at;
    if (!work.resilient) {
        const std::vector<Happening> right = right_run(work);
        const std::size_t at = parting(run, right);
        if (at < right.size()) trouble = right[at].at;
        if (at < run.size()) trouble = at < right.size() ? std::min(trouble, run[at].at) : run[at].at;
    } else if (const Array* culprit = outputs.find("culprit"); culprit != nullptr && culprit->stored(0) >= 0)
        trouble = std::min(trouble, work.arrivals[static_cast<std::size_t>(culprit->stored(0))] +
                                        work.settings.timeout + 2 * work.batch_time);
    const auto end = std::upper_bound(work.arrivals.begin(), work.arrivals.end(), trouble) - work.arrivals.begin();
    std::vector<Suspects> all;
    for (const std::int64_t count : {2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024}) {
        Suspects some{"R", {}};
        for (std::int64_t i = std::max<std::int64_t>(0, end - count); i < end; ++i) some.indices.push_back(i);
        if (some.indices.size() < work.arrivals.size()) all.push_back(std::move(some));
    }
    return all;
}

} // namespace assay::batching_judge
