// The command line of bubblewrap: an empty root in which only what a program needs is to be seen.
#ifndef ASSAY_SANDBOX_BUBBLEWRAP_HPP
#define ASSAY_SANDBOX_BUBBLEWRAP_HPP

#include "sandbox/layers.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// Where assay-confine is to be found inside.
inline constexpr const char* confine_inside = "/assay-confine";

struct View {
    std::vector<std::filesystem::path> readable; // under the paths that they have outside
    std::vector<std::filesystem::path> writable;
    std::vector<std::filesystem::path> devices;
    std::vector<std::filesystem::path> hidden; // files below readable folders that are shown empty
    std::uint64_t temporary = 0;               // bytes that /tmp may hold; 0 = there is none
};

/// Starts `confine` as process 1 of new process, network, IPC, host and mount name spaces.
std::vector<std::string> bubblewrap_command(const Bubblewrap& how, const View& view,
                                            const std::filesystem::path& confine);

} // namespace assay

#endif
