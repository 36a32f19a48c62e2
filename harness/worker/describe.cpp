// Compiled once an exercise, into the judge: enters the contract's description.
#include "contract.hpp"

#include "wire/describe.hpp"

namespace {

assay::Contract describe() {
    assay::Contract contract;
    assay::detail::Describer describer(contract);
    ASSAY_CONTRACT(ASSAY_DESCRIBE_FUNCTION)
    ASSAY_METHODS(ASSAY_DESCRIBE_METHOD)
    ASSAY_CLASSES(ASSAY_DESCRIBE_CLASS)
    ASSAY_CONSTANTS(ASSAY_DESCRIBE_CONSTANT)
    return contract;
}

[[maybe_unused]] const bool entered = assay::enter_contract(ASSAY_EXERCISE_ID, describe);

} // namespace
