// The mean of the lengths.
// Level: per-step
#include "contract.hpp"

#include <algorithm>
#include <vector>

namespace batching {

generation compare(tensor<const std::int64_t, 1> lengths, std::int64_t slots) {
    std::vector<std::int64_t> l(lengths.data(), lengths.data() + lengths.extent(0));
    const std::size_t wide = std::size_t(slots);
    generation g{0, 0, 0, 0, 0, 0, 0, 0};
    for (const std::int64_t one : l) g.tokens += one;
    for (std::size_t from = 0; from < l.size(); from += wide) {
        const std::size_t end = std::min(from + wide, l.size());
        std::int64_t longest = 0;
        for (std::size_t i = from; i < end; ++i) longest = std::max(longest, l[i]);
        for (std::size_t i = from; i < end; ++i) g.whole_mean += double(g.whole_steps + longest);
        g.whole_steps += longest;
    }
    std::vector<std::int64_t> free(std::min(wide, l.size()), 0);
    for (const std::int64_t one : l) {
        std::int64_t& slot = *std::min_element(free.begin(), free.end());
        slot += one;
        g.per_step_mean += double(one);
        g.per_step_steps = std::max(g.per_step_steps, slot);
    }
    g.whole_utilisation = double(g.tokens) / (double(slots) * double(g.whole_steps));
    g.per_step_utilisation = double(g.tokens) / (double(slots) * double(g.per_step_steps));
    g.whole_mean /= double(l.size());
    g.per_step_mean /= double(l.size());
    g.speedup = double(g.whole_steps) / double(g.per_step_steps);
    return g;
}

} // namespace batching
