// What the emulation cannot run, found by its name.
#ifndef ASSAY_SIMT_UNSUPPORTED_HPP
#define ASSAY_SIMT_UNSUPPORTED_HPP

#include "rewrite.hpp"
#include "tokens.hpp"

namespace assay::simt {

/// Words and included headers that the emulation lacks, in the order of the source.
std::vector<Unsupported> find_unsupported(const std::vector<Token>& tokens);

} // namespace assay::simt

#endif
