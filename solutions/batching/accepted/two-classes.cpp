// A batcher a level: the first knows nothing of failures, the second keeps ranges of one array on a stack and joins
// what has died with nothing else. Level 3 computes each batch from the one before.
#include "contract.hpp"

#include <algorithm>
#include <functional>
#include <list>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace batching {

capacity plan(service s) {
    bool good = s.batch >= 1 && s.batch <= 1'000'000'000;
    good = good && s.batch_time >= 1 && s.batch_time <= 3'600'000'000'000;
    good = good && s.rate >= 0 && s.rate <= 1'000'000;
    for (const std::int64_t one : {s.wait, s.memory, s.weights, s.request_bytes - 1})
        good = good && one >= 0 && one <= 1'000'000'000'000'000;
    good = good && s.request_bytes <= 1'000'000'000'000'000;
    capacity c;
    if (!good) return c;
    const long double per_second = 1e9L * s.batch / s.batch_time;
    c.throughput = double(per_second);
    c.latency = double((static_cast<long double>(s.wait) + s.batch_time) / 1e9L);
    // x replicas do iff x * batch * 10^9 > rate * batch_time.
    const std::int64_t one = s.batch * 1'000'000'000, all = s.rate * s.batch_time;
    c.replicas = (all + one) / one;
    c.utilisation = double(s.rate / per_second / c.replicas);
    std::int64_t fit = (s.memory - s.weights) / s.request_bytes;
    if (s.memory < s.weights) fit = 0;
    c.largest_batch = fit;
    c.largest_throughput = double(1e9L * fit / s.batch_time);
    return c;
}

namespace {

class plain_batcher final : public batcher {
  public:
    explicit plain_batcher(settings s) : s_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t, list<std::int64_t>& batch) override {
        if (waiting_.size() == std::size_t(s_.queue)) return {false, true, keep};
        waiting_.emplace_back(request, now);
        if (in_flight_) return {};
        if (waiting_.size() == std::size_t(s_.max_batch)) return go(batch);
        return {false, false, waiting_.size() == 1 ? now + s_.timeout : keep};
    }

    decision on_completion(std::int64_t, ending, list<answer>& answers, list<std::int64_t>&,
                           list<std::int64_t>& batch) override {
        std::int64_t row = 0;
        for (const std::int64_t request : *in_flight_) answers.push({row++, request});
        in_flight_.reset();
        if (waiting_.size() >= std::size_t(s_.max_batch)) return go(batch);
        // A time that has passed means at the end of this instant.
        return {false, false, waiting_.empty() ? never : waiting_.front().second + s_.timeout};
    }

    decision on_timer(std::int64_t, list<std::int64_t>& batch) override { return go(batch); }

  private:
    settings s_;
    std::list<std::pair<std::int64_t, std::int64_t>> waiting_;
    std::optional<std::vector<std::int64_t>> in_flight_;

    decision go(list<std::int64_t>& batch) {
        in_flight_.emplace();
        for (std::int64_t left = s_.max_batch; left > 0 && !waiting_.empty(); --left) {
            in_flight_->push_back(waiting_.front().first);
            batch.push(waiting_.front().first);
            waiting_.pop_front();
        }
        return {true, false, never};
    }
};

class careful_batcher final : public batcher {
  public:
    explicit careful_batcher(settings s) : s_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                        list<std::int64_t>& batch) override {
        if (fresh_ == s_.queue) return {false, true, keep};
        ++fresh_;
        all_.push_back({request, length, now});
        return free_ ? next(now, false, batch) : decision{};
    }

    decision on_completion(std::int64_t now, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                           list<std::int64_t>& batch) override {
        free_ = true;
        const auto [from, to] = running_;
        if (how == ending::accelerator_lost) stack_.push_back(running_);
        if (how == ending::done)
            for (std::size_t i = from; i < to; ++i) answers.push({std::int64_t(i - from), all_[i].request});
        if (how == ending::bad_input && to - from == 1) given_up.push(all_[from].request);
        if (how == ending::bad_input && to - from > 1) {
            const std::size_t middle = from + (to - from + 1) / 2;
            stack_.emplace_back(from, middle);
            stack_.emplace_back(middle, to); // the second half goes first
        }
        return next(now, false, batch);
    }

    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override {
        return free_ ? next(now, true, batch) : decision{};
    }

  private:
    struct entry {
        std::int64_t request, length, since;
    };
    using range = std::pair<std::size_t, std::size_t>;

    settings s_;
    std::vector<entry> all_; // in order of arrival; those from head_ on were in no batch yet
    std::size_t head_ = 0;
    std::int64_t fresh_ = 0;
    std::vector<range> stack_;
    range running_{0, 0};
    bool free_ = true;

    decision next(std::int64_t now, bool alarm, list<std::int64_t>& batch) {
        if (!stack_.empty()) {
            running_ = stack_.back();
            stack_.pop_back();
            return go(batch);
        }
        if (head_ == all_.size()) return {false, false, never};
        std::size_t end = head_;
        std::int64_t longest = 0;
        while (end < all_.size() && end - head_ < std::size_t(s_.max_batch)) {
            longest = std::max(longest, all_[end].length);
            if (longest * std::int64_t(end - head_ + 1) > s_.token_budget) break;
            ++end;
        }
        const bool full = end < all_.size() || end - head_ == std::size_t(s_.max_batch);
        const std::int64_t due = all_[head_].since + s_.timeout;
        if (!full && !(alarm && now >= due)) return {false, false, due};
        running_ = {head_, end};
        fresh_ -= std::int64_t(end - head_);
        head_ = end;
        return go(batch);
    }

    decision go(list<std::int64_t>& batch) {
        for (std::size_t i = running_.first; i < running_.second; ++i) batch.push(all_[i].request);
        free_ = false;
        return {true, false, never};
    }
};

