// Your attempt at `roofline`. README.md beside this file says what is asked; contract.hpp has the records.
//
// Everything here compiles and runs, and leaves every item unset, which is the right answer to invalid input only.
// Fill in a record item by item, in its order: the report points at the first that is wrong. Each function fails only
// its own level. Any standard header is welcome.
#include "contract.hpp"

namespace roofline {

// Level 1: the three costs in FLOPs and bytes, the three times, and which of them binds.
costs count(ffn layer, chip gpu) {
    // costs c;
    // c.peak_flops = ...; the other eleven items follow from it, layer and gpu
    // return c;
    (void)layer, (void)gpu;
    return {};
}

// Level 2: the ridge, the intensity, and from how many tokens on compute binds.
balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element) {
    (void)layer, (void)gpu, (void)bytes_per_element;
    return {};
}

// Level 3: the same layer, looked at more closely.
refined refine(ffn layer, chip gpu, fabric wires, design kind) {
    (void)layer, (void)gpu, (void)wires, (void)kind;
    return {};
}

// Level 4: the largest group whose last GPU still takes `share` off the time.
group largest_group(ffn layer, chip gpu, fabric wires, design kind, double share) {
    (void)layer, (void)gpu, (void)wires, (void)kind, (void)share;
    return {};
}

// Level 4: the smallest batch at which compute binds.
batch least_batch(ffn layer, chip gpu, fabric wires, design kind) {
    (void)layer, (void)gpu, (void)wires, (void)kind;
    return {};
}

// Level 4: the times with one thing doubled, and the best of them.
doubling what_to_double(ffn layer, chip gpu, fabric wires, design kind) {
    (void)layer, (void)gpu, (void)wires, (void)kind;
    return {};
}

// Bonus: the all-reduce over a ring, and inside the switch.
reducing reduce(ffn layer, chip gpu, fabric wires, design kind) {
    (void)layer, (void)gpu, (void)wires, (void)kind;
    return {};
}

} // namespace roofline
