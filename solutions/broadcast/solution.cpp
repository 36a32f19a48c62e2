// The model answer: every pipelined plan is pace·k + extra slots, and levels 1 to 3 use that. Levels 4 and 5 are one
// planner, rarest chunk first.
#include "contract.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <numeric>
#include <vector>

namespace broadcast {

namespace {

constexpr std::int64_t most_count = 1'000'000'000'000'000;

bool within(double x, double low, double high) { return x >= low && x <= high; } // false for NaN
bool within(std::int64_t x, std::int64_t low, std::int64_t high) { return x >= low && x <= high; }
bool quantity(double x) { return within(x, 1e-9, 1e12); }

double bytes_of(double gigabytes) { return gigabytes * 1e9; }
double rate_of(double gigabits) { return gigabits * 1e9 / 8; }
std::int64_t log2_floor(std::int64_t x) { return std::bit_width(static_cast<std::uint64_t>(x)) - 1; }

struct pipeline {
    std::int64_t pace, extra; // k chunks take pace·k + extra slots
};

pipeline chain_of(std::int64_t n) { return {1, n - 1}; }
pipeline optimum_of(std::int64_t n) { return {1, log2_floor(n)}; }

// Node v of the heap has the first chunk after floor(log2 v) + (ones of v) - 1 slots. The latest node is the one all to
// the right in the last full row, or one of the row below with the most ones.
pipeline tree_of(std::int64_t n) {
    if (n == 1) return {1, 0};
    const std::int64_t d = log2_floor(n + 1), in_last_row = n + 2 - (std::int64_t{1} << d);
    const std::int64_t first = std::max(2 * (d - 1), d + log2_floor(in_last_row));
    return {2, first - 2};
}

struct choice {
    double real;
    std::int64_t chunks;
    double time;
};

// pace·latency·k + extra·floor/k is least at the first k with k(k + 1) >= real².
choice best_of(pipeline plan, double floor, double latency) {
    const auto pace = static_cast<double>(plan.pace), extra = static_cast<double>(plan.extra);
    const double square = extra * floor / (pace * latency), real = std::sqrt(square);
    double k = std::max(1.0, std::floor(real));
    while (k * (k + 1) < square) ++k;
    return {real, static_cast<std::int64_t>(k), (pace * k + extra) * (latency + floor / k)};
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    const std::int64_t n = job.receivers;
    if (!quantity(job.size_gb) || !quantity(job.link_gbps) || !within(n, 1, most_count) ||
        !within(chunks, 1, most_count))
        return {};
    plans p;
    p.bytes = bytes_of(job.size_gb);
    p.link = rate_of(job.link_gbps);
    p.floor = p.bytes / p.link;
    p.source_bytes = p.bytes * static_cast<double>(n);
    p.naive = p.source_bytes / p.link;
    p.rounds = log2_floor(n) + 1; // = ceil(log2(n + 1))
    p.binomial = static_cast<double>(p.rounds) * p.floor;
    p.slot = p.floor / static_cast<double>(chunks);
    const auto slots = [&](pipeline plan) { return plan.pace * chunks + plan.extra; };
    const auto time = [&](std::int64_t count) { return static_cast<double>(count) * p.slot; };
    p.chain_slots = slots(chain_of(n));
    p.chain = time(p.chain_slots);
    p.tree_first = tree_of(n).pace + tree_of(n).extra;
    p.tree_slots = slots(tree_of(n));
    p.tree = time(p.tree_slots);
    p.optimum_slots = slots(optimum_of(n));
    p.optimum = time(p.optimum_slots);
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    const auto n = upload_gbps.extent(0);
    if (!quantity(size_gb) || !quantity(source_gbps) || n == 0) return {};
    double upload = source_gbps, slowest = 1e12;
    for (decltype(upload_gbps.extent(0)) i = 0; i < n; ++i) {
        if (!within(upload_gbps(i), 0.0, 1e12) || !quantity(download_gbps(i))) return {};
        upload += upload_gbps(i);
        slowest = std::min(slowest, download_gbps(i));
    }
    swarm s;
    const double bytes = bytes_of(size_gb);
    s.t_source = bytes / rate_of(source_gbps);
    s.t_download = bytes / rate_of(slowest);
    s.t_upload = static_cast<double>(n) * bytes / rate_of(upload);
    s.t_bound = std::max({s.t_source, s.t_download, s.t_upload});
    s.binds = s.t_bound == s.t_source ? limit::source : s.t_bound == s.t_download ? limit::download : limit::upload;
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    if (!quantity(job.size_gb) || !quantity(job.link_gbps) || !within(job.receivers, 1, most_count) ||
        !within(latency_ms, 1e-6, 1e9))
        return {};
    best b;
    b.floor = bytes_of(job.size_gb) / rate_of(job.link_gbps);
    b.latency = latency_ms / 1000;
    const choice chain = best_of(chain_of(job.receivers), b.floor, b.latency);
    const choice tree = best_of(tree_of(job.receivers), b.floor, b.latency);
    const choice optimum = best_of(optimum_of(job.receivers), b.floor, b.latency);
    b.chain_real = chain.real, b.chain_chunks = chain.chunks, b.chain = chain.time;
    b.tree_real = tree.real, b.tree_chunks = tree.chunks, b.tree = tree.time;
    b.optimum_real = optimum.real, b.optimum_chunks = optimum.chunks, b.optimum = optimum.time;
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    if (!quantity(size_gb) || !quantity(link_gbps) || !within(site.racks, 1, 10'000'000) ||
        !within(site.workers, 1, 10'000'000) || !within(site.oversubscription, 0.001, 1000.0) ||
        !within(chunks, 1, most_count))
        return {};
    const auto racks = static_cast<double>(site.racks), workers = static_cast<double>(site.workers);
    const auto k = static_cast<double>(chunks);
    const double n = racks * workers, bytes = bytes_of(size_gb), chunk = bytes / k, link = rate_of(link_gbps);
    rack_times t;
    t.uplink = workers * link / site.oversubscription;
    t.local_hop = chunk / link;

    t.aware_bytes = bytes;
    t.aware_rate = std::min(link, t.uplink);
    t.aware_hop = chunk / t.aware_rate;
    t.aware_first = racks * t.aware_hop + (n - racks) * t.local_hop;
    t.aware = t.aware_first + (k - 1) * t.aware_hop; // no hop is slower than a crossing

    const bool alternates = site.racks > 1;
    const double streams = alternates ? workers : 1;
    t.blind_bytes = bytes * streams;
    t.blind_rate = std::min(link, t.uplink / streams);
    t.blind_hop = chunk / t.blind_rate;
    t.blind = alternates ? (k + n - 1) * t.blind_hop : t.aware;
    t.slowdown = t.blind / t.aware;
    return t;
}

namespace {

using chunk_set = std::bitset<2000>;

/// Rarest first. In each slot every node that has something looks for a free receiver that lacks some of it, and sends
/// the chunk of which there are the fewest copies. Whom it tries first is drawn, so that no two nodes come to have the
/// same and have nothing to offer one another.
class rarest_first final : public planner {
  public:
    rarest_first(network where) : net_(where) {
        held_.resize(nodes());
        copies_.assign(chunks(), 0);
        lacks_.assign(nodes(), where.chunks);
        dead_.assign(nodes(), false);
        if (where.rack_size > 0) in_rack_.resize(nodes() / width() + 1);
        for (std::size_t c = 0; c < chunks(); ++c) hold(0, c);
    }
    rarest_first(network where, tensor<const std::int32_t, 2> disk) : rarest_first(where) {
        for (std::size_t n = 1; n < nodes(); ++n)
            for (std::size_t c = 0; c < chunks(); ++c)
                if (disk(n, c) == verified) hold(n, c);
    }

