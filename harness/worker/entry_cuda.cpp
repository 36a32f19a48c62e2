// Linked into every CUDA attempt, in the place of entry.cpp: the table of the contract's functions, in contract order,
// each made of the attempt's function of the same name. A function that the CUDA contract or the attempt lacks is null
// there. Compiled once an exercise that has a CUDA contract, against the emulation's headers; for a real device with each
// attempt, by its nvcc.
#include "contract.cuh"

#include "worker/device_call.hpp"

#include <assay/list.hpp>
#include <assay/ranks.hpp>
#include <assay/unset.hpp>
#include <assay/var.hpp>
#include <cstring>

// Wanted for its list of names alone: its functions are overloads of the CUDA contract's. All headers that a contract
// may include stand above.
namespace host_contract {
#include "contract.hpp"
}

#define ASSAY_DEVICE_FUNCTION(scope, name, names_of)                                                                   \
    namespace scope {                                                                                                  \
    [[gnu::weak]] decltype(name) name;                                                                                 \
    }                                                                                                                  \
    namespace {                                                                                                        \
    struct name##_function {                                                                                           \
        static constexpr decltype(::scope::name)* address = &::scope::name;                                            \
        static constexpr const char* names = names_of;                                                                 \
    };                                                                                                                 \
    }
ASSAY_CUDA_CONTRACT(ASSAY_DEVICE_FUNCTION)
#undef ASSAY_DEVICE_FUNCTION

namespace {

struct Row {
    const char* name;
    void (*device)(); // the attempt's, or null
    void (*call)();
};

#define ASSAY_DEVICE_ROW(scope, name, names)                                                                           \
    {#name, reinterpret_cast<void (*)()>(&::scope::name),                                                              \
     reinterpret_cast<void (*)()>(assay::device_call_of<name##_function>(&::scope::name))},
const Row rows[] = {ASSAY_CUDA_CONTRACT(ASSAY_DEVICE_ROW)};
#undef ASSAY_DEVICE_ROW

void (*entry_of(const char* name))() {
    for (const Row& row : rows)
        if (std::strcmp(row.name, name) == 0 && row.device != nullptr) return row.call;
    return nullptr;
}

} // namespace

// Filled as the library is loaded: a weak address is known then.
#define ASSAY_ENTRY(scope, name, names) entry_of(#name),
extern "C" {
__attribute__((visibility("default"))) extern void (*const assay_entry_table[])();
void (*const assay_entry_table[])() = {ASSAY_CONTRACT(ASSAY_ENTRY)};
}
#undef ASSAY_ENTRY
