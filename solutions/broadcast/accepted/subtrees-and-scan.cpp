// The tree by recursion on its subtrees, rounds by doubling, the best k by trying all of them, racks hop by hop in
// groups. The planner has two trees, for even and odd chunks.
#include "contract.hpp"

#include <algorithm>
#include <bitset>
#include <vector>

namespace broadcast {

namespace {

using count = std::int64_t;

bool bad(double x) { return !(x >= 1e-9) || !(x <= 1e12); }
bool bad(count n) { return n < 1 || n > 1000000000000000; }

// Rounds in which whole copies spread: each node that has one makes another.
count rounds_for(count receivers) {
    count rounds = 0;
    for (count have = 1; have < receivers + 1; have *= 2) ++rounds;
    return rounds;
}

// Slots until the last node of a heap of n has the first chunk: a slot to the left child, two to the right.
count first_chunk(count n) {
    if ((n & (n + 1)) == 0) return n <= 1 ? 0 : 2 + first_chunk(n / 2); // full: to the right all the way
    if (n == 2) return 1;
    count full = 1; // nodes of a full tree of the heap's rows without the last
    while (2 * full + 1 < n) full = 2 * full + 1;
    const count last_row = n - full, half = (full + 1) / 2;
    const count left = (full - 1) / 2 + (last_row < half ? last_row : half), right = n - 1 - left;
    const count a = 1 + first_chunk(left), b = 2 + first_chunk(right);
    return a > b ? a : b;
}

count chain_slots(count n, count k) { return n + k - 1; }
count tree_slots(count n, count k) { return n == 1 ? k : first_chunk(n + 1) + 2 * (k - 1); }
count optimum_slots(count n, count k) { return k - 1 + rounds_for(n); }

struct found {
    count k;
    double time;
};

found scan(count (*slots)(count, count), count n, double floor, double latency) {
    const count extra = slots(n, 1); // slots(n, k) is linear in k
    const count pace = slots(n, 2) - extra;
    found best{1, static_cast<double>(extra) * (latency + floor)};
    for (count k = 2; k <= 100002; ++k) {
        const double time = static_cast<double>(extra + pace * (k - 1)) * (latency + floor / static_cast<double>(k));
        if (time < best.time) best = {k, time};
    }
    return best;
}

double real_of(count (*slots)(count, count), count n, double floor, double latency) {
    const double first = static_cast<double>(slots(n, 1)), pace = static_cast<double>(slots(n, 2)) - first;
    return __builtin_sqrt((first - pace) / pace * (floor / latency));
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    const count n = job.receivers;
    if (bad(job.size_gb) || bad(job.link_gbps) || bad(n) || bad(chunks)) return {};
    plans p;
    p.bytes = 1e9 * job.size_gb;
    p.link = 1.25e8 * job.link_gbps;
    p.floor = p.bytes / p.link;
    p.source_bytes = static_cast<double>(n) * p.bytes;
    p.naive = static_cast<double>(n) * p.floor;
    p.rounds = rounds_for(n);
    p.binomial = p.floor * static_cast<double>(p.rounds);
    const double k = static_cast<double>(chunks);
    p.slot = p.bytes / k / p.link;
    p.chain_slots = chain_slots(n, chunks);
    p.chain = p.floor * static_cast<double>(p.chain_slots) / k;
    p.tree_first = first_chunk(n + 1);
    p.tree_slots = tree_slots(n, chunks);
    p.tree = p.floor * static_cast<double>(p.tree_slots) / k;
    p.optimum_slots = optimum_slots(n, chunks);
    p.optimum = p.floor * static_cast<double>(p.optimum_slots) / k;
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    const int n = static_cast<int>(upload_gbps.extent(0));
    if (bad(size_gb) || bad(source_gbps) || n == 0) return {};
    const double gigabits = 8 * size_gb;
    double uploads = 0, t_download = 0;
    for (int i = 0; i < n; ++i) {
        const double up = upload_gbps(i), down = download_gbps(i);
        if (!(up >= 0) || up > 1e12 || bad(down)) return {};
        uploads += up;
        if (gigabits / down > t_download) t_download = gigabits / down;
    }
    swarm s{gigabits / source_gbps, t_download, gigabits * n / (source_gbps + uploads), 0, limit::source};
    s.t_bound = s.t_source;
    if (s.t_download > s.t_bound) s.t_bound = s.t_download, s.binds = limit::download;
    if (s.t_upload > s.t_bound) s.t_bound = s.t_upload, s.binds = limit::upload;
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    const count n = job.receivers;
    if (bad(job.size_gb) || bad(job.link_gbps) || bad(n) || !(latency_ms >= 1e-6) || latency_ms > 1e9) return {};
    best b;
    b.floor = job.size_gb * 8 / job.link_gbps;
    b.latency = latency_ms / 1e3;
    b.chain_real = real_of(chain_slots, n, b.floor, b.latency);
    b.tree_real = real_of(tree_slots, n, b.floor, b.latency);
    b.optimum_real = real_of(optimum_slots, n, b.floor, b.latency);
    const found chain = scan(chain_slots, n, b.floor, b.latency), tree = scan(tree_slots, n, b.floor, b.latency),
                optimum = scan(optimum_slots, n, b.floor, b.latency);
    b.chain_chunks = chain.k;
    b.chain = chain.time;
    b.tree_chunks = tree.k;
    b.tree = tree.time;
    b.optimum_chunks = optimum.k;
    b.optimum = optimum.time;
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    const double o = site.oversubscription;
    if (bad(size_gb) || bad(link_gbps) || bad(chunks) || site.racks < 1 || site.racks > 10000000 || site.workers < 1 ||
        site.workers > 10000000 || !(o >= 0.001 && o <= 1000))
        return {};
    const double bytes = size_gb * 1e9, link = link_gbps * 1.25e8, k = static_cast<double>(chunks);
    const double R = static_cast<double>(site.racks), W = static_cast<double>(site.workers);
    rack_times t;
    t.uplink = link / o * W;
    t.local_hop = bytes / link / k;
    t.aware_bytes = bytes;
    t.aware_rate = t.uplink > link ? link : t.uplink;
    t.aware_hop = bytes / t.aware_rate / k;
    // Each rack is one crossing and workers - 1 hops inside.
    t.aware_first = R * (t.aware_hop + (W - 1) * t.local_hop);
    t.aware = t.aware_first + t.aware_hop * (k - 1);
    if (site.racks == 1) {
        t.blind_bytes = t.aware_bytes;
        t.blind_rate = t.aware_rate;
        t.blind_hop = t.aware_hop;
        t.blind = t.aware;
        t.slowdown = 1;
        return t;
    }
    t.blind_bytes = bytes * W;
    t.blind_rate = o > 1 ? link / o : link; // uplink / workers is link / o
    t.blind_hop = bytes / t.blind_rate / k;
    t.blind = t.blind_hop * (R * W) + t.blind_hop * (k - 1);
    t.slowdown = t.blind / t.aware;
    return t;
}

namespace {

/// Two trees over all nodes, one for the even chunks and one for the odd, so that who is a leaf in one is not in the
/// other. Each node pushes down its trees first; links that stay idle then go where they can. Among racks the trees are
/// left out: each rack in turn is given what it lacks, and passes it down a chain that begins where the chunk came in.
class two_trees final : public planner {
  public:
    explicit two_trees(network where) : net_(where) {
        have_.resize(count(where.receivers + 1));
        for (std::size_t chunk = 0; chunk < count(where.chunks); ++chunk) have_[0][chunk] = true;
        for (std::size_t chunk = 1; chunk < odd_.size(); chunk += 2) odd_[chunk] = true;
        copies_.assign(count(where.chunks), 1);
        gone_.assign(have_.size(), 0);
        if (where.rack_size > 0) in_rack_.assign(rack(have_.size() - 1) + 1, have_[1]);
    }
    two_trees(network where, tensor<const std::int32_t, 2> disk) : two_trees(where) {
        for (std::size_t node = 1; node < have_.size(); ++node)
            for (std::size_t chunk = 0; chunk < copies_.size(); ++chunk)
                if (disk(node, chunk) == verified) take(node, chunk);
    }

