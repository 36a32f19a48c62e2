// Alarms are set and never cleared: one that goes off too early finds nothing due. Failed batches are taken apart
// breadth first. Level 3 plays this very batcher on an event loop of its own.
#include "contract.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace batching {

namespace {

struct ticket {
    std::int64_t request = 0, length = 1, deadline = 0;
};

class lazy_batcher : public batcher {
  public:
    explicit lazy_batcher(settings s) : s_(s) {}

    decision on_arrival(std::int64_t now, std::int64_t request, std::int64_t length,
                        list<std::int64_t>& batch) override {
        decision d;
        if (end_ - begin_ == s_.queue) {
            d.reject = true;
            return d;
        }
        ring_[end_++] = {request, length, now + s_.timeout};
        if (!busy_) act(now, false, d, batch);
        return d;
    }

    decision on_completion(std::int64_t now, ending how, list<answer>& answers, list<std::int64_t>& given_up,
                           list<std::int64_t>& batch) override {
        std::vector<ticket> back;
        back.swap(flight_);
        busy_ = false;
        if (how == ending::done) {
            std::int64_t row = std::int64_t(back.size());
            while (row-- > 0) answers.push({row, back[std::size_t(row)].request}); // the order of answers is free
        } else if (how == ending::accelerator_lost) {
            again_.push_back(back);
        } else if (back.size() > 1) {
            std::vector<ticket> rest(back.begin() + std::ptrdiff_t(back.size() / 2), back.end());
            back.resize(back.size() / 2);
            again_.push_back(rest);
            again_.push_back(back);
        } else {
            given_up.push(back.front().request);
        }
        decision d;
        act(now, false, d, batch);
        return d;
    }

    decision on_timer(std::int64_t now, list<std::int64_t>& batch) override {
        decision d;
        if (!busy_) act(now, true, d, batch);
        return d;
    }

  private:
    settings s_;
    std::map<std::int64_t, ticket> ring_; // by number of arrival, those in [begin_, end_)
    std::int64_t begin_ = 0, end_ = 0;
    std::vector<std::vector<ticket>> again_;
    std::vector<ticket> flight_;
    bool busy_ = false;

    void act(std::int64_t now, bool alarm, decision& d, list<std::int64_t>& batch) {
        if (!again_.empty()) {
            flight_ = again_.front();
            again_.erase(again_.begin());
        } else if (begin_ < end_) {
            std::int64_t end = begin_, longest = 0;
            for (; end < end_ && end - begin_ < s_.max_batch; ++end) {
                longest = std::max(longest, ring_[end].length);
                if (longest * (end - begin_ + 1) > s_.token_budget) break;
            }
            const bool full = end < end_ || end - begin_ == s_.max_batch;
            const std::int64_t deadline = ring_[begin_].deadline;
            if (!full && !(alarm && deadline <= now)) {
                d.wake = deadline;
                return;
            }
            for (; begin_ < end; ++begin_) {
                flight_.push_back(ring_[begin_]);
                ring_.erase(begin_);
            }
        } else {
            return;
        }
        for (const ticket& one : flight_) batch.push(one.request);
        busy_ = d.fire = true;
    }
};

template <class T> struct gathered final : list<T> {
    std::vector<T> items;
    void push(const T& item) override { items.push_back(item); }
    long size() const override { return long(items.size()); }
};

std::pair<std::vector<std::int64_t>, std::int64_t> played(tensor<const std::int64_t, 1> arrivals, settings s,
                                                          std::int64_t batch_time) {
    lazy_batcher batcher(s);
    std::vector<std::int64_t> latencies(std::size_t(arrivals.extent(0)));
    std::int64_t batches = 0, alarm = never;
    std::set<std::tuple<std::int64_t, int, std::int64_t>> events; // time; completion, arrival, alarm; which
    for (std::ptrdiff_t i = 0; i < arrivals.extent(0); ++i) events.insert({arrivals(i), 1, i});
    while (!events.empty()) {
        const auto [now, kind, which] = *events.begin();
        events.erase(events.begin());
        gathered<std::int64_t> batch, given_up;
        gathered<answer> answers;
        decision d;
        if (kind == 0) d = batcher.on_completion(now, ending::done, answers, given_up, batch);
        if (kind == 1) d = batcher.on_arrival(now, which, 1, batch);
        if (kind == 2) {
            alarm = never;
            d = batcher.on_timer(now, batch);
        }
        for (const answer& one : answers.items)
            latencies[std::size_t(one.request)] = now - arrivals(std::ptrdiff_t(one.request));
        if (d.fire) {
            ++batches;
            events.insert({now + batch_time, 0, 0});
        }
        if (d.wake == keep) continue;
        events.erase({alarm, 2, 0});
        alarm = std::max(now, d.wake);
        events.insert({alarm, 2, 0});
    }
    return {latencies, batches};
}

std::int64_t ranked(std::multiset<std::int64_t> all, std::int64_t hundredths) {
    // The smallest of which at least that share does not exceed it.
    std::int64_t seen = 0;
    for (const std::int64_t one : all)
        if (100 * ++seen >= hundredths * std::int64_t(all.size())) return one;
    return 0;
}

settings unbounded(std::int64_t max_batch, std::int64_t timeout) {
    return {max_batch, timeout, std::int64_t{1} << 40, max_batch};
}

} // namespace

