// Broadcasting chunk by chunk, slot by slot: plans as lists of single sends, and a referee that knows no formula.
#ifndef ASSAY_TESTS_BROADCAST_SIMULATE_HPP
#define ASSAY_TESTS_BROADCAST_SIMULATE_HPP

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <stdexcept>
#include <vector>

namespace assay::broadcast_test {

/// During `slot` (counted from 0) a node sends one chunk to another. Node 0 is the source.
struct Send {
    std::size_t slot, from, to, chunk;
};

/// Slots until `receivers` nodes beside the source have all chunks. Throws where a node sends or receives twice in a
/// slot, sends what it has not wholly received before, or where somebody is left without a chunk.
inline std::size_t referee(std::vector<Send> sends, std::size_t receivers, std::size_t chunks) {
    std::stable_sort(sends.begin(), sends.end(), [](const Send& a, const Send& b) { return a.slot < b.slot; });
    constexpr std::size_t never = static_cast<std::size_t>(-1);
    std::vector<std::vector<std::size_t>> since(receivers + 1, std::vector<std::size_t>(chunks, never));
    since[0].assign(chunks, 0);
    std::vector<std::size_t> sent(receivers + 1, never), received(receivers + 1, never);
    std::size_t last = 0;
    for (const Send& send : sends) {
        if (sent[send.from] == send.slot) throw std::logic_error("two sends at once");
        if (received[send.to] == send.slot) throw std::logic_error("two receipts at once");
        if (since[send.from][send.chunk] > send.slot) throw std::logic_error("sent before it was there");
        sent[send.from] = received[send.to] = send.slot;
        std::size_t& have = since[send.to][send.chunk];
        if (have == never) {
            have = send.slot + 1;
            last = std::max(last, have);
        }
    }
    for (const auto& node : since)
        if (std::count(node.begin(), node.end(), never) != 0) throw std::logic_error("a chunk is missing");
    return last;
}

/// Each node sends each chunk, in order, to each child in order, as soon as it has it and its uplink is free.
/// children[v] come after v.
inline std::vector<Send> relay(const std::vector<std::vector<std::size_t>>& children, std::size_t chunks) {
    std::vector<std::vector<std::size_t>> have(children.size(), std::vector<std::size_t>(chunks, 0));
    std::vector<Send> sends;
    for (std::size_t node = 0; node < children.size(); ++node) {
        std::size_t free = 0;
        for (std::size_t chunk = 0; chunk < chunks; ++chunk)
            for (const std::size_t child : children[node]) {
                const std::size_t slot = std::max(free, have[node][chunk]);
                sends.push_back({slot, node, child, chunk});
                free = have[child][chunk] = slot + 1;
            }
    }
    return sends;
}

inline std::vector<std::vector<std::size_t>> chain(std::size_t receivers) {
    std::vector<std::vector<std::size_t>> children(receivers + 1);
    for (std::size_t node = 0; node < receivers; ++node) children[node] = {node + 1};
    return children;
}

/// Heap order from 0: the children of v are 2v + 1 and 2v + 2.
inline std::vector<std::vector<std::size_t>> heap(std::size_t receivers) {
    std::vector<std::vector<std::size_t>> children(receivers + 1);
    for (std::size_t node = 1; node <= receivers; ++node) children[(node - 1) / 2].push_back(node);
    return children;
}

/// Whoever has the file sends it to somebody who has not.
inline std::vector<Send> binomial(std::size_t receivers) {
    std::vector<Send> sends;
    for (std::size_t have = 1, slot = 0; have <= receivers; ++slot) {
        const std::size_t now = have;
        for (std::size_t from = 0; from < now && have <= receivers; ++from) sends.push_back({slot, from, have++, 0});
    }
    return sends;
}

/// A schedule on a hypercube (P. Ganesan, M. Seshadri, On Cooperative Content Distribution and the Price of Barter,
/// ICDCS 2005): in slot t each vertex sends the newest chunk it has along dimension t mod d, the source its t-th. Where
/// N + 1 is no power of two, vertices other than the source's hold two nodes: one sends, the other receives and hands
/// the first what it lacks.
inline std::vector<Send> hypercube(std::size_t receivers, std::size_t chunks) {
    const std::size_t nodes = receivers + 1;
    std::size_t dimensions = 0;
    while (std::size_t{2} << dimensions <= nodes) ++dimensions;
    const std::size_t vertices = std::size_t{1} << dimensions;
    std::vector<std::vector<std::size_t>> members(vertices);
    for (std::size_t node = 0; node < nodes; ++node)
        members[node < vertices ? node : node - vertices + 1].push_back(node);
    std::vector<std::vector<char>> have(nodes, std::vector<char>(chunks, 0));
    have[0].assign(chunks, 1);
    std::size_t missing = receivers * chunks;
    std::vector<Send> sends;
    for (std::size_t slot = 0; missing > 0; ++slot) {
        std::vector<char> sending(nodes, 0), receiving(nodes, 0);
        std::vector<Send> now;                           // applied at the end of the slot
        const auto newest_of = [&](const auto& wanted) { // plus 1; 0: there is none
            std::size_t chunk = chunks;
            while (chunk > 0 && !wanted(chunk - 1)) --chunk;
            return chunk;
        };
        const auto lacks = [&](std::size_t node, std::size_t other) {
            return newest_of([&](std::size_t chunk) { return have[other][chunk] > have[node][chunk]; });
        };
        for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
            const std::size_t partner = vertex ^ (std::size_t{1} << slot % dimensions);
            std::size_t newest = newest_of([&](std::size_t chunk) {
                return std::any_of(members[vertex].begin(), members[vertex].end(),
                                   [&](std::size_t node) { return have[node][chunk] != 0; });
            });
            if (vertex == 0) newest = std::min(slot + 1, chunks);
            const auto knows = [&](std::size_t node) { return newest > 0 && have[node][newest - 1] != 0; };
            if (newest == 0 || partner == 0 || std::any_of(members[partner].begin(), members[partner].end(), knows))
                continue;
            std::vector<std::size_t> able;
            std::copy_if(members[vertex].begin(), members[vertex].end(), std::back_inserter(able), knows);
            const std::size_t from = able.size() == 2 && lacks(able[1], able[0]) != 0 ? able[1] : able[0];
            sending[from] = 1;
            now.push_back({slot, from, partner, newest - 1}); // to a vertex, until all senders are known
        }
        for (Send& send : now) {
            const std::vector<std::size_t>& two = members[send.to];
            send.to = two.size() == 2 && sending[two[0]] != 0 ? two[1] : two[0];
            receiving[send.to] = 1;
        }
        for (const auto& two : members)
            for (std::size_t i = 0; two.size() == 2 && i < 2; ++i) {
                const std::size_t from = two[i], to = two[1 - i], chunk = lacks(to, from);
                if (sending[from] != 0 || receiving[to] != 0 || chunk == 0) continue;
                sending[from] = receiving[to] = 1;
                now.push_back({slot, from, to, chunk - 1});
            }
        if (now.empty()) throw std::logic_error("nobody has anything to send");
        for (const Send& send : now) {
            missing -= have[send.to][send.chunk] == 0 ? 1 : 0;
            have[send.to][send.chunk] = 1;
        }
        sends.insert(sends.end(), now.begin(), now.end());
    }
    return sends;
}

