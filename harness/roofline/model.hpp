// The three times of a feed-forward network on n GPUs (tensor parallel), and where one overtakes another.
//
// The formulas are those of the exercise `roofline`, level 1, with b bytes an element and m matrices (2, gated 3):
//   flops = 2·mTdf   w_bytes = mdf·b   act_bytes = T(2d+f)·b   comm = 2(n-1)/n·T·d·b   (a ring all-reduce, per GPU)
//   t_compute = flops/n/peak   t_memory = (w_bytes/n + act_bytes)/bandwidth   t_network = comm/link
// A gated network's two products are taken as fused: one hidden of f is written.
#ifndef ASSAY_ROOFLINE_MODEL_HPP
#define ASSAY_ROOFLINE_MODEL_HPP

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::roofline {

struct Ffn {
    std::int64_t d_model = 0;
    std::int64_t hidden = 0;
    bool gated = false;
    std::int64_t gpus = 1;
    double element_bytes = 2;
};

struct Ceilings {
    double peak = 0;      // FLOP/s of one GPU, dense
    double bandwidth = 0; // bytes/s of its memory
    double link = 0;      // bytes/s to the others, one direction; not looked at where gpus = 1
};

enum class Resource { compute, memory, network };

const char* name_of(Resource resource);

struct Work {
    double flops = 0, weight_bytes = 0, activation_bytes = 0; // of the whole network
    double communication_bytes = 0;                           // per GPU
};

struct Times {
    double compute = 0, memory = 0, network = 0; // seconds

    double of(Resource resource) const;
    Resource binding() const; // the longest; equal ones: compute before memory before network
    double bound() const { return of(binding()); }
};

/// Real-valued tokens, so that a curve can be drawn.
Work work(const Ffn& ffn, double tokens);
Times times(const Ffn& ffn, const Ceilings& ceilings, double tokens);

/// FLOP per byte above which memory no longer binds.
double ridge(const Ceilings& ceilings);

/// Where `resource` overtakes memory, which alone does not start at 0 for T = 0. Compute and network are both
/// proportional to T, so that neither ever overtakes the other.
struct Crossover {
    Resource resource = Resource::compute;
    double tokens = 0;      // where the two lines meet
    std::int64_t first = 0; // the least whole number of tokens at which `resource` takes at least as long as memory
};

/// Nothing where memory stays the longer at any number of tokens.
std::optional<Crossover> overtakes_memory(const Ffn& ffn, const Ceilings& ceilings, Resource resource);

/// `resource` binds from `from` tokens to `to`; to = 0: without end.
struct Range {
    std::int64_t from = 1, to = 0;
    Resource resource = Resource::memory;
};

/// From 1 token on.
std::vector<Range> binding_ranges(const Ffn& ffn, const Ceilings& ceilings);

} // namespace assay::roofline

#endif
