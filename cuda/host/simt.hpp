// The emulation as whoever runs an attempt sees it: the order of lanes, findings, and what a run used.
#ifndef ASSAY_SIMT_HPP
#define ASSAY_SIMT_HPP

#include "findings.hpp"

#include <cstdint>
#include <string>

namespace assay::simt {

/// Order of threads and blocks in launches from now on (lane_order.hpp); 0 = as numbered, which it is at first.
void set_order(std::uint64_t seed);
/// The pattern of poison from now on: `poison`, which it is at first, or `loud_poison` (abi.hpp).
void set_poison(unsigned short pattern);
/// Whether threads are interrupted before writes, in launches of attempts that were compiled for it (interrupt.cpp).
void set_interrupting(bool on);
/// Memory that the caller's device pointers point into, as the judge's arena: copies in the wrong direction are told.
void add_device_memory(const void* begin, std::size_t bytes);
/// Called with true before device code or a copy runs, and with false after it: the caller's memory may be closed to
/// host code in between. Null: it stays open.
void set_memory_gate(void (*gate)(bool open));
const std::vector<Finding>& findings();

struct Use {
    std::uint64_t launches = 0, threads = 0, switches = 0;
    std::size_t unfreed = 0, unfreed_bytes = 0; // what cudaMalloc gave and cudaFree did not get back
};
Use used();
/// As if the device were reset: findings, errors, allocations, attributes and counts are gone; the order stays.
void reset();
/// Between two calls of an attempt: findings, errors and the caller's memory are gone, what the attempt keeps on the
/// device stays.
void forget_failures();
/// Why the latest launch that was refused was: kernel, place, what was asked for and what is allowed. "" where none
/// was.
const std::string& refusal();
/// Adds a finding where memory that cudaMalloc gave, and nobody has freed, was written past its end.
void check_guards();

/// Whether a crash at `address` is a kernel's thread that overflowed its stack.
bool is_stack_overflow(const void* address);
/// Whether the value is memory that nobody wrote, or came out of arithmetic with such.
bool is_poison(float value);

/// All of the above for a process that loads the attempt and the runtime with dlopen: plain C, found by its name.
struct FindingView {
    const char *kind, *sentence, *file, *kernel; // valid until the next launch or reset
    int line, ended_launch;
};
struct Control {
    void (*set_order)(unsigned long long seed);
    void (*add_device_memory)(const void* begin, unsigned long long bytes);
    unsigned long long (*findings)();
    FindingView (*finding)(unsigned long long index);
    int (*is_stack_overflow)(const void* address);
    void (*reset)();
};
inline constexpr const char* control_symbol = "assay_simt_control";

} // namespace assay::simt

extern "C" const assay::simt::Control assay_simt_control;

#endif
