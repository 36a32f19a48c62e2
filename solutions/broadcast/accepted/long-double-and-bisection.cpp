// Ceilings in place of floors, long double inside, the latest node of the tree by the heights of full subtrees, the
// best k by bisection on the difference of neighbours. The planner is a swarm that sends any useful chunk.
#include "contract.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace broadcast {

namespace {

using real = long double;
constexpr std::int64_t limit_of_counts = 1000000000000000LL;

bool ok(std::initializer_list<double> amounts, std::initializer_list<std::int64_t> counts) {
    for (const double x : amounts)
        if (std::isnan(x) || x < 1e-9 || x > 1e12) return false;
    for (const std::int64_t x : counts)
        if (x < 1 || x > limit_of_counts) return false;
    return true;
}

int ceil_log2(std::int64_t x) {
    int power = 0;
    while ((std::int64_t{1} << power) < x) ++power;
    return power;
}

// A heap of n nodes goes down to a last row. As long as the left subtree is not full, or the right one is as deep as
// it, the latest node is sought by comparing: a full subtree of height h ends 2h slots after its root.
std::int64_t latest(std::int64_t nodes) {
    std::int64_t slots = 0, best = 0;
    while (nodes > 1) {
        const int rows = ceil_log2(nodes + 1);                   // 2 or more
        const std::int64_t half = std::int64_t{1} << (rows - 2); // places of the left subtree in the last row
        const std::int64_t in_last = nodes - (2 * half - 1);
        if (in_last >= half) { // the left subtree is full, height rows - 2
            best = std::max(best, slots + 1 + 2 * (rows - 2));
            nodes = half - 1 + in_last - half;
            slots += nodes > 0 ? 2 : 0;
        } else { // the right one is full, height rows - 3, where there is one
            if (half > 1) best = std::max<std::int64_t>(best, slots + 2 + 2 * (rows - 3));
            nodes = half - 1 + in_last;
            slots += 1;
        }
        best = std::max(best, slots);
    }
    return best;
}

struct line {
    std::int64_t at_one, step; // slots with one chunk, and for each one more
    real slots(std::int64_t k) const {
        return static_cast<real>(at_one) + static_cast<real>(step) * static_cast<real>(k - 1);
    }
};
line chain_line(std::int64_t n) { return {n, 1}; }
line tree_line(std::int64_t n) { return {latest(n + 1), n == 1 ? 1 : 2}; }
line optimum_line(std::int64_t n) { return {ceil_log2(n + 1), 1}; }

// The least k from which one more chunk does not shorten the time.
std::int64_t least(line plan, real floor, real latency) {
    const real saved = static_cast<real>(plan.at_one - plan.step) * floor; // by T(k) - T(k + 1), times k(k + 1)
    std::int64_t low = 1, high = 1 << 20;
    while (low < high) {
        const std::int64_t k = (low + high) / 2;
        if (saved <= static_cast<real>(plan.step) * latency * static_cast<real>(k) * static_cast<real>(k + 1))
            high = k;
        else
            low = k + 1;
    }
    return low;
}

double time_of(line plan, std::int64_t k, real floor, real latency) {
    return static_cast<double>(plan.slots(k) * (latency + floor / static_cast<real>(k)));
}
double stationary(line plan, real floor, real latency) {
    return static_cast<double>(
        std::sqrt(static_cast<real>(plan.at_one - plan.step) * floor / (static_cast<real>(plan.step) * latency)));
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    const std::int64_t n = job.receivers;
    if (!ok({job.size_gb, job.link_gbps}, {n, chunks})) return {};
    const real bytes = static_cast<real>(job.size_gb) * 1e9L, link = static_cast<real>(job.link_gbps) * 1e9L / 8;
    const real floor = bytes / link, k = static_cast<real>(chunks);
    const line chain = chain_line(n), tree = tree_line(n), optimum = optimum_line(n);
    plans p;
    p.bytes = static_cast<double>(bytes);
    p.link = static_cast<double>(link);
    p.floor = static_cast<double>(floor);
    p.source_bytes = static_cast<double>(bytes * static_cast<real>(n));
    p.naive = static_cast<double>(floor * static_cast<real>(n));
    p.rounds = ceil_log2(n + 1);
    p.binomial = static_cast<double>(floor * static_cast<real>(p.rounds));
    p.slot = static_cast<double>(floor / k);
    const auto whole = [&](line plan) { return plan.at_one + plan.step * (chunks - 1); };
    p.chain_slots = whole(chain), p.chain = time_of(chain, chunks, floor, 0);
    p.tree_first = tree.at_one, p.tree_slots = whole(tree), p.tree = time_of(tree, chunks, floor, 0);
    p.optimum_slots = whole(optimum), p.optimum = time_of(optimum, chunks, floor, 0);
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    const std::int64_t n = static_cast<std::int64_t>(upload_gbps.extent(0));
    if (!ok({size_gb, source_gbps}, {n})) return {};
    real upload = source_gbps, download = std::numeric_limits<real>::infinity();
    for (int i = 0; i < n; ++i) {
        const double up = upload_gbps(i);
        if (!ok({download_gbps(i)}, {}) || !(up >= 0 && up <= 1e12)) return {};
        upload += up;
        download = std::fmin(download, static_cast<real>(download_gbps(i)));
    }
    const real gigabits = static_cast<real>(size_gb) * 8;
    swarm s;
    s.t_source = static_cast<double>(gigabits / source_gbps);
    s.t_download = static_cast<double>(gigabits / download);
    s.t_upload = static_cast<double>(gigabits * static_cast<real>(n) / upload);
    s.t_bound = std::fmax(s.t_source, std::fmax(s.t_download, s.t_upload));
    if (s.t_bound == s.t_source)
        s.binds = limit::source;
    else
        s.binds = s.t_bound == s.t_download ? limit::download : limit::upload;
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    const std::int64_t n = job.receivers;
    if (!ok({job.size_gb, job.link_gbps}, {n}) || !(latency_ms >= 1e-6 && latency_ms <= 1e9)) return {};
    const real floor = static_cast<real>(job.size_gb) * 8 / job.link_gbps,
               latency = static_cast<real>(latency_ms) / 1000;
    const line chain = chain_line(n), tree = tree_line(n), optimum = optimum_line(n);
    best b;
    b.floor = static_cast<double>(floor), b.latency = static_cast<double>(latency);
    b.chain_real = stationary(chain, floor, latency), b.chain_chunks = least(chain, floor, latency);
    b.chain = time_of(chain, b.chain_chunks, floor, latency);
    b.tree_real = stationary(tree, floor, latency), b.tree_chunks = least(tree, floor, latency);
    b.tree = time_of(tree, b.tree_chunks, floor, latency);
    b.optimum_real = stationary(optimum, floor, latency), b.optimum_chunks = least(optimum, floor, latency);
    b.optimum = time_of(optimum, b.optimum_chunks, floor, latency);
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    const real over = site.oversubscription;
    if (!ok({size_gb, link_gbps}, {site.racks, site.workers, chunks}) || site.racks > 10000000 ||
        site.workers > 10000000 || !(over >= real(0.001) && over <= 1000))
        return {};
    const real file = static_cast<real>(size_gb) * 1e9L, link = static_cast<real>(link_gbps) * 1e9L / 8;
    const real k = static_cast<real>(chunks), racks = static_cast<real>(site.racks),
               workers = static_cast<real>(site.workers), uplink = workers * link / over;
    // A chain of hops: the first chunk takes all of them in turn, each later one the slowest.
    const auto first = [&](real crossings, real crossing) {
        return crossings * crossing + (racks * workers - crossings) * file / k / link;
    };
    const bool one = site.racks == 1;
    const real aware_rate = std::fmin(link, uplink), blind_rate = one ? aware_rate : std::fmin(link, uplink / workers);
    const real aware_hop = file / k / aware_rate, blind_hop = file / k / blind_rate;
    rack_times t;
    t.uplink = static_cast<double>(uplink);
    t.local_hop = static_cast<double>(file / k / link);
    t.aware_bytes = static_cast<double>(file);
    t.aware_rate = static_cast<double>(aware_rate);
    t.aware_hop = static_cast<double>(aware_hop);
    t.aware_first = static_cast<double>(first(racks, aware_hop));
    t.aware = static_cast<double>(first(racks, aware_hop) + (k - 1) * aware_hop);
    t.blind_bytes = static_cast<double>(one ? file : workers * file);
    t.blind_rate = static_cast<double>(blind_rate);
    t.blind_hop = static_cast<double>(blind_hop);
    t.blind = static_cast<double>(first(one ? 1 : racks * workers, blind_hop) + (k - 1) * blind_hop);
    t.slowdown = t.blind / t.aware;
    return t;
}

namespace {

/// A swarm that plans next to nothing. The source sends what it never sent before, as long as there is such a chunk;
/// receivers in random order ask nodes in random order for any chunk they lack.
class random_useful final : public planner {
  public:
    explicit random_useful(network where)
        : nodes_(static_cast<int>(where.receivers) + 1), chunks_(static_cast<int>(where.chunks)),
          width_(static_cast<int>(where.rack_size)), uplink_(where.uplink),
          sets_(static_cast<std::size_t>(nodes_ + nodes_), set(static_cast<std::size_t>(chunks_ + 63) / 64, 0)),
          state_(static_cast<std::size_t>(nodes_), 0) {
        for (int chunk = 0; chunk < chunks_; ++chunk) add(0, chunk);
    }

