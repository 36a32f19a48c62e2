// Reads a Python file's imports off its text, without a parser.
#ifndef ASSAY_ATTEMPT_IMPORT_SCAN_HPP
#define ASSAY_ATTEMPT_IMPORT_SCAN_HPP

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The top-level names of the modules that the file imports, each once, in order: "helper" of `import helper.part` and
/// of `from helper import x`. What looks like an import inside a string is taken for one, which costs at most a file
/// staged in vain.
std::vector<std::string> find_imports(std::string_view text);

} // namespace assay

#endif
