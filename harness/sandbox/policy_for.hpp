// From what a program needs to what it is told and shown.
#ifndef ASSAY_SANDBOX_POLICY_FOR_HPP
#define ASSAY_SANDBOX_POLICY_FOR_HPP

#include "sandbox/bubblewrap.hpp"
#include "sandbox/confined.hpp"
#include "sandbox/policy.hpp"

#include <optional>
#include <sys/types.h>

namespace assay {

/// The system's files that it needs, and its own.
View view_for(const Needs& needs);

/// `user`: the one that it becomes, if any. The filter is "" where libseccomp could not make the one that is wanted.
Policy policy_for(const Command& command, const Needs& needs, const View& view, const Layers& layers,
                  std::optional<uid_t> user);

} // namespace assay

#endif
