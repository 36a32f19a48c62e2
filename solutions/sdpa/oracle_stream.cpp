// Blockwise attention key by key: which weight every key ends with when a block or a merge is handled wrongly.
#include "oracle_rows.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sdpa_judge {

namespace {

constexpr double exp_overflows = 88.7228; // log of the largest float

/// A running state of one row, its sums kept as the logarithms of every key's weight relative to the maximum.
struct State {
    double m = -infinity;
    bool broken = false;              // NaN
    std::vector<std::size_t> keys;    // indices into the row
    std::vector<double> above, below; // log weight in the sum of v, and in the denominator

    void scale(double by, bool values, bool denominator) {
        for (std::size_t n = 0; n < keys.size(); ++n) {
            if (values) above[n] += by;
            if (denominator) below[n] += by;
            if (above[n] > exp_overflows || below[n] > exp_overflows) broken = true;
        }
    }
};

/// `keys` keys were shown, of which row.s[from, to) may be attended.
void absorb(State& state, const Row& row, std::size_t from, std::size_t to, std::int64_t keys, const Switch& as) {
    double largest = state.m;
    for (std::size_t n = from; n < to; ++n) largest = std::max(largest, row.s[n]);
    if (largest == -infinity) {
        // -inf - -inf: where no block has anything for the row yet; the variant also where the block is empty
        if (as.slip == Slip::first_block_masked_nan && (keys > 0 || as.variant)) state.broken = true;
        return;
    }
    if (state.m != -infinity) {
        const double by = state.m - largest;
        if (as.slip == Slip::rescale_forgotten)
            state.scale(by, as.part == Part::denominator,
                        as.part == Part::values); // the part named is the forgotten one
        else
            state.scale(as.slip == Slip::rescale_inverted ? -by : by, true, true);
    }
    state.m = largest;
    for (std::size_t n = from; n < to; ++n) {
        state.keys.push_back(n);
        state.above.push_back(row.s[n] - largest);
        state.below.push_back(row.s[n] - largest);
    }
}

void merge(State& into, State from, const Switch& as) {
    if (as.slip == Slip::merge_overwrites) {
        into = std::move(from);
        return;
    }
    into.broken = into.broken || from.broken;
    const double largest = std::max(into.m, from.m);
    if (largest == -infinity) {
        into.broken = into.broken || as.slip == Slip::merge_empty_nan;
        return;
    }
    if (as.slip != Slip::merge_forgets_rescale) {
        if (into.m != -infinity) into.scale(into.m - largest, true, true);
        if (from.m != -infinity) from.scale(from.m - largest, true, true);
    }
    into.m = largest;
    into.keys.insert(into.keys.end(), from.keys.begin(), from.keys.end());
    into.above.insert(into.above.end(), from.above.begin(), from.above.end());
    into.below.insert(into.below.end(), from.below.begin(), from.below.end());
}

/// sum exp(above) v / sum exp(below), or undivided.
void finish(const State& state, const Row& row, const double* v, const Switch& as, const Allowance& allowance,
            const Target& to) {
    if (state.broken) return to.fill(not_a_number);
    if (state.keys.empty()) return to.fill(0);
    Row weighted;
    double stray = 0;
    double denominator = 0;
    const double top = *std::max_element(state.above.begin(), state.above.end());
    for (std::size_t n = 0; n < state.keys.size(); ++n) {
        const std::size_t at = state.keys[n];
        weighted.add(state.above[n], row.e[at], row.key[at]);
        denominator += std::exp(state.below[n]);
        if (top - state.above[n] < 40)
            stray = std::max(stray, row.e[at] + 3 * (top - state.above[n]) + 18 + 10 * allowance.rescales);
    }
    const double sum = softmax_row(weighted, v, to.Dv, allowance, to.value, to.bound) * std::exp(top);
    const bool same = state.above == state.below && as.slip != Slip::finish_undivided;
    if (same) return;
    const double factor = as.slip == Slip::finish_undivided ? sum : sum / denominator;
    for (std::size_t d = 0; d < to.Dv; ++d) {
        to.value[d] *= factor;
        to.bound[d] = to.bound[d] * factor + 2 * std::expm1(unit_roundoff * stray) * std::fabs(to.value[d]);
    }
}

} // namespace

void blockwise_row(const Row& row, const Blocking& blocks, const double* v, const Switch& as,
                   const Allowance& allowance, const Target& to) {
    State first, second;
    State* live = &first;
    std::int64_t key = 0;
    std::size_t at = 0;
    for (std::size_t n = 0; n <= blocks.lengths.size(); ++n) {
        if (blocks.merges && n == blocks.first) live = &second;
        if (blocks.merges && n == blocks.first + blocks.second) {
            live = blocks.into_second ? &second : &first;
            merge(*live, blocks.into_second ? first : second, as);
        }
        if (n == blocks.lengths.size()) break;
        key += blocks.lengths[n];
        const std::size_t from = at;
        while (at < row.key.size() && row.key[at] < key) ++at;
        absorb(*live, row, from, at, blocks.lengths[n], as);
    }
    finish(*live, row, v, as, allowance, to);
}

Blocking equal_blocks(std::size_t keys, std::size_t block) {
    Blocking blocks;
    for (std::size_t from = 0; from < keys; from += block)
        blocks.lengths.push_back(static_cast<std::int64_t>(std::min(block, keys - from)));
    blocks.first = blocks.lengths.size();
    return blocks;
}

Blocking blocking(const Problem& problem) {
    Blocking result;
    std::int64_t left = problem.array("k").extents[0];
    for (const double value : problem.array("blocks").values()) {
        result.lengths.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(value), 0, left));
        left -= result.lengths.back();
    }
    if (result.lengths.empty() && left > 0) result.lengths.push_back(0);
    if (left > 0) result.lengths.back() += left;
    const std::int64_t split = problem.integer("split");
    result.merges = split >= 0;
    result.into_second = problem.flag("into_second");
    const std::size_t count = result.lengths.size();
    const auto cut = [](std::int64_t wanted, std::size_t most) {
        return std::min(static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0)), most);
    };
    const std::size_t after = result.merges ? cut(problem.integer("after"), count) : 0;
    result.second = cut(split, count - after);
    result.first = count - after - result.second;
    return result;
}

} // namespace assay::sdpa_judge
