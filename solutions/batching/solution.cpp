// The model answer: one queue, one rule for what is due, and retries that go before everything else.
#include "contract.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <queue>
#include <vector>

namespace batching {

capacity plan(service s) {
    constexpr std::int64_t second = 1'000'000'000, large = 1'000'000'000'000'000;
    const auto within = [](std::int64_t x, std::int64_t low, std::int64_t high) { return low <= x && x <= high; };
    if (!within(s.batch, 1, second) || !within(s.batch_time, 1, 3'600 * second) || !within(s.wait, 0, large) ||
        !within(s.rate, 0, 1'000'000) || !within(s.memory, 0, large) || !within(s.weights, 0, large) ||
        !within(s.request_bytes, 1, large))
        return {};
    const double seconds = static_cast<double>(s.batch_time) / 1e9;
    capacity c;
    c.throughput = static_cast<double>(s.batch) / seconds;
    c.latency = static_cast<double>(s.wait + s.batch_time) / 1e9;
    // In integers, so that a load that equals the capacity is seen to.
    c.replicas = s.rate * s.batch_time / (s.batch * second) + 1;
    c.utilisation = static_cast<double>(s.rate) / (static_cast<double>(c.replicas) * c.throughput);
    c.largest_batch = std::max<std::int64_t>(0, s.memory - s.weights) / s.request_bytes;
    c.largest_throughput = static_cast<double>(c.largest_batch) / seconds;
    return c;
}

namespace {

struct waiting_request {
    std::int64_t request, length, arrival;
};
using group = std::vector<waiting_request>;

class queueing_batcher : public batcher {
  public:
    explicit queueing_batcher(settings s) : settings_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                        list<std::int64_t>& batch) override {
        if (static_cast<std::int64_t>(waiting_.size()) == settings_.queue) return {false, true, keep};
        waiting_.push_back({request, length, now});
        return next(batch);
    }

    decision on_completion(std::int64_t, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                           list<std::int64_t>& batch) override {
        if (how == ending::done)
            for (std::size_t row = 0; row < flight_.size(); ++row)
                answers.push({static_cast<std::int64_t>(row), flight_[row].request});
        else if (how == ending::accelerator_lost)
            retries_.push_front(flight_);
        else if (flight_.size() == 1)
            given_up.push(flight_[0].request);
        else {
            const auto half = flight_.begin() + static_cast<std::ptrdiff_t>(flight_.size() / 2);
            retries_.emplace_front(half, flight_.end());
            retries_.emplace_front(flight_.begin(), half);
        }
        flight_.clear();
        return next(batch);
    }

    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override {
        if (flight_.empty() && !waiting_.empty() && now >= due()) return launch(take_fresh(), batch);
        return next(batch);
    }

  private:
    const settings settings_;
    std::deque<waiting_request> waiting_;
    std::deque<group> retries_;
    group flight_;

    std::int64_t due() const { return waiting_.front().arrival + settings_.timeout; }

    // How many of those at the front go together; `full` where one more would not.
    std::size_t fitting(bool& full) const {
        const auto most = static_cast<std::size_t>(settings_.max_batch);
        std::int64_t longest = 0;
        for (std::size_t count = 0; count < waiting_.size(); ++count) {
            longest = std::max(longest, waiting_[count].length);
            full = count == most || static_cast<std::int64_t>(count + 1) * longest > settings_.token_budget;
            if (full) return count;
        }
        full = waiting_.size() == most;
        return waiting_.size();
    }

    decision next(list<std::int64_t>& batch) {
        if (!flight_.empty()) return {};
        if (!retries_.empty()) {
            const group first = retries_.front();
            retries_.pop_front();
            return launch(first, batch);
        }
        if (waiting_.empty()) return {false, false, never};
        bool full = false;
        fitting(full);
        if (full) return launch(take_fresh(), batch);
        return {false, false, due()};
    }

    group take_fresh() {
        bool full = false;
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(fitting(full));
        const group fresh(waiting_.begin(), end);
        waiting_.erase(waiting_.begin(), end);
        return fresh;
    }

    decision launch(const group& members, list<std::int64_t>& batch) {
        for (const waiting_request& one : members) batch.push(one.request);
        flight_ = members;
        return {true, false, never};
    }
};

struct load {
    std::vector<std::int64_t> latencies;
    std::int64_t batches = 0;
};

load serve(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
           std::int64_t batch_time) {
    load result;
    std::int64_t free = 0;
    for (std::ptrdiff_t head = 0; head < arrivals.extent(0);) {
        std::int64_t ready = arrivals(head) + timeout;
        if (max_batch <= arrivals.extent(0) - head) ready = std::min(ready, arrivals(head + max_batch - 1));
        const std::int64_t fired = std::max(free, ready);
        free = fired + batch_time;
        for (std::int64_t size = 0; size < max_batch && head < arrivals.extent(0) && arrivals(head) <= fired; ++size)
            result.latencies.push_back(free - arrivals(head++));
        ++result.batches;
    }
    return result;
}

std::int64_t percentile(const std::vector<std::int64_t>& sorted, std::int64_t p) {
    const auto n = static_cast<std::int64_t>(sorted.size());
    return sorted[static_cast<std::size_t>((p * n + 99) / 100 - 1)];
}

} // namespace

batcher* make_batcher(settings s) {
    s.token_budget = s.max_batch; // every length is 1
    return new queueing_batcher(s);
}
batcher* make_resilient_batcher(settings s) { return new queueing_batcher(s); }

percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies) {
    load result = serve(arrivals, max_batch, timeout, batch_time);
    auto& all = result.latencies;
    for (std::size_t i = 0; i < all.size(); ++i) latencies(i) = all[i];
    std::sort(all.begin(), all.end());
    const double sum = static_cast<double>(std::accumulate(all.begin(), all.end(), std::int64_t{0}));
    return {percentile(all, 50),
            percentile(all, 95),
            percentile(all, 99),
            all.back(),
            sum / static_cast<double>(all.size()),
            result.batches};
}

choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo) {
    choice best{-1, -1, -1};
    for (std::ptrdiff_t i = 0; i < timeouts.extent(0); ++i) {
        load result = serve(arrivals, max_batch, timeouts(i), batch_time);
        std::sort(result.latencies.begin(), result.latencies.end());
        const std::int64_t p99 = percentile(result.latencies, 99);
        if (p99 <= slo && (best.timeout < 0 || result.batches < best.batches))
            best = {timeouts(i), p99, result.batches};
    }
    return best;
}

generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots) {
    generation g{0, 0, 0, 0, 0, 0, 0, 0};
    const std::ptrdiff_t count = lengths.extent(0);
    for (std::ptrdiff_t from = 0; from < count; from += slots) {
        const std::ptrdiff_t end = std::min<std::ptrdiff_t>(count, from + slots);
        std::int64_t longest = 0;
        for (std::ptrdiff_t i = from; i < end; ++i) longest = std::max(longest, lengths(i));
        g.whole_steps += longest;
        g.whole_mean += static_cast<double>(end - from) * static_cast<double>(g.whole_steps);
    }
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free;
    for (std::int64_t slot = 0; slot < std::min<std::int64_t>(slots, count); ++slot) free.push(0);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const std::int64_t end = free.top() + lengths(i);
        free.pop();
        free.push(end);
        g.tokens += lengths(i);
        g.per_step_steps = std::max(g.per_step_steps, end);
        g.per_step_mean += static_cast<double>(end);
    }
    const double tokens = static_cast<double>(g.tokens), wide = static_cast<double>(slots);
    const double whole = static_cast<double>(g.whole_steps), per_step = static_cast<double>(g.per_step_steps);
    g.whole_utilisation = tokens / (wide * whole);
    g.per_step_utilisation = tokens / (wide * per_step);
    g.whole_mean /= static_cast<double>(count);
    g.per_step_mean /= static_cast<double>(count);
    g.speedup = whole / per_step;
    return g;
}

} // namespace batching
