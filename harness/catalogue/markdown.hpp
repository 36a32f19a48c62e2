// Markdown for the terminal: the statements and walkthroughs as a person reads them.
#ifndef ASSAY_CATALOGUE_MARKDOWN_HPP
#define ASSAY_CATALOGUE_MARKDOWN_HPP

#include "report/style.hpp"

#include <string>
#include <string_view>

namespace assay {

/// Headings, paragraphs, bullet and numbered lists (nested by indentation), quotes, tables with aligned columns, fenced
/// and indented code, rules; within a line `code`, *emphasis*, **strong**, [text](address). Paragraphs are wrapped at
/// the style's width, code and tables are not. Comments (<!-- -->) are left out.
std::string render_markdown(std::string_view markdown, const Style& style);

} // namespace assay

#endif
