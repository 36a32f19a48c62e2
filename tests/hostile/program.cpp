#include "hostile/program.hpp"

#include "catalogue/files.hpp"
#include "core/verdict.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>

namespace assay::hostile {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
    bool ok = false;
    std::string text = read_text(file, ok, 1 << 20);
    if (!ok) throw std::runtime_error(file.string() + " cannot be read");
    return text;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        if (word.back() == ',') word.pop_back();
        words.push_back(word);
    }
    return words;
}

std::string unescaped(std::string text) {
    for (const auto& [name, character] : {std::pair("<ESC>", '\x1b'), std::pair("<BEL>", '\a')})
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
            text.replace(at, 5, 1, character);
    return text;
}

bool is_level(const std::string& word) { return std::find(levels.begin(), levels.end(), word) != levels.end(); }

class Header {
  public:
    Header(const fs::path& file, Program& program) : file_(file), program_(program) {}

    void read() {
        for (const std::string& line : lines_of(text_of(file_))) {
            ++line_;
            if (line.substr(0, 3) != "// ") break;
            const std::string comment = line.substr(3);
            const std::size_t colon = comment.find(": ");
            if (colon == std::string::npos)
                flag(comment);
            else
                field(comment.substr(0, colon), comment.substr(colon + 2));
        }
        if (program_.attack.empty() && program_.kind != "then") fault("it does not say what it tries (Attack:)");
        for (const std::string& level : levels)
            if (program_.expected[level].empty()) fault("it does not say what it must get (Expect:)");
    }

  private:
    const fs::path& file_;
    Program& program_;
    int line_ = 0;

    [[noreturn]] void fault(const std::string& why) const {
        throw std::runtime_error(fmt::format("{}:{}: {}", file_.string(), line_, why));
    }

    void flag(const std::string& words) {
        if (words == "Second look")
            program_.second_look = true;
        else if (words == "Source is a pipe")
            program_.source_pipe = true;
        else if (words == "As it stands")
            program_.bare = true;
        else
            fault("no such line: " + words);
    }

    std::vector<std::string> verdicts(const std::string& value) const {
        const std::vector<std::string> words = words_of(value);
        for (const std::string& word : words)
            if (word != "unusable" && !verdict_from(word)) fault("no such verdict: " + word);
        return words;
    }

    std::vector<std::string> levels_in(const std::string& value) const {
        const std::vector<std::string> words = words_of(value);
        for (const std::string& word : words)
            if (!is_level(word)) fault("no such level: " + word);
        return words;
    }

    void field(const std::string& name, const std::string& value) {
        if (name == "Attack")
            program_.attack = value;
        else if (name == "Expect")
            for (const std::string& level : levels) program_.expected[level] = verdicts(value);
        else if (name.substr(0, 10) == "Expect at ") {
            for (const std::string& level : words_of(name.substr(10))) {
                if (!is_level(level)) fault("no such level: " + level);
                program_.expected[level] = verdicts(value);
            }
        } else if (name == "Open at")
            program_.open = levels_in(value);
        else if (name == "Open to its user at")
            program_.open_to_user = levels_in(value);
        else if (name == "Proof")
            program_.proof = value;
        else if (name == "Exercise") {
            const std::vector<std::string> words = words_of(value);
            if (words.size() != 2) fault("an exercise and a level are needed");
            program_.exercise = words[0], program_.asked = words[1];
        } else if (name == "Name")
            program_.laid_as = unescaped(value);
        else if (name == "Link") {
            const std::vector<std::string> words = words_of(value);
            if (words.size() != 2) fault("a name and a secret are needed");
            program_.links.emplace_back(words[0], words[1]);
        } else if (name == "Pipe")
            program_.pipes.push_back(value);
        else if (name == "Source is a link")
            program_.source_link = value;
        else if (name == "Begins with")
            program_.begins_with = value;
        else if (name == "Then")
            program_.then = value;
        else if (name == "CPU seconds")
            program_.cpu_seconds = std::stod(value);
        else if (name == "Slow")
            program_.slow = true;
        else if (name == "Needs")
            program_.needs_holding = true;
        else if (name == "Waits for bench")
            program_.waits = value;
        else if (name != "Not an attack of its own")
            fault("no such field: " + name);
    }
};

} // namespace

bool Program::is_open_at(const std::string& level, bool own_user) const {
    const auto holds = [&](const std::vector<std::string>& list) {
        return std::find(list.begin(), list.end(), level) != list.end();
    };
    return holds(open) || (!own_user && holds(open_to_user));
}

Program read_program(const fs::path& file) {
    Program program;
    program.file = file;
    program.kind = file.parent_path().filename().string();
    program.name = program.kind + "/" + file.stem().string();
    program.laid_as = "attempt.cpp";
    Header(file, program).read();
    return program;
}

std::vector<Program> programs_in(const fs::path& attempts) {
    std::vector<Program> programs;
    for (const fs::directory_entry& kind : fs::directory_iterator(attempts)) {
        if (!kind.is_directory() || kind.path().filename() == "then") continue;
        for (const fs::directory_entry& file : fs::directory_iterator(kind.path()))
            programs.push_back(read_program(file.path()));
    }
    std::sort(programs.begin(), programs.end(), [](const Program& a, const Program& b) { return a.name < b.name; });
    return programs;
}

std::string laid_text(const Program& program) {
    std::string text = text_of(program.file);
    if (program.bare || !program.begins_with.empty()) {
        std::string rest;
        for (const std::string& line : lines_of(text))
            if (line.substr(0, 3) != "// ") rest += line + '\n';
        text = program.begins_with.empty() ? rest : program.begins_with + '\n' + rest;
    }
    return unescaped(text);
}

} // namespace assay::hostile
