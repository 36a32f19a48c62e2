// What --here must know of this machine before it measures: processors, caches, memory that may be taken.
#ifndef ASSAY_ROOFLINE_MACHINE_HPP
#define ASSAY_ROOFLINE_MACHINE_HPP

#include <cstdint>
#include <string>

namespace assay::roofline {

struct Machine {
    std::string processor; // "AMD EPYC 9374F ..."; "" where the system does not tell
    int processors = 1;    // that we may run on
    /// The caches of the last level of those processors together, as the system reports them (in a virtual machine
    /// often the host's, of which a guest gets a part); 0 = not told.
    std::int64_t cache_bytes = 0;
    std::int64_t free_bytes = 0; // that can be taken without swapping, also by a container's limit
};

Machine this_machine();

} // namespace assay::roofline

#endif
