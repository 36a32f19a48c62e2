// The files of a new exercise: y = a x + b, small and complete, to be rewritten into the real one.
#ifndef ASSAY_COMMANDS_SCAFFOLD_HPP
#define ASSAY_COMMANDS_SCAFFOLD_HPP

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct ScaffoldFile {
    std::string path; // "exercises/<id>/contract.hpp"
    std::string text;
};

/// Every file of the exercise `id`, in the order in which they are best read.
std::vector<ScaffoldFile> scaffold(std::string_view id);

namespace detail {
struct ScaffoldTemplate {
    std::string_view path, text; // in both, @ID@ and @GUARD@ stand for the id, as it is and in capitals
};
std::vector<ScaffoldTemplate> question_templates(); // exercises/<id>
std::vector<ScaffoldTemplate> answer_templates();   // solutions/<id>
} // namespace detail

} // namespace assay

#endif
