// The time below which no implementation can come on this machine.
#ifndef ASSAY_TIMING_FLOOR_HPP
#define ASSAY_TIMING_FLOOR_HPP

#include "core/bench.hpp"
#include "roofline/ceilings.hpp"

namespace assay::timing {

struct Floor {
    double compute = 0; // seconds: FLOP / peak + exponentials / their rate, since both take the same units
    double memory = 0;  // seconds: bytes that no cache can hold / bandwidth; 0 where all may lie in one
    double seconds() const { return compute > memory ? compute : memory; }
    bool by_memory() const { return memory > compute; }
};

/// The judge has just written the inputs: as much of them as the caches hold may still lie there, and the rest comes
/// from memory. That is known only where the bandwidth was measured over twice as much as the caches hold.
Floor floor_of(const Cost& cost, const roofline::MachineLimits& limits);

} // namespace assay::timing

#endif