/// The fewest slots of any schedule at all, by breadth-first search over who has what. For tiny sizes.
inline std::size_t exhaustive(std::size_t receivers, std::size_t chunks) {
    using State = std::vector<unsigned>; // what each receiver has, sorted: receivers are alike
    const unsigned all = (1U << chunks) - 1;
    std::set<State> front{State(receivers, 0)}, known = front;
    for (std::size_t slots = 0;; ++slots) {
        std::set<State> next;
        for (const State& state : front) {
            if (std::all_of(state.begin(), state.end(), [&](unsigned has) { return has == all; })) return slots;
            // Each receiver in turn takes one chunk from one node that has it and does not send yet, or nothing.
            const auto give = [&](const auto& self, std::size_t to, unsigned busy, State after) -> void {
                if (to == receivers) {
                    std::sort(after.begin(), after.end());
                    if (known.insert(after).second) next.insert(after);
                    return;
                }
                self(self, to + 1, busy, after);
                for (std::size_t from = 0; from <= receivers; ++from) {
                    const unsigned has = from == 0 ? all : state[from - 1];
                    if ((busy >> from & 1U) != 0) continue;
                    for (unsigned chunk = 1; chunk <= all; chunk <<= 1) {
                        if ((has & chunk) == 0 || (state[to] & chunk) != 0) continue;
                        State more = after;
                        more[to] |= chunk;
                        self(self, to + 1, busy | 1U << from, more);
                    }
                }
            };
            give(give, 0, 0, state);
        }
        front = std::move(next);
    }
}

} // namespace assay::broadcast_test

#endif
