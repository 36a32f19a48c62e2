// Landlock by its system calls: a process gives up every file that is not on its list, for good.
#ifndef ASSAY_SANDBOX_LANDLOCK_HPP
#define ASSAY_SANDBOX_LANDLOCK_HPP

#include "sandbox/policy.hpp"

#include <vector>

namespace assay {

/// Version of the interface that the kernel answers to (1 = Linux 5.13); 0 with errno where there is none.
int landlock_version();

/// Confines the calling thread, and all that it starts, to these files; refuses TCP (from version 4) and signals to
/// processes outside (from version 6) as well. Paths that are not there are passed over. Needs no_new_privs. Makes
/// system calls only: it may run between vfork and exec. 0, or errno.
int restrict_files(int version, const std::vector<FileRule>& files);

} // namespace assay

#endif
