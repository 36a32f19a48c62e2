// The seeds that a grading draws its inputs from.
#ifndef ASSAY_COMMANDS_SEEDS_HPP
#define ASSAY_COMMANDS_SEEDS_HPP

#include <cstdint>
#include <map>
#include <string>

namespace assay {

struct Seeds {
    std::uint64_t common = 0;
    std::map<std::string, std::uint64_t> own; // of single exercises
    bool hidden = false;                      // from a file: never shown to candidates

    std::uint64_t of(const std::string& exercise) const;
};

/// `file` ("" = none) is TOML: `seed = 123`, and below [exercises] one a line: `sdpa = 456`. Throws Stop (usage).
Seeds read_seeds(std::uint64_t seed, const std::string& file);

} // namespace assay

#endif
