// One bound on the memory and number of all processes of a program, where a cgroup may be made: in version 2 below a
// group that is ours, in version 1 as root.
#ifndef ASSAY_SANDBOX_CGROUP_HPP
#define ASSAY_SANDBOX_CGROUP_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// Where groups may be made.
struct CgroupRoot {
    bool second = false; // version 2: `memory` governs both
    std::filesystem::path memory, processes;
};

/// Found by making a group, bounding it and removing it. Nothing where that is not possible, with the reason in `why`.
std::shared_ptr<const CgroupRoot> find_cgroup_root(std::string& why);

/// A group of one program. Groups are used again: making one costs more than emptying one.
class Cgroup {
  public:
    static Outcome<std::unique_ptr<Cgroup>> make(const CgroupRoot& root, std::uint64_t memory, int processes);
    ~Cgroup();
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;

    /// Open files: whoever writes "0" to each of them enters. They are closed on exec.
    const std::vector<int>& lists() const { return lists_; }

    /// Whether the kernel has killed one of its processes for the bound on memory.
    bool out_of_memory() const;

  private:
    Cgroup() = default;
    std::uint64_t kills() const;
    bool second_ = false;
    std::filesystem::path memory_, processes_;
    std::vector<int> lists_;
    std::uint64_t kills_before_ = 0;
};

/// Removes the groups that wait to be used again.
void remove_cgroups();

} // namespace assay

#endif
