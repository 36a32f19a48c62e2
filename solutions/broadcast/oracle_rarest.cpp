// Rarest first: in each slot every node, in random order, looks for a free receiver that lacks something it has, and
// sends the one of those chunks that the fewest nodes have.
#include "oracle_rarest.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <numeric>

namespace assay::broadcast_judge {

namespace {

class Rarest final : public Planner {
  public:
    Rarest(const Setting& setting, const Disk& disk, const Slips& on)
        : s_(setting), on_(on), nodes_(static_cast<std::size_t>(setting.receivers + 1)),
          chunks_(static_cast<std::size_t>(setting.chunks)), held_(nodes_ * chunks_, 0), copies_(chunks_, 0),
          lacks_(nodes_, setting.chunks), dead_(nodes_, 0), rank_(chunks_) {
        for (std::size_t i = 0; i < held_.size(); ++i) {
            const bool known = i < chunks_ || !on_("starts-over");
            if (known && (disk[i] == 2 || (disk[i] == 1 && on_("trusts-unverified")))) hold(i / chunks_, i % chunks_);
        }
        rack_has_.assign(static_cast<std::size_t>(s_.racks()) * chunks_, 0);
    }

    std::vector<Send> next(std::int64_t slot, const std::vector<std::int64_t>& failed,
                           const std::vector<std::int64_t>& died) override {
        settle(failed, died);
        sends_.clear();
        if (on_("idle-slot", 1) && slot == 2) return sends_;
        sent_.assign(nodes_, 0);
        in_.assign(static_cast<std::size_t>(s_.racks()), 0);
        out_ = in_;
        std::iota(rank_.begin(), rank_.end(), std::size_t{0});
        std::stable_sort(rank_.begin(), rank_.end(),
                         [&](std::size_t a, std::size_t b) { return copies_[a] < copies_[b]; });
        free_.clear();
        for (std::size_t node = 1; node < nodes_; ++node)
            if (dead_[node] == 0 && lacks_[node] > 0) free_.push_back(node);
        for (std::size_t i = free_.size(); i > 1; --i)
            std::swap(free_[i - 1],
                      free_[static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(i) - 1))]);
        if (on_("one-chain"))
            along_a_chain();
        else if (on_("one-tree"))
            along_a_tree();
        else
            for (const std::size_t sender : senders()) serve(sender);
        if (!on_("wrong-address")) return sends_;
        std::vector<Send> named = sends_; // the last chunk by its number from 1; the run ends there
        for (Send& send : named) send.chunk += send.chunk + 1 == s_.chunks ? 1 : 0;
        return named;
    }

  private:
    Setting s_;
    Slips on_;
    std::size_t nodes_, chunks_;
    std::vector<char> held_; // node by chunk
    std::vector<std::int64_t> copies_, lacks_;
    std::vector<char> dead_, sent_;
    std::vector<std::size_t> rank_, free_; // chunks, rarest first; nodes that may still receive
    std::vector<char> rack_has_;
    std::vector<std::int64_t> in_, out_;
    std::vector<Send> sends_;
    Random random_{7, "rarest first"};

    bool has(std::size_t node, std::size_t chunk) const { return held_[node * chunks_ + chunk] != 0; }
    void hold(std::size_t node, std::size_t chunk) {
        if (has(node, chunk)) return;
        held_[node * chunks_ + chunk] = 1;
        ++copies_[chunk];
        --lacks_[node];
    }
    std::int64_t rack_of(std::size_t node) const { return s_.rack_of(static_cast<std::int64_t>(node)); }
    std::size_t entry(std::size_t node, std::size_t chunk) const {
        return static_cast<std::size_t>(rack_of(node)) * chunks_ + chunk;
    }

    void settle(const std::vector<std::int64_t>& failed, const std::vector<std::int64_t>& died) {
        for (std::size_t i = 0; i < sends_.size(); ++i) {
            if (!on_("failed-kept") &&
                std::find(failed.begin(), failed.end(), static_cast<std::int64_t>(i)) != failed.end())
                continue;
            const auto to = static_cast<std::size_t>(sends_[i].to), chunk = static_cast<std::size_t>(sends_[i].chunk);
            hold(to, chunk);
            if (s_.rack_size > 0) rack_has_[entry(to, chunk)] = 1;
        }
        for (const std::int64_t node : died) {
            if (on_("dead-served")) break;
            const auto gone = static_cast<std::size_t>(node);
            dead_[gone] = 1;
            for (std::size_t chunk = 0; chunk < chunks_; ++chunk) copies_[chunk] -= has(gone, chunk) ? 1 : 0;
        }
    }