    void restore(tensor<const std::int32_t, 2> disk) {
        for (int node = 1; node < nodes_; ++node)
            for (int chunk = 0; chunk < chunks_; ++chunk)
                if (disk(static_cast<std::size_t>(node), static_cast<std::size_t>(chunk)) == verified) add(node, chunk);
    }

    void next(std::int64_t, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
              list<send>& sends) override {
        std::set<std::int64_t> bad;
        for (std::size_t i = 0; i < static_cast<std::size_t>(failed.extent(0)); ++i) bad.insert(failed(i));
        for (std::size_t i = 0; i < pending_.size(); ++i)
            if (bad.count(static_cast<std::int64_t>(i)) == 0)
                add(static_cast<int>(pending_[i].to), static_cast<int>(pending_[i].chunk));
        for (std::size_t i = 0; i < static_cast<std::size_t>(died.extent(0)); ++i)
            state_[static_cast<std::size_t>(died(i))] = dead;
        pending_.clear();
        for (char& one : state_)
            if (one != dead) one = idle;
        crossed_.clear();
        std::vector<int> givers = shuffled(), takers = shuffled();
        givers.erase(std::find(givers.begin(), givers.end(), 0));
        takers.erase(std::find(takers.begin(), takers.end(), 0));
        if (seed(takers.back()))
            takers.pop_back();
        else
            givers.push_back(0);
        for (const int to : takers) {
            for (std::size_t i = 0; i < givers.size(); ++i) {
                const int chunk = ask(givers[i], to);
                if (chunk < 0) continue;
                pending_.push_back({givers[i], to, chunk});
                givers[i] = givers.back();
                givers.pop_back();
                break;
            }
            if (!givers.empty()) std::swap(givers[0], givers[draw(givers.size())]);
        }
        for (const send& one : pending_) sends.push(one);
    }

