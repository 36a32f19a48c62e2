// Compilers agree on "file:line: error: ..."; linkers on nothing, so their words for an undefined name are put into one
// form.
#include "attempt/build_diagnostics.hpp"

#include "attempt/type_names.hpp"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <fmt/format.h>
#include <optional>
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

// Everything here is scanned by hand: std::regex takes half a minute over 64 KiB of long lines.

/// Without terminal colours: "ESC [ digits m" and "ESC [ K".
std::string plain(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b' || i + 1 == text.size() || text[i + 1] != '[') {
            result += text[i];
            continue;
        }
        i = std::min(text.find_first_not_of("0123456789;", i + 2), text.size());
    }
    return result;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A compiler's name for a temporary object: "ccAb12Yz" (g++) or "sdpa-1a2b3c" (clang).
bool is_temporary_name(std::string_view name) {
    if (name.size() == 8 && name.substr(0, 2) == "cc") return true;
    return name.size() > 7 && name[name.size() - 7] == '-' &&
           name.substr(name.size() - 6).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Temporary objects under one name that does not differ from run to run.
std::string stable_names(const std::string& text) {
    std::string result;
    std::size_t taken = 0;
    for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.', dot + 1)) {
        const char kind = dot + 1 < text.size() ? text[dot + 1] : ' ';
        if ((kind != 'o' && kind != 's') || (dot + 2 < text.size() && is_word(text[dot + 2]))) continue;
        std::size_t start = dot;
        while (start > taken && (is_word(text[start - 1]) || text[start - 1] == '-')) --start;
        if (!is_temporary_name(std::string_view(text).substr(start, dot - start))) continue;
        result += text.substr(taken, start - taken) + "attempt";
        taken = dot;
    }
    return result + text.substr(taken);
}

/// Paths as the candidate knows them.
std::string relative_paths(std::string text, const Stage& stage, const BuildInputs& inputs) {
    text = replace_all(std::move(text), stage.attempt().native() + "/", "");
    text = replace_all(std::move(text), stage.temporary().native() + "/", "");
    text = replace_all(std::move(text), "../contract/", "");
    text = replace_all(std::move(text), "../rewritten/", "");
    return stable_names(replace_all(std::move(text), inputs.headers.native() + "/", ""));
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

/// A line that says "PLACE: error: MESSAGE", taken apart.
struct ErrorLine {
    std::string place, message;
};

std::optional<ErrorLine> error_line(const std::string& line) {
    for (const std::string_view mark : {": error: ", ": fatal error: ", ": Error: ", ": sorry, unimplemented: "}) {
        const std::size_t at = line.find(mark);
        if (at != std::string::npos) return ErrorLine{line.substr(0, at), line.substr(at + mark.size())};
    }
    return std::nullopt;
}

/// Takes ":12" off the end.
bool take_number(std::string& place, std::string& number) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || colon + 1 == place.size()) return false;
    number = place.substr(colon + 1);
    if (number.find_first_not_of("0123456789") != std::string::npos) return false;
    place.resize(colon);
    return true;
}

/// Errors at a place in a source file: how many, and the first as "sdpa.cpp:31: message".
struct Located {
    int count = 0;
    std::string first;
};

Located located_errors(const std::vector<std::string>& lines) {
    Located located;
    for (const std::string& line : lines) {
        auto error = error_line(line);
        std::string row, column;
        if (!error || !take_number(error->place, row)) continue;
        if (take_number(error->place, column)) row = column; // the last number was the column
        ++located.count;
        if (located.first.empty()) located.first = fmt::format("{}:{}: {}", error->place, row, error->message);
    }
    return located;
}

/// The line in which the compiler's driver says that something other than the attempt is wrong.
std::optional<std::string> toolchain_trouble(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        if (contains(line, "No space left on device")) return line;
        const auto error = error_line(line);
        if (!error || error->place.find_first_of(" :") != std::string::npos) continue;
        if (contains(error->message, "ld returned") || contains(error->message, "linker command failed")) continue;
        for (const std::string_view program : {"g++", "gcc", "clang", "cc1plus", "collect2"})
            if (contains(error->place, program)) return line;
    }
    return std::nullopt;
}

/// The file that the attempt had the compiler open and that it may not read: g++ then dies without a place in the
/// source.
std::optional<std::string> denied_file(const std::vector<std::string>& lines) {
    constexpr std::string_view denied = ": Permission denied";
    for (const std::string& line : lines) {
        const auto error = error_line(line);
        if (!error || error->place != "cc1plus" || error->message.size() <= denied.size()) continue;
        const std::size_t end = error->message.size() - denied.size();
        if (error->message.compare(end, denied.size(), denied) == 0) return error->message.substr(0, end);
    }
    return std::nullopt;
}

/// Over one of our limits; nothing where it was not that.
std::optional<std::string> over_limit(const Ended& ended, const std::string& text, const BuildOptions& options) {
    if (contains(text, "CPU time limit exceeded") || ended.signal == SIGXCPU)
        return fmt::format("compiling took longer than {} s", options.time_limit.count());
    const auto too_much = [&] {
        return fmt::format("compiling took more than {:.3g} GiB of memory",
                           static_cast<double>(options.memory_limit) / (1 << 30));
    };
    if (ended.out_of_memory) return too_much();
    for (const std::string_view sign :
         {"virtual memory exhausted", "out of memory allocating", "std::bad_alloc", "LLVM ERROR: out of memory",
          "Cannot allocate memory", "Killed signal terminated program"})
        if (contains(text, sign)) return too_much();
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
    if (ended.timed_out) { // no source makes a compiler sleep
        failure.verdict = Verdict::JE;
        failure.reason = fmt::format("the compiler did not get the {} s of CPU time it may take within {} s: the machine "
                                     "is too busy, run it again when it is less so",
                                     options.time_limit.count(), wall_limit(options).count());
        return failure;
    }
    if (!ended.forbidden.empty()) {
        failure.verdict = Verdict::JE;
        failure.reason = fmt::format("the compiler made the system call {}, which the sandbox forbids: try another one "
                                     "with --compiler",
                                     ended.forbidden);
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
    if (const auto denied = denied_file(lines)) {
        failure.reason = fmt::format("it does not compile: it includes {}, which an attempt may not read", *denied);
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
