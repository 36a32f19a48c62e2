#include "sandbox/isolation.hpp"

#include <array>
#include <cstddef>

namespace assay {

namespace {

constexpr std::array<std::string_view, 4> levels{"limits", "filtered", "contained", "bounded"};
constexpr std::array<std::string_view, 4> meanings{
    "an attempt runs in a process of its own with limits; it can still read your files",
    "an attempt reaches only the files and system calls it needs",
    "an attempt sees neither your files, nor other processes, nor the network",
    "an attempt is contained, and all its processes together have one bound on memory and number",
};
constexpr std::array<std::string_view, 5> layers{"user", "landlock", "seccomp", "bubblewrap", "cgroup"};

template <class Value, std::size_t count>
std::optional<Value> found(const std::array<std::string_view, count>& names, std::string_view name) {
    for (std::size_t i = 0; i < count; ++i)
        if (names[i] == name) return static_cast<Value>(i);
    return std::nullopt;
}

} // namespace

std::string_view name_of(Isolation level) { return levels[static_cast<std::size_t>(level)]; }
std::string_view meaning_of(Isolation level) { return meanings[static_cast<std::size_t>(level)]; }
std::optional<Isolation> isolation_from(std::string_view name) { return found<Isolation>(levels, name); }
std::string_view name_of(Layer layer) { return layers[static_cast<std::size_t>(layer)]; }
std::optional<Layer> layer_from(std::string_view name) { return found<Layer>(layers, name); }

} // namespace assay
