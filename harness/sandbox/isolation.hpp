// The names of what stands between an attempt and the machine: levels that can be demanded, and the layers they are
// made of.
#ifndef ASSAY_SANDBOX_ISOLATION_HPP
#define ASSAY_SANDBOX_ISOLATION_HPP

#include <optional>
#include <string_view>

namespace assay {

/// A level holds where its own layers and those of every lower level work.
enum class Isolation {
    limits,    // a process of its own with limits on time, memory, files, processes and output; nothing of it survives
    filtered,  // and it reaches only the files it needs (Landlock) and no system call it does not need (seccomp)
    contained, // and it has its own process, network, mount, IPC and host name spaces (bubblewrap)
    bounded,   // and all its processes together have one bound on memory and number (cgroup)
};

/// "limits", "filtered", "contained", "bounded".
std::string_view name_of(Isolation level);
std::optional<Isolation> isolation_from(std::string_view name);

/// What it means, for a person.
std::string_view meaning_of(Isolation level);

enum class Layer {
    user, // an unprivileged user of its own: only where Assay runs as root
    landlock,
    seccomp,
    bubblewrap,
    cgroup,
};

/// "user", "landlock", "seccomp", "bubblewrap", "cgroup".
std::string_view name_of(Layer layer);
std::optional<Layer> layer_from(std::string_view name);

} // namespace assay

#endif