struct replay {
    std::vector<std::int64_t> latencies;
    std::int64_t batches = 0;

    replay(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
           std::int64_t batch_time) {
        const std::int64_t* const begin = arrivals.data();
        const std::int64_t* const end = begin + arrivals.extent(0);
        std::int64_t free = begin[0];
        for (const std::int64_t* oldest = begin; oldest < end; ++batches) {
            const bool can_fill = end - oldest >= max_batch;
            const std::int64_t filled = can_fill ? oldest[max_batch - 1] : never;
            const std::int64_t fired = std::max(free, std::min(filled, *oldest + timeout));
            const std::int64_t* last = std::upper_bound(oldest, can_fill ? oldest + max_batch : end, fired);
            free = fired + batch_time;
            for (; oldest < last; ++oldest) latencies.push_back(free - *oldest);
        }
    }

    std::int64_t percentile(std::size_t p) const {
        std::vector<std::int64_t> sorted = latencies;
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        return sorted[(100 - p) * sorted.size() / 100]; // n - ceil(p n / 100) from the other end
    }
};

} // namespace

batcher* make_batcher(settings s) { return new plain_batcher(s); }
batcher* make_resilient_batcher(settings s) { return new careful_batcher(s); }

percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies) {
    const replay r(arrivals, max_batch, timeout, batch_time);
    std::copy(r.latencies.begin(), r.latencies.end(), latencies.data());
    const double n = double(r.latencies.size());
    return {r.percentile(50),
            r.percentile(95),
            r.percentile(99),
            *std::max_element(r.latencies.begin(), r.latencies.end()),
            std::accumulate(r.latencies.begin(), r.latencies.end(), 0.0) / n,
            r.batches};
}

choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo) {
    std::vector<choice> met;
    for (std::ptrdiff_t i = 0; i < timeouts.extent(0); ++i) {
        const replay r(arrivals, max_batch, timeouts(i), batch_time);
        if (r.percentile(99) <= slo) met.push_back({timeouts(i), r.percentile(99), r.batches});
    }
    const auto fewer = [](const choice& a, const choice& b) { return a.batches < b.batches; };
    const auto best = std::min_element(met.begin(), met.end(), fewer); // the first of equals
    return best == met.end() ? choice{-1, -1, -1} : *best;
}

generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots) {
    const std::vector<std::int64_t> l(lengths.data(), lengths.data() + lengths.extent(0));
    generation g;
    g.tokens = std::accumulate(l.begin(), l.end(), std::int64_t{0});
    g.whole_steps = g.per_step_steps = 0;
    g.whole_mean = g.per_step_mean = 0;
    for (auto at = l.begin(); at != l.end();) {
        const auto end = l.end() - at > slots ? at + slots : l.end();
        g.whole_steps += *std::max_element(at, end);
        g.whole_mean += double(g.whole_steps) * double(end - at) / double(l.size());
        at = end;
    }
    std::vector<std::int64_t> slot(std::min(l.size(), std::size_t(slots)));
    for (const std::int64_t length : l) { // slot as a heap, the first to be free on top
        std::pop_heap(slot.begin(), slot.end(), std::greater<>());
        slot.back() += length;
        g.per_step_mean += double(slot.back()) / double(l.size());
        g.per_step_steps = std::max(g.per_step_steps, slot.back());
        std::push_heap(slot.begin(), slot.end(), std::greater<>());
    }
    const double places = double(slots);
    g.whole_utilisation = double(g.tokens) / (double(g.whole_steps) * places);
    g.per_step_utilisation = double(g.tokens) / (double(g.per_step_steps) * places);
    g.speedup = double(g.whole_steps) / double(g.per_step_steps);
    return g;
}

} // namespace batching
