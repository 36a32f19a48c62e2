// The Python that attempts are run by, found on PATH.
#ifndef ASSAY_PYTHON_INTERPRETER_HPP
#define ASSAY_PYTHON_INTERPRETER_HPP

#include "core/outcome.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Interpreter {
    std::filesystem::path program; // absolute; the real one, where what stands on PATH is a script that picks it
    std::string version;           // "python 3.11.2"
    std::vector<std::filesystem::path> folders; // and files that it reads, as far as they exist
    std::string identity;                       // changes whenever what it compiles to does
};

/// The first python3 on PATH that is 3.9 or newer and, where attempts run under a user of their own, within its reach.
/// Asked once a process and PATH. Failure (verdict SKIP, environment): there is none, or only older ones; the sentence
/// says how to mend it.
Outcome<Interpreter> find_interpreter();

} // namespace assay

#endif
