// What a launch did that CUDA leaves undefined, as values: the runtime ends no process.
#ifndef ASSAY_SIMT_FINDINGS_HPP
#define ASSAY_SIMT_FINDINGS_HPP

#include "include/assay_simt/abi.hpp"

#include <string>
#include <vector>

namespace assay::simt {

struct Finding {
    std::string kind;     // "divergent-barrier", "missing-lane", "mask", "inactive-lane", "spin", "overrun", ...
    std::string sentence; // what, where, how to mend it
    std::string file;
    int line = 0; // 0: no line is known
    std::string kernel;
    bool ended_launch = false; // false: the launch went on, with poison in place of what is undefined
};

/// Each (kind, file, line) once, at most 32: the first ones tell the rest.
class Findings {
  public:
    void add(Finding finding);
    const std::vector<Finding>& all() const { return all_; }
    void clear() { all_.clear(); }

  private:
    std::vector<Finding> all_;
};

/// "attempt.cu:12"
std::string place(Where where);
/// "thread (3,0,0)"
std::string thread_name(uint3 index);
bool same_place(Where a, Where b);

} // namespace assay::simt

#endif
