// Everything in bits and bits a second; the tree from the binary digits of its node numbers; the best k as the root of
// a quadratic. The planner pairs nodes at distances that are powers of two.
#include "contract.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <vector>

namespace broadcast {

namespace {

template <class T> bool in(T x, T low, T high) { return low <= x && x <= high; }
bool amount(double x) { return in(x, 1e-9, 1e12); }
bool counted(std::int64_t x) { return in<std::int64_t>(x, 1, 1'000'000'000'000'000); }

int digits_after_the_first(std::int64_t v) {
    int digits = 0;
    while (v >>= 1) ++digits;
    return digits;
}
int way_to(std::int64_t v) { // each digit 0 is a step to the left, each 1 a step to the right
    int slots = 0;
    for (; v > 1; v >>= 1) slots += v & 1 ? 2 : 1;
    return slots;
}

// The latest node is the last one, or one that agrees with it up to a digit 1 that it has as 0 and goes right from
// there on, or the end of the row above.
int latest(std::int64_t nodes) {
    const int d = digits_after_the_first(nodes);
    int slots = std::max(way_to(nodes), 2 * (d - 1));
    for (int digit = 0; digit < d; ++digit) {
        const std::int64_t bit = std::int64_t{1} << digit;
        if (nodes & bit) slots = std::max(slots, way_to((nodes & ~bit) | (bit - 1)));
    }
    return slots;
}

struct terms {
    double per_chunk, fixed; // slots = per_chunk k + fixed
};
terms chain(std::int64_t n) { return {1, static_cast<double>(n - 1)}; }
terms tree(std::int64_t n) { return n == 1 ? terms{1, 0} : terms{2, static_cast<double>(latest(n + 1) - 2)}; }
terms optimum(std::int64_t n) { return {1, static_cast<double>(digits_after_the_first(n))}; }

void solve(terms plan, double floor, double latency, double& real, std::int64_t& chunks, double& time) {
    const double x = plan.fixed / plan.per_chunk / latency * floor;
    real = std::sqrt(x);
    const double k = std::max(1.0, std::ceil((std::sqrt(1 + 4 * x) - 1) / 2)); // k(k + 1) = x
    chunks = static_cast<std::int64_t>(k);
    time = plan.per_chunk * floor + plan.fixed * latency + plan.per_chunk * k * latency + plan.fixed / k * floor;
}

} // namespace

plans plan_times(transfer job, std::int64_t chunks) {
    if (!amount(job.size_gb) || !amount(job.link_gbps) || !counted(job.receivers) || !counted(chunks)) return {};
    const double bits = job.size_gb * 8e9, bit_rate = job.link_gbps * 1e9;
    const auto n = static_cast<double>(job.receivers), k = static_cast<double>(chunks);
    plans p;
    p.bytes = bits / 8;
    p.link = bit_rate / 8;
    p.floor = bits / bit_rate;
    p.source_bytes = bits * n / 8;
    p.naive = bits * n / bit_rate;
    p.rounds = digits_after_the_first(job.receivers) + 1;
    p.binomial = bits * static_cast<double>(p.rounds) / bit_rate;
    p.slot = bits / (bit_rate * k);
    p.chain_slots = chunks + job.receivers - 1;
    p.chain = p.floor + (n - 1) * p.slot;
    p.tree_first = latest(job.receivers + 1);
    p.tree_slots = job.receivers == 1 ? chunks : 2 * chunks + p.tree_first - 2;
    p.tree = static_cast<double>(p.tree_slots) * p.slot;
    p.optimum_slots = chunks + digits_after_the_first(job.receivers);
    p.optimum = p.floor + digits_after_the_first(job.receivers) * p.slot;
    return p;
}

swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    swarm s;
    const auto n = static_cast<int>(download_gbps.extent(0));
    bool valid = amount(size_gb) && amount(source_gbps) && n >= 1;
    double all = source_gbps, least = download_gbps.extent(0) ? download_gbps(0) : 0;
    for (int i = 0; i < n; ++i) {
        valid = valid && in(upload_gbps(i), 0.0, 1e12) && amount(download_gbps(i));
        all += upload_gbps(i);
        least = std::min(least, download_gbps(i));
    }
    if (!valid) return s;
    const double bits = size_gb * 8e9;
    const double limits[] = {bits / (source_gbps * 1e9), bits / (least * 1e9), bits / (all * 1e9) * n};
    const auto largest = std::max_element(limits, limits + 3);
    s.t_source = limits[0];
    s.t_download = limits[1];
    s.t_upload = limits[2];
    s.t_bound = *largest;
    s.binds = static_cast<limit>(largest - limits);
    return s;
}

best best_chunks(transfer job, double latency_ms) {
    if (!amount(job.size_gb) || !amount(job.link_gbps) || !counted(job.receivers) || !in(latency_ms, 1e-6, 1e9))
        return {};
    best b;
    b.floor = job.size_gb * 8 / job.link_gbps;
    b.latency = latency_ms * 1e-3;
    solve(chain(job.receivers), b.floor, b.latency, b.chain_real, b.chain_chunks, b.chain);
    solve(tree(job.receivers), b.floor, b.latency, b.tree_real, b.tree_chunks, b.tree);
    solve(optimum(job.receivers), b.floor, b.latency, b.optimum_real, b.optimum_chunks, b.optimum);
    return b;
}

rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    rack_times t;
    if (!amount(size_gb) || !amount(link_gbps) || !counted(chunks) || !in<std::int64_t>(site.racks, 1, 10'000'000) ||
        !in<std::int64_t>(site.workers, 1, 10'000'000) || !in(site.oversubscription, 1e-3, 1e3))
        return t;
    const double bits = size_gb * 8e9, link = link_gbps * 1e9,
                 uplink = link * static_cast<double>(site.workers) / site.oversubscription;
    const auto nodes = static_cast<double>(site.racks * site.workers), racks = static_cast<double>(site.racks),
               k = static_cast<double>(chunks);
    const double crossing = std::max(1 / link, 1 / uplink) * bits / k, inside = bits / k / link;
    t.uplink = uplink / 8;
    t.local_hop = inside;
    t.aware_bytes = bits / 8;
    t.aware_rate = std::min(link, uplink) / 8;
    t.aware_hop = crossing;
    t.aware_first = nodes * inside + racks * (crossing - inside);
    t.aware = t.aware_first + k * crossing - crossing;
    const double streams = site.racks == 1 ? 1.0 : static_cast<double>(site.workers);
    const double shared = std::max(1 / link, streams / uplink) * bits / k;
    t.blind_bytes = streams * bits / 8;
    t.blind_rate = std::min(link, uplink / streams) / 8;
    t.blind_hop = shared;
    const double inside_blind = site.racks == 1 ? inside : shared;
    t.blind = shared * k + (nodes - 1) * inside_blind;
    t.slowdown = t.blind / t.aware;
    return t;
}

namespace {

/// In slot t node i of a group of g looks to node i + 2^(t mod log2 g) mod g, and gives it the rarest chunk that it has
/// and the other lacks: a hypercube's exchange for any g. Without racks all nodes are one group, the source in it. With
/// racks each is a group, and before them each rack gets one new chunk from outside.
class circulant final : public planner {
  public:
    explicit circulant(network where) : net_(where), has_(size(where.receivers + 1)) {
        for (std::size_t chunk = 0; chunk < size(where.chunks); ++chunk) has_[0][chunk] = true;
        alive_.assign(has_.size(), true);
        copies_.assign(size(where.chunks), 1);
        const std::size_t width = where.rack_size == 0 ? has_.size() : size(where.rack_size);
        for (std::size_t first = where.rack_size == 0 ? 0 : 1; first < has_.size(); first += width) {
            groups_.emplace_back();
            for (std::size_t node = first; node < std::min(first + width, has_.size()); ++node)
                groups_.back().push_back(node);
        }
        inside_.resize(groups_.size());
    }
    circulant(network where, tensor<const std::int32_t, 2> disk) : circulant(where) {
        for (std::size_t node = 1; node < has_.size(); ++node)
            for (std::size_t chunk = 0; chunk < copies_.size(); ++chunk)
                if (disk(node, chunk) == verified) keep(node, chunk);
    }

