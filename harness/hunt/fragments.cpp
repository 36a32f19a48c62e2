#include "hunt/fragments.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

constexpr std::string_view opening = "@{";

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

std::vector<std::string> lines_in(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Failure wrong(std::string reason) { return Failure{Verdict::JE, "the hunt's " + std::move(reason)}; }

/// Splits one line at its slots.
Outcome<Done> read_line(const std::string& line, std::vector<Piece>& pieces) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::string indentation = line.substr(0, first);
    std::size_t at = 0;
    for (std::size_t slot = line.find(opening); slot != std::string::npos; slot = line.find(opening, at)) {
        const std::size_t end = line.find('}', slot);
        if (end == std::string::npos) return wrong("template has a slot that is not closed: " + line);
        Piece piece{line.substr(slot + 2, end - slot - 2), true, false, indentation};
        piece.block = slot == first && end + 1 == line.size();
        if (!piece.block && slot > at) pieces.push_back({line.substr(at, slot - at)});
        const bool block = piece.block;
        pieces.push_back(std::move(piece));
        if (block) return Done{};
        at = end + 1;
    }
    pieces.push_back({line.substr(at) + "\n"});
    return Done{};
}

void enter(Slot& slot, std::string name, const std::string& text) {
    slot.fragments.push_back({std::move(name), text});
    std::sort(slot.fragments.begin(), slot.fragments.end(), [](const Fragment& a, const Fragment& b) {
        const bool a_first = a.name == "right", b_first = b.name == "right";
        return a_first != b_first ? a_first : a.name < b.name;
    });
}

/// The fragment's lines with this before each that is not empty.
std::string indented(const std::string& text, const std::string& indentation) {
    std::string result;
    for (const std::string& line : lines_in(text)) result += (line.empty() ? "" : indentation + line) + "\n";
    return result;
}

/// An expression goes on where it stands; its further lines are indented one step deeper than the first.
std::string inline_text(const std::string& text, const std::string& indentation) {
    std::string result;
    for (const std::string& line : lines_in(text)) result += result.empty() ? line : "\n" + indentation + "    " + line;
    return result;
}

std::string switched_slot(const Piece& piece, const Slot& slot, std::size_t number) {
    std::string text;
    const auto chosen = [&](std::size_t fragment) { return fmt::format("chosen[{}] == {}", number, fragment); };
    if (piece.block) {
        for (std::size_t i = 1; i < slot.fragments.size(); ++i)
            text += fmt::format("{}if ({}) {{\n{}}} else ", i == 1 ? piece.indentation : "", chosen(i),
                                indented(slot.fragments[i].text, piece.indentation));
        return text + "{\n" + indented(slot.fragments.front().text, piece.indentation) + piece.indentation + "}\n";
    }
    text = "[&] {";
    for (std::size_t i = 1; i < slot.fragments.size(); ++i)
        text += fmt::format(" if ({}) return {};", chosen(i), inline_text(slot.fragments[i].text, ""));
    return text + " return " + inline_text(slot.fragments.front().text, "") + "; }()";
}

} // namespace

bool Fragment::is_right() const {
    return name == "right" || starts_with(name, "right--") || starts_with(name, "decoy--");
}

int Slot::position(std::string_view fragment) const {
    for (std::size_t i = 0; i < fragments.size(); ++i)
        if (fragments[i].name == fragment) return static_cast<int>(i);
    return -1;
}

int Template::slot(std::string_view name) const {
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (slots[i].name == name) return static_cast<int>(i);
    return -1;
}

Outcome<Template> read_template(const std::vector<std::pair<std::string, std::string>>& files,
                                std::string_view extension) {
    Template whole;
    const std::string ending = fmt::format(".{}", extension);
    std::string text;
    for (const auto& [path, content] : files) {
        if (path.size() <= ending.size() || path.substr(path.size() - ending.size()) != ending) continue;
        const std::string stem = path.substr(0, path.size() - ending.size());
        const std::size_t slash = stem.find('/');
        if (stem == "template") text = content;
        if (slash == std::string::npos) continue;
        const std::string name = stem.substr(0, slash);
        if (whole.slot(name) < 0) whole.slots.push_back({name, {}});
        enter(whole.slots[static_cast<std::size_t>(whole.slot(name))], stem.substr(slash + 1), content);
    }
    if (text.empty()) return wrong(fmt::format("folder has no template{}", ending));
    std::sort(whole.slots.begin(), whole.slots.end(), [](const Slot& a, const Slot& b) { return a.name < b.name; });
    for (const std::string& line : lines_in(text))
        if (const Outcome<Done> read = read_line(line, whole.pieces); !read) return read.failure();
    std::vector<int> uses(whole.slots.size(), 0);
    for (const Piece& piece : whole.pieces) {
        if (!piece.is_slot) continue;
        const int slot = whole.slot(piece.text);
        if (slot < 0) return wrong(fmt::format("slot {} has no fragments in {}", piece.text, extension));
        ++uses[static_cast<std::size_t>(slot)];
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const Slot& slot = whole.slots[i];
        if (uses[i] != 1) return wrong(fmt::format("slot {} stands {} times in the template", slot.name, uses[i]));
        if (slot.position("right") != 0) return wrong(fmt::format("slot {} has no fragment called right", slot.name));
    }
    return whole;
}

std::string paste(const Template& whole, const std::vector<int>& choices) {
    std::string text;
    for (const Piece& piece : whole.pieces) {
        if (!piece.is_slot) {
            text += piece.text;
            continue;
        }
        const auto slot = static_cast<std::size_t>(whole.slot(piece.text));
        const std::string& fragment = whole.slots[slot].fragments[static_cast<std::size_t>(choices[slot])].text;
        text += piece.block ? indented(fragment, piece.indentation) : inline_text(fragment, piece.indentation);
    }
    return text;
}

std::string switched(const Template& whole, std::string_view exercise) {
    std::string includes, body;
    for (const Piece& piece : whole.pieces) {
        if (piece.is_slot) {
            const auto slot = static_cast<std::size_t>(whole.slot(piece.text));
            body += switched_slot(piece, whole.slots[slot], slot);
        } else
            (starts_with(piece.text, "#include") ? includes : body) += piece.text;
    }
    return fmt::format("{0}\nnamespace hunted {{\n\nnamespace {{\nthread_local const int* chosen = nullptr;\n}}\n"
                       "namespace {1} {{\nusing namespace ::{1};\n}}\n\n{2}\n"
                       "void choose_{1}(const int* choices);\n"
                       "void choose_{1}(const int* choices) {{ chosen = choices; }}\n\n}} // namespace hunted\n",
                       includes, exercise, body);
}

} // namespace assay