    void next(std::int64_t slot, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
              list<send>& sends) override {
        std::vector<char> good(latest_.size(), 1);
        for (std::size_t i = 0; i < count(failed.extent(0)); ++i) good[count(failed(i))] = 0;
        for (std::size_t i = 0; i < latest_.size(); ++i)
            if (good[i] != 0) take(count(latest_[i].to), count(latest_[i].chunk));
        for (std::size_t i = 0; i < count(died.extent(0)); ++i) gone_[count(died(i))] = 1;
        latest_.clear();
        sends_.assign(have_.size(), 0);
        gets_.assign(have_.size(), 0);
        by_copies();
        if (net_.rack_size > 0) {
            into_racks();
        } else {
            feed();
            push_down();
        }
        help(count(slot));
        for (const send& one : latest_) sends.push(one);
    }

  private:
    network net_;
    using chunks = std::bitset<2000>;
    std::vector<chunks> have_;    // by node
    std::vector<chunks> in_rack_; // by rack
    chunks odd_;
    std::vector<std::size_t> copies_;    // by chunk
    std::vector<std::size_t> few_first_; // chunks
    std::vector<char> gone_, sends_, gets_;
    std::vector<send> latest_;
    std::size_t next_feed_ = 0;

    template <class Integer> static std::size_t count(Integer x) { return static_cast<std::size_t>(x); }
    void take(std::size_t node, std::size_t chunk) {
        copies_[chunk] += have_[node][chunk] ? 0 : 1;
        have_[node][chunk] = true;
        if (net_.rack_size > 0) in_rack_[rack(node)][chunk] = true;
    }
    bool may(std::size_t from, std::size_t to) const {
        return from != to && to > 0 && sends_[from] == 0 && gets_[to] == 0 && gone_[from] == 0 && gone_[to] == 0;
    }
    chunks useful(std::size_t from, std::size_t to) const { return have_[from] & ~have_[to]; }
    /// The one of fewest copies, where there is any.
    void give_rarest(std::size_t from, std::size_t to, const chunks& offers) {
        if (offers.none()) return;
        for (const std::size_t chunk : few_first_)
            if (offers[chunk]) return give(from, to, chunk);
    }
    void give(std::size_t from, std::size_t to, std::size_t chunk) {
        sends_[from] = gets_[to] = 1;
        latest_.push_back(
            {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), static_cast<std::int64_t>(chunk)});
    }
    /// Buckets by copies.
    void by_copies() {
        std::vector<std::vector<std::size_t>> buckets(have_.size() + 1);
        for (std::size_t chunk = 0; chunk < copies_.size(); ++chunk) buckets[copies_[chunk]].push_back(chunk);
        few_first_.clear();
        for (const auto& bucket : buckets) few_first_.insert(few_first_.end(), bucket.begin(), bucket.end());
    }

