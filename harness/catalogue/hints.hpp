// hints.md: a section for each level ("## <level id>"), in it one hint after another.
#ifndef ASSAY_CATALOGUE_HINTS_HPP
#define ASSAY_CATALOGUE_HINTS_HPP

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The hints of each level id, from a nudge to nearly the answer. Within a section, lines "### ..." or a numbered list
/// part one hint from the next; without them the section is one hint. Text before the first section is left out.
std::map<std::string, std::vector<std::string>> split_hints(std::string_view markdown);

} // namespace assay

#endif
