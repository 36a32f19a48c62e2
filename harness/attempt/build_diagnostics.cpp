// Compilers agree on "file:line: error: ..."; linkers on nothing, so their words for an undefined name are put into one
// form.
#include "attempt/build_diagnostics.hpp"

#include "attempt/type_names.hpp"

#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace assay {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Without terminal colours.
std::string plain(const std::string& text) {
    static const std::regex escape("\x1b\\[[0-9;]*[mK]");
    return std::regex_replace(text, escape, "");
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Paths as the candidate knows them, and no name that differs from run to run.
std::string relative_paths(std::string text, const Stage& stage, const BuildInputs& inputs) {
    text = replace_all(std::move(text), stage.attempt().native() + "/", "");
    text = replace_all(std::move(text), stage.temporary().native() + "/", "");
    text = replace_all(std::move(text), "../contract/", "");
    text = replace_all(std::move(text), inputs.headers.native() + "/", "");
    static const std::regex object("[A-Za-z0-9_.-]*\\b(cc[A-Za-z0-9]{6}|[A-Za-z0-9_]+-[0-9a-f]{6})\\.(o|s)\\b");
    return std::regex_replace(text, object, "attempt.$2");
}

/// "in `x'", "'x'", "x": the name without its quotes.
std::string unquoted(std::string name) {
    while (!name.empty() && (name.back() == '\'' || name.back() == '\r' || name.back() == ' ')) name.pop_back();
    if (!name.empty() && (name.front() == '`' || name.front() == '\'')) name.erase(0, 1);
    return name;
}

/// What the linker missed or found twice, each once, in alphabetical order (mold's own order varies).
std::set<std::string> names_after(const std::vector<std::string>& lines,
                                  std::initializer_list<std::string_view> words) {
    std::set<std::string> names;
    for (const std::string& line : lines)
        for (const std::string_view word : words) {
            const std::size_t at = line.find(word);
            if (at == std::string::npos) continue;
            std::string name = line.substr(at + word.size());
            const std::size_t where = name.find("'; "); // "multiple definition of `x'; a.o:b.cpp: first defined here"
            if (where != std::string::npos) name.erase(where);
            const std::size_t files = name.rfind(": "); // mold names the files first: "duplicate symbol: a.o: b.o: x"
            if (files != std::string::npos) name.erase(0, files + 2);
            names.insert(short_type(unquoted(name)));
            break;
        }
    return names;
}

struct LinkTrouble {
    std::vector<std::string> lines;
    std::string first;
};

LinkTrouble link_trouble(const std::vector<std::string>& lines, const std::string& name) {
    LinkTrouble trouble;
    const auto tell = [&](const std::string& symbol, std::string_view what) {
        trouble.lines.push_back(fmt::format("{}: error: {} {}", name, symbol, what));
        if (trouble.first.empty()) trouble.first = fmt::format("{} {}", symbol, what);
    };
    for (const std::string& symbol : names_after(lines, {"undefined symbol: ", "undefined reference to "}))
        tell(symbol, "is declared and used, but defined nowhere");
    for (const std::string& symbol : names_after(lines, {"duplicate symbol: ", "multiple definition of "}))
        tell(symbol, "is defined more than once");
    return trouble;
}

/// Errors at a place in a source file: how many, and the first as "sdpa.cpp:31: message".
struct Located {
    int count = 0;
    std::string first;
};

Located located_errors(const std::vector<std::string>& lines) {
    static const std::regex error(
        "^(.+?):([0-9]+):(?:[0-9]+:)? (?:fatal error|error|Error|sorry, unimplemented): (.*)$");
    Located located;
    std::smatch match;
    for (const std::string& line : lines) {
        // std::regex recurses once a character: keep it away from monstrous lines.
        if (line.size() > 4096 || !contains(line, ":") || !std::regex_match(line, match, error)) continue;
        ++located.count;
        if (located.first.empty()) located.first = fmt::format("{}:{}: {}", match.str(1), match.str(2), match.str(3));
    }
    return located;
}

/// The line in which the compiler's driver says that something other than the attempt is wrong.
std::optional<std::string> toolchain_trouble(const std::vector<std::string>& lines) {
    static const std::regex driver("^[^ :]*(g\\+\\+|gcc|clang|cc1plus|collect2)[^ :]*: (fatal )?error: .*$");
    for (const std::string& line : lines) {
        if (contains(line, "No space left on device")) return line;
        if (line.size() > 4096 || !std::regex_match(line, driver)) continue;
        if (contains(line, "ld returned") || contains(line, "linker command failed")) continue;
        return line;
    }
    return std::nullopt;
}

/// Over one of our limits; nothing where it was not that.
std::optional<std::string> over_limit(const Ended& ended, const std::string& text, const BuildOptions& options) {
    if (ended.timed_out) return fmt::format("compiling took longer than {} s", options.time_limit.count());
    for (const std::string_view sign :
         {"virtual memory exhausted", "out of memory allocating", "std::bad_alloc", "LLVM ERROR: out of memory",
          "Cannot allocate memory", "Killed signal terminated program"})
        if (contains(text, sign))
            return fmt::format("compiling took more than {:.3g} GiB of memory",
                               static_cast<double>(options.memory_limit) / (1 << 30));
    if (contains(text, "File size limit exceeded") || contains(text, "File too large") || ended.signal == SIGXFSZ)
        return std::string("compiling wrote a file of more than 256 MiB");
    return std::nullopt;
}

std::string cut_at_line(std::string text, bool was_cut) {
    if (text.size() > most_diagnostics) {
        text.resize(most_diagnostics);
        was_cut = true;
    }
    if (!was_cut) return text;
    const std::size_t end = text.rfind('\n');
    if (end != std::string::npos) text.resize(end + 1);
    return text + fmt::format("(cut here: the compiler wrote more than {} KiB)\n", most_diagnostics >> 10);
}

} // namespace

Failure compile_failure(const Ended& ended, const std::string& name, const Stage& stage, const BuildInputs& inputs,
                        const BuildOptions& options, const std::vector<std::string>& notes) {
    const std::string shown = relative_paths(ended.output, stage, inputs);
    const std::vector<std::string> lines = lines_of(plain(shown));
    std::string before;
    for (const std::string& note : notes) before += "note: " + note + "\n";
    Failure failure{Verdict::CE, {}, before + cut_at_line(shown, ended.output_cut)};

    if (const auto limit = over_limit(ended, ended.output, options)) {
        failure.reason = *limit;
        return failure;
    }
    if (const Located located = located_errors(lines); located.count > 0) {
        const std::string more = located.count == 1 ? "" : fmt::format(" (first of {} errors)", located.count);
        failure.reason = fmt::format("it does not compile: {}{}", located.first, more);
        return failure;
    }
    if (const LinkTrouble trouble = link_trouble(lines, name); !trouble.lines.empty()) {
        failure.reason = fmt::format("it does not link: {}", trouble.first);
        failure.detail = before;
        for (const std::string& line : trouble.lines) failure.detail += line + "\n";
        return failure;
    }
    if (const auto broken = toolchain_trouble(lines)) {
        failure.verdict = Verdict::JE;
        failure.reason = fmt::format("the compiler could not do its work: {}", *broken);
        return failure;
    }
    const std::string how =
        ended.exited ? fmt::format("exit code {}", ended.exit_code) : fmt::format("signal {}", ended.signal);
    failure.reason = fmt::format("it does not compile: the compiler ended with {}{}", how,
                                 contains(ended.output, "internal compiler error") ? " after an internal error" : "");
    return failure;
}

} // namespace assay
