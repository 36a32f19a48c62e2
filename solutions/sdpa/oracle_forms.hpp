// The forms that one slip takes: where it is made, with which guard, block or part. For the list of mistakes.
#ifndef ASSAY_SDPA_ORACLE_FORMS_HPP
#define ASSAY_SDPA_ORACLE_FORMS_HPP

#include "oracle_slips.hpp"

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace assay::sdpa_judge {

struct Form {
    const char* level;
    Switch as;
};

Switch slip(Slip which, Scope scope = Scope::everywhere, bool variant = false);
Switch guarded(Slip which, Guard guard, bool variant = false, Scope scope = Scope::everywhere);
Switch blocked(Slip which, std::size_t block, Part part = Part::both);
Switch masked_to(double value, bool added);
Switch narrow(Slip which, Scope scope, Part part = Part::both, bool variant = false);
std::vector<Form> on_halves(const char* level, Slip which, std::initializer_list<Part> parts,
                            std::initializer_list<bool> variants);
std::vector<Form> in_blocks(Slip which, std::initializer_list<Part> parts);
std::vector<Form> dropped_blocks();
std::vector<Form> masked_first_blocks();
/// Of the gradients: once a value of `parts`, each once a variant.
std::vector<Form> on_gradients(Slip which, std::initializer_list<Of> parts, std::initializer_list<bool> variants);

} // namespace assay::sdpa_judge

#endif
