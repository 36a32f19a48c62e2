// What judge and worker say to each other, and the page they share.
//
// On start the worker says   hello:  version, n functions, then n flags (true = the attempt has it); or version, -1,
// text Then, a call at a time     call:   number of regions, (offset, length, data offset, data length) each; function
// index;
//                                    then the arguments in order (argument.hpp)
//                            reply:  status, type of the exception, its text; then, where done, the returned
//                                    record's fields, or the ranked_results of a ranked function
// A worker that times its calls on a device says between a call and its reply, twice (an empty turn, then the call):
//                            ready; the judge answers go; over, seconds by events, seconds by its own clock
// An index of one past the last function is the empty call: it is answered by done, which measures the way there and
// back. The judge closes the channel to end the worker.
#ifndef ASSAY_WIRE_PROTOCOL_HPP
#define ASSAY_WIRE_PROTOCOL_HPP

#include <cstddef>
#include <cstdint>

namespace assay {

inline constexpr std::int64_t protocol_version = 2;

/// Descriptors in the worker.
inline constexpr int channel_descriptor = 3;
inline constexpr int arena_descriptor = 4;

inline constexpr std::int64_t page_bytes = 4096;

enum class Status : std::int64_t {
    done = 0,
    exception = 1, // the call let one out
    no_memory = 2, // the exception was std::bad_alloc
    bad_message = 3,
    missing = 4, // the attempt has no such function
};
inline constexpr std::int64_t last_status = 4;

/// The first number of what is said in a timed turn. None of them is a status: a reply cannot be taken for one.
enum class Turn : std::int64_t { ready = 100, go = 101, over = 102 };

/// The worker's option by which calls on a device are timed.
inline constexpr const char* timed_option = "--timed";

/// A part of the arena that the call may touch, in bytes from its start: whole pages [offset, offset + length), of
/// which [data, data + data_length) is the tensor and the rest canary.
struct Region {
    std::int64_t offset = 0;
    std::int64_t length = 0;
    std::int64_t data = 0;
    std::int64_t data_length = 0;
};
inline constexpr std::int64_t most_regions = 64;

/// First page of the arena, written by the worker's signal handler for the judge to word its report by; the judge takes
/// no decision from it.
struct ControlPage {
    std::int32_t signal;
    std::int32_t stack_overflow; // the fault lay at the end of the stack
    std::int32_t error_number;   // errno at the time: ENOMEM tells of a refused allocation
    std::int32_t in_arena;       // the fault lay in the arena, at
    std::int64_t arena_offset;   // this many bytes from its start
    std::uint64_t address;
};
static_assert(sizeof(ControlPage) <= static_cast<std::size_t>(page_bytes));

} // namespace assay

#endif
