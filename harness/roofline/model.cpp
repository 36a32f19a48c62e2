#include "roofline/model.hpp"

#include <cmath>

namespace assay::roofline {

namespace {

// Beyond it a double no longer tells T from T + 1. No network is asked for so many tokens.
constexpr double most_tokens = 9e15;

/// The first T in [1, most_tokens] with `holds`, which stays true once it is; 0 where there is none.
template <class Predicate> std::int64_t first_where(const Predicate& holds) {
    std::int64_t low = 0, high = static_cast<std::int64_t>(most_tokens); // holds(high), not holds(low)
    if (!holds(high)) return 0;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(middle) ? high : low) = middle;
    }
    return high;
}

} // namespace

const char* name_of(Resource resource) {
    switch (resource) {
    case Resource::compute: return "compute";
    case Resource::memory: return "memory";
    case Resource::network: return "network";
    }
    return "";
}

double Times::of(Resource resource) const {
    return resource == Resource::compute ? compute : resource == Resource::memory ? memory : network;
}

Resource Times::binding() const {
    if (compute >= memory && compute >= network) return Resource::compute;
    return memory >= network ? Resource::memory : Resource::network;
}

Work work(const Ffn& ffn, double tokens) {
    const auto d = static_cast<double>(ffn.d_model), f = static_cast<double>(ffn.hidden);
    const auto n = static_cast<double>(ffn.gpus);
    const double matrices = ffn.gated ? 3 : 2, b = ffn.element_bytes;
    Work w;
    w.flops = 2 * (matrices * tokens * d * f); // a multiply and an add
    w.weight_bytes = matrices * d * f * b;
    w.activation_bytes = tokens * (2 * d + f) * b;
    w.communication_bytes = 2 * (n - 1) / n * tokens * d * b;
    return w;
}

Times times(const Ffn& ffn, const Ceilings& ceilings, double tokens) {
    const Work w = work(ffn, tokens);
    const auto n = static_cast<double>(ffn.gpus);
    Times t;
    t.compute = w.flops / n / ceilings.peak;
    t.memory = (w.weight_bytes / n + w.activation_bytes) / ceilings.bandwidth;
    t.network = ffn.gpus == 1 ? 0 : w.communication_bytes / ceilings.link;
    return t;
}

double ridge(const Ceilings& ceilings) { return ceilings.peak / ceilings.bandwidth; }

std::optional<Crossover> overtakes_memory(const Ffn& ffn, const Ceilings& ceilings, Resource resource) {
    // slope·T = weights + activations·T, all in seconds.
    const Times one = times(ffn, ceilings, 1);
    const double weights = times(ffn, ceilings, 0).memory;
    const double activations = work(ffn, 1).activation_bytes / ceilings.bandwidth;
    const double slope = one.of(resource) - activations;
    if (!(slope > 0) || weights / slope > most_tokens) return std::nullopt;

    Crossover at;
    at.resource = resource;
    at.tokens = weights / slope;
    // The same arithmetic as the table's, so that the two never disagree about a whole number.
    at.first = first_where([&](std::int64_t tokens) {
        const Times t = times(ffn, ceilings, static_cast<double>(tokens));
        return t.of(resource) >= t.memory;
    });
    if (at.first == 0) return std::nullopt;
    return at;
}

std::vector<Range> binding_ranges(const Ffn& ffn, const Ceilings& ceilings) {
    const auto binding = [&](std::int64_t tokens) {
        return times(ffn, ceilings, static_cast<double>(tokens)).binding();
    };
    // Memory alone has a constant part, so that it can only be first; the steeper of the other two follows it.
    const Resource start = binding(1);
    std::vector<Range> ranges{{1, 0, start}};
    if (start != Resource::memory) return ranges;
    const std::int64_t next = first_where([&](std::int64_t tokens) { return binding(tokens) != Resource::memory; });
    if (next == 0) return ranges;
    ranges.front().to = next - 1;
    ranges.push_back({next, 0, binding(next)});
    return ranges;
}

} // namespace assay::roofline
