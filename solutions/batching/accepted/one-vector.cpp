// Every request that ever came, in one vector with its state; what to do follows from a scan of those that are open.
// Level 3 steps from event to event with two indices, level 5 from decode step to decode step.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace batching {

capacity plan(service s) {
    const auto outside = [](std::int64_t x, std::int64_t low, double high) { return x < low || double(x) > high; };
    if (outside(s.batch, 1, 1e9) || outside(s.batch_time, 1, 3.6e12) || outside(s.wait, 0, 1e15) ||
        outside(s.rate, 0, 1e6) || outside(s.memory, 0, 1e15) || outside(s.weights, 0, 1e15) ||
        outside(s.request_bytes, 1, 1e15))
        return {};
    capacity c;
    c.throughput = double(s.batch) * 1e9 / double(s.batch_time);
    c.latency = double(s.wait) * 1e-9 + double(s.batch_time) * 1e-9;
    c.replicas = 1; // by search: the first whose capacity is above the rate
    for (std::int64_t step = std::int64_t{1} << 40; step > 0; step /= 2) {
        const __int128 capacity_of_fewer = __int128(c.replicas + step - 1) * s.batch * 1'000'000'000;
        if (capacity_of_fewer <= __int128(s.rate) * s.batch_time) c.replicas += step;
    }
    c.utilisation = double(s.rate) / c.throughput / double(c.replicas);
    c.largest_batch = s.weights < s.memory ? (s.memory - s.weights) / s.request_bytes : 0;
    c.largest_throughput = double(c.largest_batch) * 1e9 / double(s.batch_time);
    return c;
}

namespace {

enum class state { waits, runs, failed, over };

struct known {
    std::int64_t request, length, since;
    state now = state::waits;
    std::int64_t part = -1; // of the failed batches, which piece it belongs to
};

class scanning_batcher : public batcher {
  public:
    scanning_batcher(settings s, bool by_tokens) : s_(s), by_tokens_(by_tokens) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                        list<std::int64_t>& batch) override {
        std::int64_t waiting = 0;
        for (std::size_t i = first_; i < all_.size(); ++i) waiting += all_[i].now == state::waits ? 1 : 0;
        if (waiting >= s_.queue) {
            decision no;
            no.reject = true;
            return no;
        }
        all_.push_back({request, length, now});
        return decide(now, false, batch);
    }

    decision on_completion(std::int64_t now, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                           list<std::int64_t>& batch) override {
        const std::vector<std::size_t> back = std::move(running_);
        running_.clear();
        for (std::size_t row = 0; row < back.size(); ++row) {
            known& one = all_[back[row]];
            one.now = how == ending::done ? state::over : state::failed;
            if (how == ending::done) answers.push({std::int64_t(row), one.request});
            // A part that failed for its input becomes two; one that died with its accelerator stays one.
            one.part = parts_ + (how == ending::bad_input && row >= back.size() / 2 ? 1 : 0);
        }
        parts_ += 2;
        if (how == ending::bad_input && back.size() == 1) {
            given_up.push(all_[back[0]].request);
            all_[back[0]].now = state::over;
        }
        while (first_ < all_.size() && all_[first_].now == state::over) ++first_;
        return decide(now, false, batch);
    }

    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override { return decide(now, true, batch); }

  private:
    settings s_;
    bool by_tokens_;
    std::vector<known> all_;
    std::vector<std::size_t> running_;
    std::size_t first_ = 0;
    std::int64_t parts_ = 0;

    decision decide(std::int64_t now, bool alarm, list<std::int64_t>& batch) {
        decision d;
        d.wake = never;
        if (!running_.empty()) return d;
        std::int64_t part = -1;
        for (std::size_t i = first_; i < all_.size(); ++i)
            if (all_[i].now == state::failed && (part < 0 || all_[i].part < part)) part = all_[i].part;
        std::vector<std::size_t> chosen;
        std::int64_t longest = 0;
        bool full = false;
        for (std::size_t i = first_; i < all_.size() && !full; ++i) {
            const known& one = all_[i];
            if (part >= 0 ? one.now != state::failed || one.part != part : one.now != state::waits) continue;
            longest = std::max(longest, one.length);
            const std::int64_t size = std::int64_t(chosen.size()) + 1;
            full = by_tokens_ && size * longest > s_.token_budget;
            if (!full) chosen.push_back(i);
            full = full || size == s_.max_batch;
        }
        if (chosen.empty()) return d;
        const std::int64_t due = all_[chosen[0]].since + s_.timeout;
        if (part < 0 && !full && !(alarm && due <= now)) {
            d.wake = due;
            return d;
        }
        for (const std::size_t i : chosen) {
            all_[i].now = state::runs;
            batch.push(all_[i].request);
        }
        running_ = chosen;
        d.fire = true;
        return d;
    }
};

} // namespace

