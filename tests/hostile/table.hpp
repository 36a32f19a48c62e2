// tests/hostile/README.md's table: what each attack gets at each level, and which levels do not stop it.
#ifndef ASSAY_TESTS_HOSTILE_TABLE_HPP
#define ASSAY_TESTS_HOSTILE_TABLE_HPP

#include "hostile/program.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::hostile {

/// Between these lines of README.md; what stands outside is written by hand.
inline constexpr const char* table_begins = "<!-- The table: written by `assay-hostile write` -->\n";
inline constexpr const char* table_ends = "<!-- The table ends -->\n";

std::string table_of(const std::vector<Program>& programs);

/// `text` with the table of `programs` in the place of its own.
std::string with_table(const std::string& text, const std::vector<Program>& programs);

/// Writes `folder`/README.md anew; an exit code.
int write_table(const std::filesystem::path& folder);

} // namespace assay::hostile

#endif
