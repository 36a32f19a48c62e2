// Delta debugging over dimensions: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", TSE
// 2002.
#include "judge/shrinker.hpp"

#include <algorithm>
#include <numeric>

namespace assay {

namespace {

using Indices = std::vector<std::int64_t>;

class Dimension {
  public:
    Dimension(Shrinker& shrinker, std::size_t at) : shrinker_(shrinker), at_(at) {}

    const Indices& now() const { return shrinker_.plan().dimensions[at_].indices; }

    /// One index where that does; else a prefix and a suffix found by halving (what many bugs need: enough keys, or the
    /// last block); then ddmin.
    bool shorten(int patience, bool& impatient) {
        if (now().size() < 2) return false;
        if (keep({now().front()}) || keep({now().back()})) return true;
        bool changed = halve(true);
        changed = halve(false) || changed;
        return ddmin(patience, impatient) || changed;
    }

  private:
    Shrinker& shrinker_;
    std::size_t at_;

    bool keep(Indices indices) { return shrinker_.keep({{at_, std::move(indices)}}); }

    /// The shortest prefix (or suffix) that halving finds to fail.
    bool halve(bool prefix) {
        bool changed = false;
        std::size_t refused = 1; // one index was tried before
        while (!shrinker_.over()) {
            const Indices all = now();
            if (all.size() < refused + 2) break;
            const std::size_t length = (all.size() + refused) / 2;
            const auto count = static_cast<std::ptrdiff_t>(length);
            if (keep(prefix ? Indices(all.begin(), all.begin() + count) : Indices(all.end() - count, all.end())))
                changed = true;
            else
                refused = length;
        }
        return changed;
    }

    bool ddmin(int patience, bool& impatient) {
        bool changed = false;
        int refusals = 0;
        std::size_t parts = 2;
        while (now().size() > 1 && !shrinker_.over()) {
            const std::size_t size = now().size(), step = (size + parts - 1) / parts;
            bool smaller = false;
            for (std::size_t trial = 0; trial < 2 * parts && !smaller; ++trial) {
                const bool complement = trial >= parts;
                const std::size_t from = trial % parts * step;
                if (from >= size) continue;
                smaller = keep(part(from, std::min(from + step, size), complement));
                if (smaller) parts = complement ? std::max<std::size_t>(parts - 1, 2) : 2;
                refusals = smaller ? 0 : refusals + 1;
                if (refusals < patience) continue;
                impatient = true;
                return changed;
            }
            changed = changed || smaller;
            if (smaller) continue;
            if (step == 1) break;
            parts = std::min(parts * 2, size);
        }
        return changed;
    }

    /// The indices at positions [from, to), or all others.
    Indices part(std::size_t from, std::size_t to, bool complement) const {
        const Indices& all = now();
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last = all.begin() + static_cast<std::ptrdiff_t>(to);
        if (!complement) return {first, last};
        Indices rest(all.begin(), first);
        rest.insert(rest.end(), last, all.end());
        return rest;
    }
};

/// Keeps one index of both dimensions, or drops one of both; false where no index does.
bool shorten_together_once(Shrinker& shrinker, std::size_t a, std::size_t b) {
    constexpr std::size_t most = 8; // short dimensions only: each index costs calls
    const Indices both = shrinker.plan().dimensions[a].indices;
    if (both.size() < 2 || both.size() > most || shrinker.plan().dimensions[b].indices != both) return false;
    for (std::size_t at = 0; at < both.size(); ++at) {
        if (shrinker.keep({{a, {both[at]}}, {b, {both[at]}}})) return true;
        Indices rest = both;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
        if (shrinker.keep({{a, rest}, {b, rest}})) return true;
    }
    return false;
}

} // namespace

bool shrink_shapes(Shrinker& shrinker, int patience, bool& impatient) {
    const std::size_t count = shrinker.plan().dimensions.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size_of_dimension = [&](std::size_t at) { return shrinker.plan().dimensions[at].indices.size(); };
    bool changed = false;
    for (bool again = true; again && !shrinker.over();) {
        again = false;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return size_of_dimension(a) > size_of_dimension(b); });
        for (const std::size_t at : order) again = Dimension(shrinker, at).shorten(patience, impatient) || again;
        changed = changed || again;
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            while (shorten_together_once(shrinker, a, b)) changed = true; // a precondition may tie two dimensions
    return changed;
}

} // namespace assay
