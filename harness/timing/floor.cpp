#include "timing/floor.hpp"

namespace assay::timing {

Floor floor_of(const Cost& cost, const roofline::MachineLimits& limits) {
    Floor floor;
    if (limits.flops > 0) floor.compute += cost.flops / limits.flops;
    if (limits.exponentials > 0) floor.compute += cost.exponentials / limits.exponentials;
    const bool known = limits.cache_bytes > 0 && limits.array_bytes >= 2 * limits.cache_bytes;
    const double beyond = cost.bytes - static_cast<double>(limits.cache_bytes);
    if (known && limits.bandwidth > 0 && beyond > 0) floor.memory = beyond / limits.bandwidth;
    return floor;
}

Floor floor_of(const Cost& cost, double written, const DeviceFloor& device) {
    Floor floor;
    if (device.flops > 0) floor.compute = cost.flops / device.flops;
    if (device.bytes_per_second > 0 && cost.bytes > written)
        floor.memory = (cost.bytes - written) / device.bytes_per_second;
    return floor;
}

} // namespace assay::timing
