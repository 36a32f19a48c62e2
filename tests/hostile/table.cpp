#include "hostile/table.hpp"

#include "catalogue/files.hpp"

#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace assay::hostile {

namespace {

std::string cell(const Program& program, const std::string& level) {
    std::string text;
    for (const std::string& verdict : program.expected.at(level)) text += (text.empty() ? "" : "/") + verdict;
    if (program.is_open_at(level, true)) return text + " **open**";
    return program.is_open_at(level, false) ? text + " **open to its user**" : text;
}

} // namespace

std::string table_of(const std::vector<Program>& programs) {
    std::string text;
    std::string kind;
    for (const Program& program : programs) {
        if (program.kind != kind) {
            kind = program.kind;
            text += fmt::format("\n### {}\n\n| program | what it tries |", kind);
            for (const std::string& level : levels) text += fmt::format(" {} |", level);
            text += "\n| --- | --- | --- | --- | --- | --- |\n";
        }
        std::string what = program.attack;
        if (!program.waits.empty()) what += " Waits for `assay bench`: " + program.waits + ".";
        text += fmt::format("| {} | {} |", program.file.stem().string(), what);
        for (const std::string& level : levels) text += fmt::format(" {} |", cell(program, level));
        text += '\n';
    }
    return text + '\n';
}

std::string with_table(const std::string& text, const std::vector<Program>& programs) {
    const std::size_t begin = text.find(table_begins), end = text.find(table_ends);
    if (begin == std::string::npos || end == std::string::npos || end < begin)
        throw std::runtime_error("tests/hostile/README.md has lost the lines between which its table stands");
    return text.substr(0, begin + std::strlen(table_begins)) + table_of(programs) + text.substr(end);
}

int write_table(const std::filesystem::path& folder) {
    bool ok = false;
    const std::string text = read_text(folder / "README.md", ok);
    if (!ok) throw std::runtime_error((folder / "README.md").string() + " cannot be read");
    const std::string reason = write_text(folder / "README.md", with_table(text, programs_in(folder / "attempts")));
    if (!reason.empty()) throw std::runtime_error(reason);
    return 0;
}

} // namespace assay::hostile