    void next(std::int64_t slot, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
              list<send>& sends) override {
        for (std::size_t i = 0; i < static_cast<std::size_t>(failed.extent(0)); ++i) sent_[size(failed(i))].chunk = -1;
        for (const send& one : sent_)
            if (one.chunk >= 0) keep(size(one.to), size(one.chunk));
        for (std::size_t i = 0; i < static_cast<std::size_t>(died.extent(0)); ++i) alive_[size(died(i))] = false;
        sent_.clear();
        rank();
        out_.assign(has_.size(), false);
        in_ = out_;
        if (net_.rack_size > 0) cross(size(slot));
        for (const std::vector<std::size_t>& group : groups_) exchange(group, size(slot));
        fill();
        for (const send& one : sent_) sends.push(one);
    }

  private:
    using bits = std::vector<bool>;
    using chunk_set = std::bitset<2000>;
    network net_;
    std::vector<chunk_set> has_;                   // by node
    std::vector<std::vector<std::size_t>> groups_; // nodes
    std::vector<chunk_set> inside_;                // by rack: in it, or on its way
    bits alive_, out_, in_;                        // by node: lives; sends, receives in this slot
    std::vector<send> sent_;

    std::vector<std::size_t> order_; // chunks, fewest copies first

    std::vector<std::size_t> copies_; // by chunk, dead nodes' too: it is only an order