    void next(std::int64_t, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
              list<send>& sends) override {
        settle(failed, died);
        rank_chunks();
        free_.clear();
        std::vector<std::size_t> senders{0}; // first, for it alone has what nobody else has
        for (std::size_t n = 1; n < nodes(); ++n) {
            if (dead_[n]) continue;
            if (lacks_[n] > 0) free_.push_back(n);
            if (lacks_[n] < net_.chunks) senders.push_back(n);
        }
        for (std::size_t i = senders.size(); i > 2; --i) std::swap(senders[i - 1], senders[1 + draw(i - 1)]);
        for (std::size_t i = free_.size(); i > 1; --i) std::swap(free_[i - 1], free_[draw(i)]);
        entered_.assign(nodes(), 0);
        left_.assign(nodes(), 0);
        for (const std::size_t from : senders) serve(from);
        for (const send& one : last_) sends.push(one);
    }

  private:
    network net_;
    std::vector<chunk_set> held_;              // by node
    std::vector<chunk_set> in_rack_;           // by rack: there, or on the way
    std::vector<std::int64_t> copies_;         // by chunk, on nodes that live
    std::vector<std::int64_t> lacks_;          // by node
    std::vector<bool> dead_;                   // by node
    std::vector<std::int64_t> entered_, left_; // by rack, in this slot
    std::vector<std::size_t> rarest_;          // chunks, fewest copies first
    std::vector<std::size_t> free_;            // nodes that may still receive in this slot
    std::vector<send> last_;                   // what was sent in the latest slot
    std::uint64_t state_ = 1;

