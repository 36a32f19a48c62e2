// What the GPUs of a ring send, by playing it message by message.
#ifndef ASSAY_TESTS_MEMORY_RING_HPP
#define ASSAY_TESTS_MEMORY_RING_HPP

#include <cstdint>
#include <set>
#include <vector>

namespace assay::memory_test {

/// Bytes that each of `ranks` sends until all hold all: every rank passes on what it got last, round a ring.
inline double gather_bytes(std::int64_t ranks, double bytes) {
    std::vector<std::set<std::int64_t>> holds;
    std::vector<std::int64_t> passing;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        holds.push_back({rank});
        passing.push_back(rank);
    }
    std::int64_t messages = 0;
    while (holds.front().size() < static_cast<std::size_t>(ranks)) {
        std::vector<std::int64_t> next(passing);
        for (std::size_t rank = 0; rank < holds.size(); ++rank) {
            const std::size_t to = (rank + 1) % holds.size();
            holds[to].insert(passing[rank]);
            next[to] = passing[rank];
        }
        passing = next;
        ++messages; // of each rank
    }
    return static_cast<double>(messages) * bytes / static_cast<double>(ranks);
}

/// A reduce-scatter is an all-gather backwards in time; an all-reduce is both.
inline double reduce_bytes(std::int64_t ranks, double bytes) { return 2 * gather_bytes(ranks, bytes); }

} // namespace assay::memory_test

#endif
