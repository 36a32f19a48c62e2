// Small random slips in right code: one token is another, as a tired person might have typed it.
#ifndef ASSAY_TESTS_MUTATE_MUTANTS_HPP
#define ASSAY_TESTS_MUTATE_MUTANTS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mutate {

enum class Group {
    operation, // + for -, < for <=, && for ||, += for =, a sign or a ! dropped, min for max, true for false
    index,     // another loop's index, another extent, one more or one less
    constant,  // 0, 1, 2, 0.5, one more or less, the other sign
};

/// In the source, `length` bytes from `offset` on become `text`.
struct Mutant {
    Group group = Group::operation;
    std::size_t offset = 0, length = 0;
    std::string text;
    int line = 0, column = 0; // from 1
    std::string change;       // "j -> (j + 1)"
};

/// Every mutant of `source`, in the order of their places, no two of the same text. Comments, strings, preprocessor
/// lines, declarations, template arguments and the step of a loop (a loop that never ends teaches nothing) are left
/// alone.
std::vector<Mutant> mutants_of(std::string_view source);

std::string mutated(std::string_view source, const Mutant& mutant);

/// One mutant of one source among several.
struct Pick {
    std::size_t source = 0, mutant = 0;
};

/// `count` different mutants (all, where there are fewer), drawn by `seed`: first a group, each as likely as another,
/// then one of its mutants.
std::vector<Pick> draw(const std::vector<std::vector<Mutant>>& mutants, std::size_t count, std::uint64_t seed);

} // namespace assay::mutate

#endif
