// The part of the filter that only the process itself can write, since it holds its number.
#ifndef ASSAY_SANDBOX_OWN_FILTER_HPP
#define ASSAY_SANDBOX_OWN_FILTER_HPP

#include <string_view>

namespace assay {

/// Installs a small filter: calls newer than those that filter.cpp was written for do not exist; personality() only as
/// AddressSanitizer uses it; with `own_signals_only`, signals and limits for this very process alone. Needs
/// no_new_privs; makes system calls only. 0, or errno.
int install_own_filter(bool own_signals_only);

/// Installs `program`. Where it `asks`, `listener` becomes the descriptor that answers. 0, or errno.
int install_filter(std::string_view program, bool asks, int& listener);

} // namespace assay

#endif