    /// Position 1 ... N of a node in the tree of even or odd chunks, and back: the second runs backwards.
    std::size_t turned(std::size_t at, bool odd) const { return odd ? have_.size() - at : at; }

    /// The source gives the next chunk to the root of its tree, or to whoever can take it.
    void feed() {
        while (next_feed_ < copies_.size() && copies_[next_feed_] > 1) ++next_feed_;
        if (next_feed_ == copies_.size()) return;
        const std::size_t root = turned(1, next_feed_ % 2 == 1);
        if (may(0, root) && useful(0, root)[next_feed_]) give(0, root, next_feed_);
    }
    void push_down() {
        for (std::size_t node = 1; node < have_.size(); ++node)
            for (const bool odd : {node % 2 == 1, node % 2 == 0}) {
                const std::size_t at = turned(node, odd);
                for (const std::size_t child : {2 * at, 2 * at + 1})
                    if (child < have_.size()) push(node, turned(child, odd), odd);
            }
    }
    void push(std::size_t from, std::size_t to, bool odd) {
        if (may(from, to)) give_rarest(from, to, useful(from, to) & (odd ? odd_ : ~odd_));
    }

    std::size_t rack(std::size_t node) const { return (node - 1) / count(net_.rack_size); }
    bool together(std::size_t a, std::size_t b) const {
        return net_.rack_size == 0 || (a > 0 && b > 0 && rack(a) == rack(b));
    }
    /// Each rack gets one chunk that none of its nodes has, from the source or a node that sends nothing yet.
    void into_racks() {
        const std::size_t width = count(net_.rack_size), nodes = have_.size(), racks = (nodes - 2) / width + 1;
        std::vector<char> left(racks, 0);
        for (std::size_t into = 0; into < racks; ++into) {
            const std::size_t first = into * width + 1, end = std::min(first + width, nodes);
            std::size_t from = nodes, chunk = 0;
            for (std::size_t i = 0; i < few_first_.size() && from == nodes; ++i) {
                chunk = few_first_[i];
                if (!in_rack_[into][chunk]) from = giver(chunk, left);
            }
            if (from == nodes) continue;
            if (from > 0) left[rack(from)] = 1;
            give(from, first + chunk % (end - first), chunk);
        }
    }
    /// The source, or the first node that sends nothing yet, in a rack that nothing has left; else no node.
    std::size_t giver(std::size_t chunk, const std::vector<char>& left) const {
        if (sends_[0] == 0) return 0;
        for (std::size_t out = 0; out < left.size(); ++out) {
            if (left[out] != 0 || !in_rack_[out][chunk]) continue;
            for (std::size_t node = out * count(net_.rack_size) + 1; node < have_.size() && rack(node) == out; ++node)
                if (sends_[node] == 0 && have_[node][chunk]) return node;
        }
        return have_.size();
    }

    /// Idle links: every node looks at the others in its rack, the one behind it first.
    void help(std::size_t slot) {
        constexpr std::size_t tries = 100;
        for (std::size_t from = 0; from < have_.size(); ++from)
            for (std::size_t step = 1, seen = 0; step < have_.size() && seen < tries && sends_[from] == 0; ++step) {
                const std::size_t to = (from + step + slot % 7) % have_.size();
                if (!together(from, to) || !may(from, to)) continue;
                ++seen;
                give_rarest(from, to, useful(from, to));
            }
    }
};

} // namespace

planner* make_planner(network where) { return new two_trees(where); }
planner* resume_planner(network where, tensor<const std::int32_t, 2> disk) { return new two_trees(where, disk); }

} // namespace broadcast