batcher* make_batcher(settings s) { return new scanning_batcher(s, false); }
batcher* make_resilient_batcher(settings s) { return new scanning_batcher(s, true); }

percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies) {
    percentiles p;
    p.batches = 0;
    const std::int64_t n = arrivals.extent(0);
    std::int64_t waiting = 0, next = 0, ends = -1, now = 0;
    while (next < n || waiting < next) {
        // What is next: an arrival, the completion, or the timeout of the oldest.
        const std::int64_t comes = next < n ? arrivals(next) : never;
        const bool busy = ends > now;
        const std::int64_t due = waiting < next && !busy ? std::max(now, arrivals(waiting) + timeout) : never;
        const bool arrives = comes <= due && !(busy && ends <= comes);
        now = busy && ends <= comes ? ends : std::min(comes, due);
        if (arrives) ++next;
        if (ends > now) continue;
        const bool full = next - waiting >= max_batch;
        const bool timed_out = !arrives && !busy && waiting < next && arrivals(waiting) + timeout <= now;
        if (!full && !timed_out) continue;
        ends = now + batch_time;
        for (std::int64_t size = 0; size < max_batch && waiting < next; ++size, ++waiting)
            latencies(waiting) = ends - arrivals(waiting);
        ++p.batches;
    }
    std::vector<std::int64_t> sorted(latencies.data(), latencies.data() + n);
    const auto rank = [&](double share) {
        const auto at = sorted.begin() + (std::int64_t(std::ceil(share * double(n) / 100)) - 1);
        std::nth_element(sorted.begin(), at, sorted.end());
        return *at;
    };
    p.p50 = rank(50);
    p.p95 = rank(95);
    p.p99 = rank(99);
    p.largest = rank(100);
    p.mean = 0;
    for (const std::int64_t one : sorted) p.mean += double(one) / double(n);
    return p;
}

choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo) {
    std::vector<std::int64_t> room(std::size_t(arrivals.extent(0)));
    const std::ptrdiff_t extents[] = {arrivals.extent(0)}, strides[] = {1};
    const tensor<std::int64_t, 1> latencies(room.data(), extents, strides);
    choice best{-1, -1, -1};
    for (std::ptrdiff_t i = timeouts.extent(0); i-- > 0;) { // from the last: of equal ones the smallest stays
        const percentiles p = load_test(arrivals, max_batch, timeouts(i), batch_time, latencies);
        if (p.p99 <= slo && (best.batches < 0 || p.batches <= best.batches)) best = {timeouts(i), p.p99, p.batches};
    }
    return best;
}

generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots) {
    const std::int64_t n = lengths.extent(0);
    generation g{};
    g.tokens = g.whole_steps = g.per_step_steps = 0;
    double whole_sum = 0, per_step_sum = 0;
    for (std::int64_t i = 0; i < n; ++i) g.tokens += lengths(i);
    for (std::int64_t i = 0, longest = 0; i < n; ++i) {
        longest = std::max(longest, lengths(i));
        const bool last = (i + 1) % slots == 0 || i + 1 == n;
        if (!last) continue;
        g.whole_steps += longest;
        whole_sum += double(i % slots + 1) * double(g.whole_steps);
        longest = 0;
    }
    std::vector<std::int64_t> left; // of each running request
    std::int64_t next = 0;
    while (next < n || !left.empty()) {
        while (next < n && std::int64_t(left.size()) < slots) left.push_back(lengths(next++));
        ++g.per_step_steps;
        for (std::int64_t& one : left)
            if (--one == 0) per_step_sum += double(g.per_step_steps);
        left.erase(std::remove(left.begin(), left.end(), 0), left.end());
    }
    g.whole_mean = whole_sum / double(n);
    g.per_step_mean = per_step_sum / double(n);
    g.whole_utilisation = double(g.tokens) / double(slots) / double(g.whole_steps);
    g.per_step_utilisation = double(g.tokens) / double(slots) / double(g.per_step_steps);
    g.speedup = double(g.whole_steps) / double(g.per_step_steps);
    return g;
}

} // namespace batching
