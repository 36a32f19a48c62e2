#include "commands/isolation.hpp"

#include "commands/probes.hpp"
#include "commands/stop.hpp"
#include "report/text.hpp"

#include <fmt/format.h>
#include <initializer_list>
#include <unistd.h>

namespace assay {

namespace {

/// The lowest layer without which `level` is not reached.
Layer lacking_for(Isolation level, const Layers& layers) {
    if (!layers.has(Layer::landlock)) return Layer::landlock;
    if (!layers.has(Layer::seccomp)) return Layer::seccomp;
    if (level >= Isolation::contained && !layers.has(Layer::bubblewrap)) return Layer::bubblewrap;
    return Layer::cgroup;
}

} // namespace

void require_isolation(const std::string& name) {
    if (const std::string unknown = unknown_withheld(); !unknown.empty())
        throw Stop(Exit::usage,
                   fmt::format("ASSAY_WITHOUT names '{}', which is no layer that can be left out: it may name "
                               "landlock, seccomp, bubblewrap and cgroup, with commas between",
                               printable(unknown)));
    if (name.empty()) return;
    const auto level = isolation_from(name);
    if (!level)
        throw Stop(Exit::usage, fmt::format("no such level of isolation: {} (limits, filtered, contained or bounded)",
                                            printable(name)));
    const Layers& layers = layers_here();
    if (layers.level() >= *level) return;
    const Layer lacking = lacking_for(*level, layers);
    throw Stop(Exit::environment,
               fmt::format("isolation '{}' is required and '{}' is what this machine gives: no {} ({}): {}", name,
                           name_of(layers.level()), name_of(lacking), layers.why_not(lacking),
                           mend_of(lacking, layers)));
}

std::string mend_of(Layer layer, const Layers& layers) {
    for (const Layer left_out : layers.withheld)
        if (left_out == layer) return "take it out of ASSAY_WITHOUT";
    switch (layer) {
    case Layer::user: return "run it where root may change its user (a container that maps users up to 60955)";
    case Layer::landlock:
        return "a kernel from 5.13 on that was started with landlock in its list of security modules "
               "(lsm=landlock,...)";
    case Layer::seccomp: return "a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)";
    case Layer::bubblewrap:
        if (layers.why_not(layer) == "it is not installed")
            return install_command("bubblewrap", "bubblewrap", "bubblewrap");
        if (::geteuid() == 0) // of a container, most likely
            return "docker run --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt "
                   "apparmor=unconfined --security-opt systempaths=unconfined";
        return "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04, or an AppArmor profile for "
               "bwrap); docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined";
    case Layer::cgroup: return "systemd-run --user --scope -p Delegate=yes assay ..., or root";
    }
    return "";
}

} // namespace assay
