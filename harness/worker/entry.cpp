// Linked into every attempt: the addresses of the contract's functions, in contract order. They are weak, so that an
// attempt that lacks one still links and the entry is null. Compiled once an exercise; it includes the contract alone.
#include "contract.hpp"

#define ASSAY_WEAK(scope, name, names)                                                                                 \
    namespace scope {                                                                                                  \
    [[gnu::weak]] decltype(name) name;                                                                                 \
    }
ASSAY_CONTRACT(ASSAY_WEAK)
#undef ASSAY_WEAK

#define ASSAY_ENTRY(scope, name, names) reinterpret_cast<void (*)()>(&::scope::name),
extern "C" {
__attribute__((visibility("default"))) extern void (*const assay_entry_table[])();
void (*const assay_entry_table[])() = {ASSAY_CONTRACT(ASSAY_ENTRY)};
}
#undef ASSAY_ENTRY