    std::size_t nodes() const { return static_cast<std::size_t>(net_.receivers + 1); }
    std::size_t chunks() const { return static_cast<std::size_t>(net_.chunks); }
    std::size_t width() const { return static_cast<std::size_t>(net_.rack_size); }
    std::size_t draw(std::size_t below) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state_ >> 33) % below;
    }

    void hold(std::size_t node, std::size_t chunk) {
        held_[node][chunk] = true;
        ++copies_[chunk];
        --lacks_[node];
    }

    /// What has become of the slot before: a chunk counts only now that nothing is told against it.
    void settle(tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died) {
        for (std::size_t i = 0, bad = 0; i < last_.size(); ++i) {
            if (bad < static_cast<std::size_t>(failed.extent(0)) && static_cast<std::size_t>(failed(bad)) == i)
                ++bad;
            else
                hold(static_cast<std::size_t>(last_[i].to), static_cast<std::size_t>(last_[i].chunk));
        }
        last_.clear();
        for (std::size_t i = 0; i < static_cast<std::size_t>(died.extent(0)); ++i) {
            const auto node = static_cast<std::size_t>(died(i));
            dead_[node] = true;
            for (std::size_t c = 0; c < chunks(); ++c) copies_[c] -= held_[node][c] ? 1 : 0;
        }
    }

    void rank_chunks() {
        rarest_.resize(chunks());
        std::iota(rarest_.begin(), rarest_.end(), std::size_t{0});
        std::stable_sort(rarest_.begin(), rarest_.end(),
                         [&](std::size_t a, std::size_t b) { return copies_[a] < copies_[b]; });
    }

    void serve(std::size_t from) {
        for (std::size_t at = free_.size(); at-- > 0;) {
            const std::size_t to = free_[at];
            const std::size_t chunk = to == from ? chunks() : rarest_for(from, to);
            if (chunk == chunks()) continue;
            if (crosses(from, to)) {
                ++entered_[rack(to)];
                if (from > 0) ++left_[rack(from)];
                in_rack_[rack(to)][chunk] = true;
            }
            last_.push_back(
                {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), static_cast<std::int64_t>(chunk)});
            free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(at));
            return;
        }
    }

    std::size_t rack(std::size_t node) const { return (node - 1) / width(); }
    bool crosses(std::size_t from, std::size_t to) const {
        return width() > 0 && (from == 0 || rack(from) != rack(to));
    }

    /// The rarest chunk that may go from one to the other; chunks() where there is none.
    std::size_t rarest_for(std::size_t from, std::size_t to) const {
        chunk_set offers = held_[from] & ~held_[to];
        if (crosses(from, to)) {
            if (entered_[rack(to)] == net_.uplink || (from > 0 && left_[rack(from)] == net_.uplink)) return chunks();
            offers &= ~in_rack_[rack(to)];
        }
        if (offers.none()) return chunks(); // as most pairs find: the search below is long
        return *std::find_if(rarest_.begin(), rarest_.end(), [&](std::size_t c) { return offers[c]; });
    }
};

} // namespace

planner* make_planner(network where) { return new rarest_first(where); }

planner* resume_planner(network where, tensor<const std::int32_t, 2> disk) { return new rarest_first(where, disk); }

} // namespace broadcast
