#include "oracle_forms.hpp"

namespace assay::sdpa_judge {

Switch slip(Slip which, Scope scope, bool variant) {
    Switch as;
    as.slip = which;
    as.scope = scope;
    as.variant = variant;
    return as;
}

Switch guarded(Slip which, Guard guard, bool variant, Scope scope) {
    Switch as = slip(which, scope, variant);
    as.guard = guard;
    return as;
}

Switch blocked(Slip which, std::size_t block, Part part) {
    Switch as = slip(which, block == 0 ? Scope::stream : Scope::whole);
    as.block = block;
    as.part = part;
    return as;
}

Switch masked_to(double value, bool added) {
    Switch as = slip(Slip::sentinel, Scope::everywhere, added);
    as.sentinel = value;
    return as;
}

Switch narrow(Slip which, Scope scope, Part part, bool variant) {
    Switch as = slip(which, scope, variant);
    as.part = part;
    return as;
}

std::vector<Form> on_halves(const char* level, Slip which, std::initializer_list<Part> parts,
                            std::initializer_list<bool> variants) {
    std::vector<Form> forms;
    for (const Scope scope : {Scope::halves, Scope::f16, Scope::bf16})
        for (const Part part : parts)
            for (const bool variant : variants) forms.push_back({level, narrow(which, scope, part, variant)});
    return forms;
}

std::vector<Form> in_blocks(Slip which, std::initializer_list<Part> parts) {
    std::vector<Form> forms;
    for (const Part part : parts)
        for (const std::size_t block :
             {std::size_t{1}, std::size_t{4}, std::size_t{16}, std::size_t{32}, std::size_t{64}})
            forms.push_back({"formula", blocked(which, block, part)});
    for (const Part part : parts) forms.push_back({"streaming", blocked(which, 0, part)});
    return forms;
}

std::vector<Form> dropped_blocks() {
    std::vector<Form> forms;
    for (const std::size_t block : {std::size_t{4}, std::size_t{8}, std::size_t{16}, std::size_t{32}, std::size_t{64}})
        forms.push_back({"formula", blocked(Slip::partial_block_dropped, block)});
    return forms;
}

std::vector<Form> masked_first_blocks() {
    std::vector<Form> forms;
    for (const std::size_t block : {std::size_t{1}, std::size_t{4}, std::size_t{16}, std::size_t{32}, std::size_t{64}})
        forms.push_back({"masks", blocked(Slip::first_block_masked_nan, block)});
    forms.push_back({"streaming", slip(Slip::first_block_masked_nan, Scope::stream)});
    forms.push_back({"streaming", slip(Slip::first_block_masked_nan, Scope::stream, true)});
    return forms;
}

std::vector<Form> on_gradients(Slip which, std::initializer_list<Of> parts, std::initializer_list<bool> variants) {
    std::vector<Form> forms;
    for (const Of of : parts)
        for (const bool variant : variants) {
            Switch as = slip(which, Scope::backward, variant);
            as.of = of;
            forms.push_back({"gradients", as});
        }
    return forms;
}

} // namespace assay::sdpa_judge