capacity plan(service s) {
    const std::int64_t values[] = {s.batch, s.batch_time, s.wait, s.rate, s.memory, s.weights, s.request_bytes};
    const std::int64_t least[] = {1, 1, 0, 0, 0, 0, 1};
    const std::int64_t most[] = {1000000000,       3600000000000,    1000000000000000, 1000000,
                                 1000000000000000, 1000000000000000, 1000000000000000};
    for (int i = 0; i < 7; ++i)
        if (values[i] < least[i] || values[i] > most[i]) return {};
    const std::int64_t served = s.batch * 1000000000, asked = s.rate * s.batch_time;
    const std::int64_t replicas = asked / served + 1;
    const std::int64_t fit = s.memory > s.weights ? (s.memory - s.weights) / s.request_bytes : 0;
    return {double(served) / double(s.batch_time),
            double(s.wait + s.batch_time) / 1e9,
            replicas,
            double(asked) / double(served) / double(replicas),
            fit,
            double(fit) / (double(s.batch_time) / 1e9)};
}

batcher* make_batcher(settings s) {
    s.token_budget = never;
    return new lazy_batcher(s);
}
batcher* make_resilient_batcher(settings s) { return new lazy_batcher(s); }

percentiles load_test(tensor<const std::int64_t, 1> arrivals, std::int64_t max_batch, std::int64_t timeout,
                      std::int64_t batch_time, tensor<std::int64_t, 1> latencies) {
    const auto [all, batches] = played(arrivals, unbounded(max_batch, timeout), batch_time);
    const std::multiset<std::int64_t> sorted(all.begin(), all.end());
    long double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        latencies(std::ptrdiff_t(i)) = all[i];
        sum += all[i];
    }
    return {ranked(sorted, 50), ranked(sorted, 95),       ranked(sorted, 99),
            *sorted.rbegin(),   double(sum / all.size()), batches};
}

choice best_timeout(tensor<const std::int64_t, 1> arrivals, tensor<const std::int64_t, 1> timeouts,
                    std::int64_t max_batch, std::int64_t batch_time, std::int64_t slo) {
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> good; // batches, timeout, p99
    for (std::ptrdiff_t i = 0; i < timeouts.extent(0); ++i) {
        const auto [all, batches] = played(arrivals, unbounded(max_batch, timeouts(i)), batch_time);
        const std::int64_t p99 = ranked({all.begin(), all.end()}, 99);
        if (p99 <= slo) good.insert({batches, timeouts(i), p99});
    }
    if (good.empty()) return {-1, -1, -1};
    const auto [batches, timeout, p99] = *good.begin();
    return {timeout, p99, batches};
}

generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots) {
    std::multiset<std::int64_t> busy_until;
    std::int64_t tokens = 0, whole = 0, last = 0, whole_sum = 0, sum = 0, in_batch = 0, longest = 0;
    for (std::ptrdiff_t i = 0; i < lengths.extent(0); ++i) {
        tokens += lengths(i);
        if (in_batch == slots) {
            whole += longest;
            whole_sum += whole * in_batch;
            in_batch = longest = 0;
        }
        ++in_batch;
        longest = std::max(longest, lengths(i));
        std::int64_t start = 0;
        if (std::int64_t(busy_until.size()) == slots) {
            start = *busy_until.begin();
            busy_until.erase(busy_until.begin());
        }
        busy_until.insert(start + lengths(i));
        last = std::max(last, start + lengths(i));
        sum += start + lengths(i);
    }
    whole += longest;
    whole_sum += whole * in_batch;
    const double n = double(lengths.extent(0)), t = double(tokens), w = double(slots);
    return {tokens,
            whole,
            t / (w * double(whole)),
            double(whole_sum) / n,
            last,
            t / (w * double(last)),
            double(sum) / n,
            double(whole) / double(last)};
}

} // namespace batching
