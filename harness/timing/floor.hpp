// The time below which no implementation can come on this machine.
#ifndef ASSAY_TIMING_FLOOR_HPP
#define ASSAY_TIMING_FLOOR_HPP

#include "core/bench.hpp"
#include "roofline/ceilings.hpp"

#include <string>

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

/// What a device does at the most, in the arithmetic that a case asks for. 0 = not known.
struct DeviceFloor {
    double flops = 0;            // FLOP/s
    double bytes_per_second = 0; // of its memory
    std::string source;          // of both; where they are not known, why
};

/// Its L2 cache is flushed before each call, so that all inputs come from memory; the `written` bytes of the outputs
/// may still lie in it when the clock stops. Exponentials are left out: no data sheet counts them.
Floor floor_of(const Cost& cost, double written, const DeviceFloor& device);

} // namespace assay::timing

#endif
