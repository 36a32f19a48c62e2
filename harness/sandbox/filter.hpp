// The seccomp filter: which system calls an attempt, or the compiler of one, is refused, and which end it.
#ifndef ASSAY_SANDBOX_FILTER_HPP
#define ASSAY_SANDBOX_FILTER_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct Filter {
    std::string program;                 // for the kernel; "" where libseccomp could not make it
    std::vector<std::int64_t> forbidden; // calls that end the process
};

/// `processes`: it may start other programs (a compiler, a sanitised attempt's symboliser). `asks`: the kernel asks
/// assay-confine, which can tell the call's name; else it refuses or kills by itself. Made once, then remembered.
const Filter& filter_for(bool processes, bool asks);

/// "ptrace"; "system call 1000" where it has no name.
std::string system_call_name(std::int64_t number);

} // namespace assay

#endif
