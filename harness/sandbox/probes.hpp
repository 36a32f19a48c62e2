// Each layer of isolation is tried by doing, in a child of its own, what it is for. A version or a list of names is no
// proof: containers hide system calls, and distributions switch things off.
#ifndef ASSAY_SANDBOX_PROBES_HPP
#define ASSAY_SANDBOX_PROBES_HPP

#include "sandbox/layers.hpp"

#include <string>
#include <sys/types.h>

namespace assay {

// Each gives what works; else 0, false or nothing, with the reason in `why`.

/// First of the users that a child can become.
uid_t probe_user(std::string& why);
/// Version by which a child was kept from a file that it could read before.
int probe_landlock(std::string& why);
/// Whether a child was refused a call, and another was killed for one. `asks`: the filter can be answered by a process.
bool probe_seccomp(bool& asks, std::string& why);
/// How bubblewrap can be called; tried by running a program under it and `others`.
Bubblewrap probe_bubblewrap(const Layers& others, std::string& why);

} // namespace assay

#endif
