// One exercise's contract as the worker needs it: how to decode and make each call. glue.cpp is compiled once an
// exercise.
#ifndef ASSAY_WORKER_GLUE_HPP
#define ASSAY_WORKER_GLUE_HPP

#include "wire/argument.hpp"

#include <span>

namespace assay {

struct GlueFunction {
    const char* name;
    void (*invoke)(void (*function)(), Reader& reader, const ArenaView& arena, Writer& results);
    bool method; // has no address of its own in the attempt: the object it is called on knows it
};

/// In the order of the contract's signatures: functions, methods, destructors.
std::span<const GlueFunction> glue_functions();

/// Name of the table of function addresses that entry.cpp puts into every attempt; null = the attempt has none.
inline constexpr const char* entry_symbol = "assay_entry_table";

} // namespace assay

#endif
