// The script of a level that has none of its own: one call of the contract function that the problem's route names.
#ifndef ASSAY_ATTEMPT_DEFAULT_SCRIPT_HPP
#define ASSAY_ATTEMPT_DEFAULT_SCRIPT_HPP

#include "core/caller.hpp"
#include "core/outcome.hpp"
#include "core/problem.hpp"

#include <span>

namespace assay {

/// Passes each parameter the field of its name; writable parameters are outputs. Outputs carry the parameters' names.
Outcome<Outputs> call_route(Caller& caller, std::span<const Signature> signatures, const Problem& problem);

} // namespace assay

#endif
