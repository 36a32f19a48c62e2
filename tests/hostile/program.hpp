// A hostile attempt as its file describes it: what it tries, what it must get at which level of isolation, and which
// levels cannot stop it.
#ifndef ASSAY_TESTS_HOSTILE_PROGRAM_HPP
#define ASSAY_TESTS_HOSTILE_PROGRAM_HPP

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace assay::hostile {

/// The levels of isolation, lowest first, as the sandbox names them.
inline const std::vector<std::string> levels{"limits", "filtered", "contained", "bounded"};

/// A file's header, a line a field:
///   // Attack: <sentence>
///   // Expect: RTE            verdicts, of which it must get one; "unusable" = refused before it is an attempt
///   // Expect at limits: AC   the same for levels at which they differ
///   // Open at: limits        levels that do not stop its effect
///   // Open to its user at: limits    the same where an ordinary user runs Assay: attempts have no user of their own
///   // Proof: secret          the effect that would show; each is looked for after every attack (effects.hpp)
///   // Exercise: batching batcher     exercise and level asked; sdpa and formula where not given
///   // Name: @attempt.cpp     of the file it is laid as
///   // Link: leak.h public    laid beside it: a link to the public secret
///   // Pipe: slow.h           laid beside it: a pipe
///   // Source is a link: public, // Source is a pipe      in place of the source
///   // Begins with: !<arch>   put before its text
///   // As it stands           its header is not laid: it is no C++
///   // Then: <program>        of then/, played after it
///   // Second look            a crash is built again with sanitisers
///   // CPU seconds: 4         that a call may take; else one
///   // Slow: <why>            takes seconds; left to the long suite
///   // Needs: ...             would end its user's other processes: not played where nothing holds it
///   // Waits for bench: <what has to defend it>
/// "<ESC>" and "<BEL>" in text and name stand for these characters.
struct Program {
    std::string name; // "run/exit"
    std::string kind; // "run"
    std::filesystem::path file;
    std::string attack;
    std::map<std::string, std::vector<std::string>> expected; // by level
    std::vector<std::string> open, open_to_user;              // levels
    std::string proof;
    std::string exercise = "sdpa", asked = "formula";
    std::string laid_as;
    std::vector<std::pair<std::string, std::string>> links; // (name, which secret)
    std::vector<std::string> pipes;
    std::string source_link;
    bool source_pipe = false;
    std::string begins_with;
    bool bare = false;
    std::string then;
    double cpu_seconds = 1;
    bool second_look = false;
    bool slow = false;
    bool needs_holding = false;
    std::string waits;

    /// `own_user`: attempts run under a user of their own.
    bool is_open_at(const std::string& level, bool own_user) const;
};

/// Throws std::runtime_error with file and line where a header is not as above.
Program read_program(const std::filesystem::path& file);

/// All of `attempts`/<kind>/*.cpp by name, save those of then/.
std::vector<Program> programs_in(const std::filesystem::path& attempts);

/// The text as it is laid.
std::string laid_text(const Program& program);

} // namespace assay::hostile

#endif