    std::vector<std::size_t> senders() {
        std::vector<std::size_t> all{0};
        for (std::size_t node = 1; node < nodes_; ++node) {
            const bool able = on_("sends-unheld", 0) || on_("sends-unheld", 1) || lacks_[node] < s_.chunks;
            if (dead_[node] == 0 && able && !(on_("waits-for-the-file") && lacks_[node] > 0)) all.push_back(node);
        }
        if (on_("source-serves-all")) all.resize(1);
        // The source first: it alone has what nobody has.
        for (std::size_t i = all.size(); i > 2; --i)
            std::swap(all[i - 1], all[static_cast<std::size_t>(random_.integer(1, static_cast<std::int64_t>(i) - 1))]);
        return all;
    }

    void serve(std::size_t sender) {
        const int times = on_("many-at-once") ? 2 : 1;
        for (int i = 0; i < times && !free_.empty(); ++i) {
            std::size_t start = 0; // whoever has most, so that one is done early
            if (on_("waits-for-the-file"))
                std::stable_sort(free_.begin(), free_.end(),
                                 [&](std::size_t a, std::size_t b) { return lacks_[a] < lacks_[b]; });
            else
                start = static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(free_.size()) - 1));
            for (std::size_t step = 0; step < free_.size(); ++step) {
                const std::size_t at = (start + step) % free_.size(), receiver = free_[at];
                const std::size_t chunk = receiver == sender ? chunks_ : best(sender, receiver);
                if (chunk == chunks_) continue;
                give(sender, receiver, chunk);
                if (!on_("two-receipts")) free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
        }
    }

    /// The rarest chunk that `sender` may send `receiver`; chunks_ where there is none.
    std::size_t best(std::size_t sender, std::size_t receiver) const {
        const bool crosses = s_.rack_size > 0 && rack_of(sender) != rack_of(receiver);
        if (crosses && !on_("uplink-overrun")) {
            if (in_[static_cast<std::size_t>(rack_of(receiver))] == s_.uplink) return chunks_;
            if (sender > 0 && out_[static_cast<std::size_t>(rack_of(sender))] == s_.uplink) return chunks_;
        }
        for (const std::size_t chunk : rank_) {
            if (on_("idle-slot", 0) && chunk + 1 == chunks_) continue;
            if (on_("in-order") && (has(receiver, chunk) || (chunk > 0 && !has(receiver, chunk - 1)))) continue;
            if (!has(sender, chunk) && !on_("sends-unheld", 0)) continue;
            if (has(receiver, chunk) && !on_("sends-again")) continue;
            if (crosses && rack_has_[entry(receiver, chunk)] != 0 && !on_("copy-per-worker")) continue;
            return chunk;
        }
        return chunks_;
    }

    void give(std::size_t from, std::size_t to, std::size_t chunk) {
        sends_.push_back(
            {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), static_cast<std::int64_t>(chunk)});
        if (on_("sends-unheld", 1)) hold(to, chunk);
        if (s_.rack_size == 0 || rack_of(from) == rack_of(to)) return;
        rack_has_[entry(to, chunk)] = 1; // on its way
        ++in_[static_cast<std::size_t>(rack_of(to))];
        if (from > 0) ++out_[static_cast<std::size_t>(rack_of(from))];
    }

    std::size_t first_lacked(std::size_t from, std::size_t to) const {
        std::size_t chunk = 0;
        while (chunk < chunks_ && (has(to, chunk) || !has(from, chunk))) ++chunk;
        return chunk;
    }
    void along_a_chain() {
        for (std::size_t node = 0; node + 1 < nodes_; ++node)
            if (const std::size_t chunk = first_lacked(node, node + 1); chunk < chunks_) give(node, node + 1, chunk);
    }
    void along_a_tree() {
        for (std::size_t node = 0; 2 * node + 1 < nodes_; ++node) {
            const std::size_t left = 2 * node + 1, right = left + 1;
            const std::size_t a = first_lacked(node, left), b = right < nodes_ ? first_lacked(node, right) : chunks_;
            if (a < chunks_ && a <= b)
                give(node, left, a);
            else if (b < chunks_)
                give(node, right, b);
        }
    }
};

} // namespace

std::unique_ptr<Planner> rarest_first(const Setting& setting, const Disk& disk, const Slips& on) {
    return std::make_unique<Rarest>(setting, disk, on);
}

} // namespace assay::broadcast_judge
