// An alarm in the past makes no sense, so none is set.
// Level: batcher
#include "contract.hpp"

#include <deque>
#include <vector>

namespace batching {

namespace {

class simple_batcher : public batcher {
  public:
    explicit simple_batcher(settings s) : s_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t, list<std::int64_t>& batch) override {
        if (waiting() >= s_.queue) return {false, true, keep};
        queue_.push_back({request, now});
        return next(now, batch);
    }

    decision on_completion(std::int64_t now, ending, list<answer>& answers, list<std::int64_t>&,
                           list<std::int64_t>& batch) override {
        for (std::size_t row = 0; row < flight_.size(); ++row)
            answers.push({static_cast<std::int64_t>(row), flight_[row]});
        flight_.clear();
        return next(now, batch);
    }

    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override {
        if (flight_.empty() && waiting() > 0 && due() <= now) return fire(batch);
        return next(now, batch);
    }

  private:
    struct entry {
        std::int64_t request, since;
    };

    settings s_;
    std::deque<entry> queue_;
    std::vector<std::int64_t> flight_;

    std::int64_t waiting() const { return static_cast<std::int64_t>(queue_.size()); }
    std::int64_t due() const { return queue_.front().since + s_.timeout; }

    decision next(std::int64_t now, list<std::int64_t>& batch) {
        if (!flight_.empty()) return {};
        if (waiting() >= s_.max_batch) return fire(batch);
        if (waiting() == 0 || due() < now) return {};
        return {false, false, due()};
    }

    decision fire(list<std::int64_t>& batch) {
        while (waiting() > 0 && static_cast<std::int64_t>(flight_.size()) < s_.max_batch) {
            flight_.push_back(queue_.front().request);
            batch.push(queue_.front().request);
            queue_.pop_front();
        }
        return {true, false, never};
    }
};

} // namespace

batcher* make_batcher(settings s) { return new simple_batcher(s); }

} // namespace batching
