// Full is a number of requests; the token budget only cuts what is fired.
// Level: faults
#include "contract.hpp"

#include <algorithm>
#include <deque>
#include <vector>

namespace batching {

namespace {

struct entry {
    std::int64_t request, length, since;
};
using group = std::vector<entry>;

class resilient_batcher : public batcher {
  public:
    explicit resilient_batcher(settings s) : s_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                        list<std::int64_t>& batch) override {
        if (std::int64_t(queue_.size()) >= s_.queue) return {false, true, keep};
        queue_.push_back({request, length, now});
        return next(batch);
    }

    decision on_completion(std::int64_t, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                           list<std::int64_t>& batch) override {
        const group back = flight_;
        flight_.clear();
        if (how == ending::done)
            for (std::size_t row = 0; row < back.size(); ++row) answers.push({std::int64_t(row), back[row].request});
        if (how == ending::accelerator_lost) retries_.push_front(back);
        if (how == ending::bad_input) isolate(back, given_up);
        return next(batch);
    }

    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override {
        if (flight_.empty() && !queue_.empty() && queue_.front().since + s_.timeout <= now)
            return fire(fresh(count()), batch);
        return next(batch);
    }

  private:
    settings s_;
    std::deque<entry> queue_;
    std::deque<group> retries_;
    group flight_;

    void isolate(const group& back, list<std::int64_t>& given_up) {
        if (back.size() == 1) {
            given_up.push(back[0].request);
            return;
        }
        const auto middle = back.begin() + std::ptrdiff_t((back.size() + 1) / 2);
        retries_.emplace_front(middle, back.end());
        retries_.emplace_front(back.begin(), middle);
    }

    std::size_t count() const {
        std::int64_t longest = 0, n = 0;
        for (const entry& one : queue_) {
            longest = std::max(longest, one.length);
            if (n == s_.max_batch || (n + 1) * longest > s_.token_budget) break;
            ++n;
        }
        return std::size_t(n);
    }

    decision next(list<std::int64_t>& batch) {
        if (!flight_.empty()) return {};
        if (!retries_.empty()) {
            const group first = retries_.front();
            retries_.pop_front();
            return fire(first, batch);
        }
        const std::size_t n = count();
        if (std::int64_t(n) == s_.max_batch) return fire(fresh(n), batch);
        return {false, false, queue_.empty() ? never : queue_.front().since + s_.timeout};
    }

    group fresh(std::size_t n) {
        const auto end = queue_.begin() + std::ptrdiff_t(n);
        const group first(queue_.begin(), end);
        queue_.erase(queue_.begin(), end);
        return first;
    }

    decision fire(const group& members, list<std::int64_t>& batch) {
        flight_ = members;
        for (const entry& one : members) batch.push(one.request);
        return {true, false, never};
    }
};

} // namespace

batcher* make_resilient_batcher(settings s) { return new resilient_batcher(s); }

} // namespace batching
