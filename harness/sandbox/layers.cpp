#include "sandbox/layers.hpp"

#include "sandbox/probes.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace assay {

namespace {

constexpr std::array all_layers{Layer::user, Layer::landlock, Layer::seccomp, Layer::bubblewrap, Layer::cgroup};

/// The names in ASSAY_WITHOUT.
std::vector<std::string> named_without() {
    std::vector<std::string> names;
    const char* set = std::getenv("ASSAY_WITHOUT");
    std::istringstream stream(set != nullptr ? set : "");
    for (std::string name; std::getline(stream, name, ',');)
        if (!name.empty()) names.push_back(name);
    return names;
}

/// Not the user: an attempt that runs as root is nothing to try out.
std::optional<Layer> can_be_left_out(const std::string& name) {
    const auto layer = layer_from(name);
    return layer == Layer::user ? std::nullopt : layer;
}

std::vector<Layer> asked_without() {
    std::vector<Layer> layers;
    for (const std::string& name : named_without())
        if (const auto layer = can_be_left_out(name)) layers.push_back(*layer);
    return layers;
}

bool holds(const std::vector<Layer>& layers, Layer layer) {
    return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

Layers probed() {
    const std::vector<Layer> left_out = asked_without();
    Layers layers;
    const auto why = [&](Layer layer) -> std::string& { return layers.why[static_cast<std::size_t>(layer)]; };
    const auto wanted = [&](Layer layer) { return !holds(left_out, layer); };
    layers.first_user = probe_user(why(Layer::user));
    if (wanted(Layer::landlock)) layers.landlock = probe_landlock(why(Layer::landlock));
    if (wanted(Layer::seccomp)) layers.seccomp = probe_seccomp(layers.filter_asks, why(Layer::seccomp));
    if (wanted(Layer::cgroup)) layers.cgroup = find_cgroup_root(why(Layer::cgroup));
    // Last, since it is tried with all the others in place.
    if (wanted(Layer::bubblewrap)) layers.bubblewrap = probe_bubblewrap(layers, why(Layer::bubblewrap));
    return without(std::move(layers), left_out);
}

} // namespace

bool Layers::has(Layer layer) const {
    switch (layer) {
    case Layer::user: return first_user > 0;
    case Layer::landlock: return landlock > 0;
    case Layer::seccomp: return seccomp;
    case Layer::bubblewrap: return !bubblewrap.program.empty();
    case Layer::cgroup: return cgroup != nullptr;
    }
    return false;
}

Isolation Layers::level() const {
    if (!has(Layer::landlock) || !has(Layer::seccomp)) return Isolation::limits;
    if (!has(Layer::bubblewrap)) return Isolation::filtered;
    return has(Layer::cgroup) ? Isolation::bounded : Isolation::contained;
}

std::vector<std::string> Layers::names() const {
    std::vector<std::string> names;
    for (const Layer layer : all_layers)
        if (has(layer)) names.emplace_back(name_of(layer));
    return names;
}

std::vector<std::string> Layers::withheld_names() const {
    std::vector<std::string> names;
    for (const Layer layer : withheld) names.emplace_back(name_of(layer));
    return names;
}

const Layers& layers_here() {
    static const Layers layers = probed();
    return layers;
}

std::string unknown_withheld() {
    for (const std::string& name : named_without())
        if (!can_be_left_out(name)) return name;
    return "";
}

Layers without(Layers layers, const std::vector<Layer>& left_out) {
    for (const Layer layer : all_layers) {
        if (!holds(left_out, layer)) continue;
        if (layer == Layer::user) layers.first_user = 0;
        if (layer == Layer::landlock) layers.landlock = 0;
        if (layer == Layer::seccomp) layers.seccomp = layers.filter_asks = false;
        if (layer == Layer::bubblewrap) layers.bubblewrap = {};
        if (layer == Layer::cgroup) layers.cgroup.reset();
        layers.why[static_cast<std::size_t>(layer)] = "left out by ASSAY_WITHOUT";
        if (!holds(layers.withheld, layer)) layers.withheld.push_back(layer);
    }
    return layers;
}

} // namespace assay
