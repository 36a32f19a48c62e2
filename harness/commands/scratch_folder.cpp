#include "commands/scratch_folder.hpp"

#include "commands/stop.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace assay {

ScratchFolder::ScratchFolder() {
    std::error_code failed;
    std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
    if (failed) parent = "/tmp";
    std::string name = (parent / "assay-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw Stop(Exit::environment, "no temporary folder can be made in " + parent.string() + " (" +
                                          std::strerror(errno) + "): set TMPDIR to a folder that can be written");
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
}

} // namespace assay
