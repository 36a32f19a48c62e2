// The ground on which hostile attempts are played: what they could steal, change, reach or kill is planted here, and
// looked after when each is done.
#ifndef ASSAY_TESTS_HOSTILE_GROUND_HPP
#define ASSAY_TESTS_HOSTILE_GROUND_HPP

#include "hostile/program.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <sys/types.h>

namespace assay::hostile {

/// What an attack may have done, by name:
///   secret   planted text came back in the record or the report
///   claim    the program saw by itself that it got what it was after
///   file     a file was made or changed that was not its own
///   process  something of it still ran
///   memory   something stayed in shared memory
///   peer     somebody outside was spoken to
///   judge    the judge died, stopped or hung
///   victim   a process that has nothing to do with it died
///   escape   the record or the report holds a terminal command
///   flood    the record or the report is longer than 2 MiB
///   group    a control group was left behind
///   mount    a file system was mounted or unmounted
using Effects = std::set<std::string>;

class Ground {
  public:
    Ground();
    ~Ground();
    Ground(const Ground&) = delete;
    Ground& operator=(const Ground&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    const std::string& secret() const { return secret_; }
    /// Lays the program with what belongs beside it into a folder of its own; gives its source.
    std::filesystem::path lay(const Program& program);

    /// What has happened here since the last call; all of it is cleared away.
    Effects effects();

  private:
    std::filesystem::path folder_;
    std::string secret_;
    int stream_ = -1, datagram_ = -1, local_ = -1;
    int port_ = 0;
    std::string local_name_;
    pid_t bystander_ = -1;
    std::string mounts_;
    int laid_ = 0;

    void open_ports();
    void start_bystander();
    void plant();
    bool spoken_to();
    bool files_changed();
    bool memory_left();
    bool processes_left();
    int reap();
};

/// Whether text that is shown to a person holds a terminal command.
bool holds_escapes(const std::string& text);

} // namespace assay::hostile

#endif
