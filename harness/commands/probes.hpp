// What `assay doctor` asks the machine. Each probe tries the thing itself; a list of names is no proof.
#ifndef ASSAY_COMMANDS_PROBES_HPP
#define ASSAY_COMMANDS_PROBES_HPP

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Absolute path of the program on PATH; "" where there is none.
std::string program_on_path(std::string_view name);

/// The command that installs `debian` (or what it is called elsewhere) on this distribution.
std::string install_command(std::string_view debian, std::string_view fedora, std::string_view arch);

/// "" where files can be made in `folder` (which is made when missing), else the reason.
std::string unwritable(const std::filesystem::path& folder);

} // namespace assay

#endif
