// Which layers of isolation work here, found by doing what each of them does.
#ifndef ASSAY_SANDBOX_LAYERS_HPP
#define ASSAY_SANDBOX_LAYERS_HPP

#include "sandbox/cgroup.hpp"
#include "sandbox/isolation.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace assay {

/// How bubblewrap is called here.
struct Bubblewrap {
    std::string program;              // "" = not to be used
    bool user_space = false;          // a user name space of its own; not as root, who changes the user instead
    bool no_more_user_spaces = false; // --disable-userns, from 0.8 on; seccomp refuses them as well
    bool proc = false;                // a /proc of its own may be mounted (not in every container)
};

struct Layers {
    uid_t first_user = 0; // of those that attempts run under; 0 = as ourselves
    int landlock = 0;     // version of the interface
    bool seccomp = false;
    bool filter_asks = false; // calls that are not allowed can be told by name
    Bubblewrap bubblewrap;
    std::shared_ptr<const CgroupRoot> cgroup;
    std::array<std::string, 5> why; // by Layer: why it is not there
    std::vector<Layer> withheld;    // by ASSAY_WITHOUT

    bool has(Layer layer) const;
    Isolation level() const;
    /// "landlock", "seccomp", ...: what is in use, lowest first.
    std::vector<std::string> names() const;
    std::vector<std::string> withheld_names() const;
    const std::string& why_not(Layer layer) const { return why[static_cast<std::size_t>(layer)]; }
};

/// All that works here, probed at the first call. ASSAY_WITHOUT="bubblewrap,cgroup" leaves layers out: it can only
/// lower the level. A name in it that is no layer's, or the user's, withholds nothing and is told by
/// unknown_withheld().
const Layers& layers_here();
std::string unknown_withheld();

/// The same with these layers left out as well.
Layers without(Layers layers, const std::vector<Layer>& left_out);

} // namespace assay

#endif
