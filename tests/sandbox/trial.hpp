// Runs the program of tries.cpp under chosen layers, and says in words why a test cannot be made here.
#ifndef ASSAY_TESTS_SANDBOX_TRIAL_HPP
#define ASSAY_TESTS_SANDBOX_TRIAL_HPP

#include "catch.hpp"
#include "sandbox/confined.hpp"
#include "sandbox/layers.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace assay::tests {

struct Tried {
    Ended ended;
    /// What came of the word; "" where it was not reached.
    std::string operator[](const std::string& word) const {
        const std::string head = word + ": ", text = "\n" + ended.output;
        const std::size_t at = text.find("\n" + head);
        if (at == std::string::npos) return "";
        const std::size_t start = at + 1 + head.size();
        return text.substr(start, text.find('\n', start) - start);
    }
};

/// For everything but the limits on it; `needs.readable` gets the program itself.
inline Tried try_under(const Layers& layers, const std::vector<std::string>& words, Needs needs = {},
                       const Limits& limits = {}, std::chrono::milliseconds wall = std::chrono::seconds(20)) {
    Command command{{ASSAY_TRIES}, clean_environment(), "/", {}, limits};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    needs.readable.emplace_back(ASSAY_TRIES);
    const Outcome<Ended> ended = run(command, needs, layers, wall);
    if (!ended) FAIL(ended.failure().reason << " " << ended.failure().detail);
    return {*ended};
}

/// Prints one sentence for who reads the log: Catch2 2 has no SKIP.
inline bool skipped(bool lacking, const std::string& sentence) {
    if (lacking) WARN("SKIP: " << sentence);
    return lacking;
}

inline bool lacks(Layer layer) {
    return skipped(!layers_here().has(layer),
                   std::string(name_of(layer)) + " does not work here: " + layers_here().why_not(layer));
}

/// Only the named layers of those that work here; as root always another user as well, since a program that is not
/// kept from anything should at least not be root.
inline Layers only(const std::vector<Layer>& kept) {
    std::vector<Layer> others;
    for (const Layer layer : {Layer::user, Layer::landlock, Layer::seccomp, Layer::bubblewrap, Layer::cgroup}) {
        bool keep = layer == Layer::user;
        for (const Layer one : kept) keep = keep || one == layer;
        if (!keep) others.push_back(layer);
    }
    return without(layers_here(), others);
}

} // namespace assay::tests

#endif
