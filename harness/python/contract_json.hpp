// A contract as JSON: what the Python worker makes its calls from, and what other programs may read.
#ifndef ASSAY_PYTHON_CONTRACT_JSON_HPP
#define ASSAY_PYTHON_CONTRACT_JSON_HPP

#include "core/contract.hpp"

#include <string>

namespace assay {

/// Keys in a fixed order: the same contract, the same bytes. A record's fields stand wherever it is used, so that a
/// reader needs no second look; a field's "initial" is null for what assay::unset holds.
std::string to_json(const Contract& contract);

} // namespace assay

#endif