  private:
    using set = std::vector<std::uint64_t>;
    enum : char { idle, dead };
    const int nodes_, chunks_, width_;
    const std::int64_t uplink_;
    std::vector<set> sets_; // what each node has, then what each rack has or is getting
    std::vector<char> state_;
    std::vector<send> pending_;
    std::map<std::pair<int, bool>, std::int64_t> crossed_; // rack, inwards
    int unsent_ = 0;                                       // chunks below it left the source before
    std::mt19937_64 random_{5};

    std::size_t draw(std::size_t below) { return random_() % below; }
    int rack(int node) const { return node == 0 ? -1 : (node - 1) / width_; }
    set& of(int node) { return sets_[static_cast<std::size_t>(node)]; }
    set& of_rack(int node) { return sets_[static_cast<std::size_t>(nodes_ + rack(node))]; }
    static void put(set& into, int chunk) {
        into[static_cast<std::size_t>(chunk) / 64] |= std::uint64_t{1} << chunk % 64;
    }
    void add(int node, int chunk) {
        put(of(node), chunk);
        if (width_ > 0 && node > 0) put(of_rack(node), chunk);
    }

    std::vector<int> shuffled() {
        std::vector<int> all;
        for (int node = 0; node < nodes_; ++node)
            if (state_[static_cast<std::size_t>(node)] != dead) all.push_back(node);
        for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[draw(i)]);
        return all;
    }

    bool seed(int to) {
        while (unsent_ < chunks_ && ((of(to)[static_cast<std::size_t>(unsent_) / 64] >> unsent_ % 64) & 1) != 0)
            ++unsent_;
        if (unsent_ == chunks_) return false;
        pending_.push_back({0, to, unsent_});
        if (width_ > 0) ++crossed_[{rack(to), true}], put(of_rack(to), unsent_);
        ++unsent_;
        return true;
    }

    /// A random chunk that `from` has and `to` may get from it; -1 where there is none.
    int ask(int from, int to) {
        if (from == to) return -1;
        const bool crosses = width_ > 0 && rack(from) != rack(to);
        if (crosses &&
            (crossed_[{rack(to), true}] == uplink_ || (from > 0 && crossed_[{rack(from), false}] == uplink_)))
            return -1;
        const set &has = of(from), &got = of(to);
        const auto useful_in = [&](std::size_t w) {
            return has[w] & ~got[w] & (crosses ? ~of_rack(to)[w] : ~std::uint64_t{0});
        };
        const std::size_t words = has.size();
        std::size_t some = 0;
        while (some < words && useful_in(some) == 0) ++some;
        if (some == words) return -1; // most often, towards the end
        const std::size_t start = draw(words);
        for (std::size_t i = 0; i < words; ++i) {
            const std::size_t w = (start + i) % words;
            const std::uint64_t useful = useful_in(w);
            if (useful == 0) continue;
            const int turn = static_cast<int>(draw(64));
            const int chunk = static_cast<int>(w) * 64 + (std::countr_zero(std::rotr(useful, turn)) + turn) % 64;
            if (!crosses) return chunk;
            ++crossed_[{rack(to), true}];
            if (from > 0) ++crossed_[{rack(from), false}];
            put(of_rack(to), chunk);
            return chunk;
        }
        return -1;
    }
};

} // namespace

planner* make_planner(network where) { return new random_useful(where); }
planner* resume_planner(network where, tensor<const std::int32_t, 2> disk) {
    auto* swarm = new random_useful(where);
    swarm->restore(disk);
    return swarm;
}

} // namespace broadcast
