// What stands within one line of Markdown.
#ifndef ASSAY_CATALOGUE_MARKDOWN_INLINE_HPP
#define ASSAY_CATALOGUE_MARKDOWN_INLINE_HPP

#include "report/style.hpp"

#include <string>
#include <string_view>

namespace assay::markdown {

/// Without spaces (and carriage returns) at either end.
std::string_view trimmed(std::string_view text);

bool starts_with(std::string_view text, std::string_view start);

/// `text` with each word painted by itself, so that colour survives wrapping and never spans an indent.
std::string painted_words(const Style& style, Paint paint, std::string_view text);

/// Code spans, strong, emphasis and links of one paragraph.
std::string inline_text(std::string_view text, const Style& style);

} // namespace assay::markdown

#endif