    void keep(std::size_t node, std::size_t chunk) {
        has_[node][chunk] = true;
        ++copies_[chunk];
    }
    void rank() {
        order_.resize(copies_.size());
        for (std::size_t chunk = 0; chunk < copies_.size(); ++chunk) order_[chunk] = chunk;
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return copies_[a] < copies_[b]; });
    }

    static std::size_t size(std::int64_t x) { return static_cast<std::size_t>(x); }

    /// The chunk of fewest copies that one may give the other; -1 where there is none.
    std::int64_t rarest(const chunk_set& from, const chunk_set& to) const {
        const chunk_set useful = from & ~to;
        if (useful.none()) return -1;
        for (const std::size_t chunk : order_)
            if (useful[chunk]) return static_cast<std::int64_t>(chunk);
        return -1;
    }
    void give(std::size_t from, std::size_t to, std::int64_t chunk) {
        out_[from] = in_[to] = true;
        sent_.push_back({static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), chunk});
    }

    /// One chunk into each rack: from the source to one, and from rack to rack at a distance that changes by the slot.
    void cross(std::size_t slot) {
        const std::size_t racks = groups_.size();
        bits left(racks, false);
        for (std::size_t step = 0; step < racks; ++step) {
            const std::size_t to = (slot + step) % racks;
            if (!out_[0] && enter(0, to)) continue;
            for (std::size_t skip = 1; skip < racks; ++skip) {
                const std::size_t rack = (to + slot + skip) % racks;
                if (rack == to || left[rack]) continue;
                const std::vector<std::size_t>& members = groups_[rack];
                left[rack] = std::any_of(members.begin(), members.end(),
                                         [&](std::size_t node) { return !out_[node] && enter(node, to); });
                if (left[rack]) break;
            }
        }
    }
    bool enter(std::size_t from, std::size_t rack) {
        const std::int64_t chunk = rarest(has_[from], inside_[rack]);
        if (chunk < 0) return false;
        const std::vector<std::size_t>& members = groups_[rack];
        give(from, members[size(chunk) % members.size()], chunk);
        inside_[rack][size(chunk)] = true;
        return true;
    }

    void exchange(const std::vector<std::size_t>& group, std::size_t slot) {
        std::size_t steps = 0;
        while ((std::size_t{1} << steps) < group.size()) ++steps;
        if (steps == 0) return;
        const std::size_t skip = std::size_t{1} << slot % steps;
        for (std::size_t i = 0; i < group.size(); ++i) pair(group[i], group[(i + skip) % group.size()]);
    }
    /// Who is left over tries the next ones in its group.
    void fill() {
        constexpr std::size_t most = 64;
        for (const std::vector<std::size_t>& group : groups_)
            for (std::size_t i = 0; i < group.size(); ++i)
                for (std::size_t skip = 1; skip < std::min(group.size(), most) && !out_[group[i]]; ++skip)
                    pair(group[i], group[(i + skip) % group.size()]);
    }
    void pair(std::size_t from, std::size_t to) {
        if (out_[from] || in_[to] || !alive_[from] || !alive_[to] || from == to) return;
        if (const std::int64_t chunk = rarest(has_[from], has_[to]); chunk >= 0) give(from, to, chunk);
    }
};

} // namespace

planner* make_planner(network where) { return new circulant(where); }
planner* resume_planner(network where, tensor<const std::int32_t, 2> disk) { return new circulant(where, disk); }

} // namespace broadcast
