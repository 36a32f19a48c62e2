// Stack traces as the sanitisers' symbolisers print them:
//   #1 0x7faf81d301df in sdpa::begin(assay::tensor<float, 2ul>) ./sdpa.cpp:8:18
#include "attempt/crash_report.hpp"
#include "attempt/type_names.hpp"

#include <charconv>
#include <fmt/format.h>

namespace assay {

namespace {

bool take_number(std::string_view& text, int& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

/// Takes ":8" or ":8:18" off the end; gives the line, 0 where there is none.
int take_line(std::string_view& text) {
    int numbers[2] = {0, 0};
    int count = 0;
    std::string_view rest = text;
    while (count < 2) {
        const std::size_t colon = rest.rfind(':');
        if (colon == std::string_view::npos || colon + 1 == rest.size()) break;
        std::string_view digits = rest.substr(colon + 1);
        int number = 0;
        if (!take_number(digits, number) || !digits.empty()) break;
        numbers[count++] = number;
        rest = rest.substr(0, colon);
    }
    if (count == 0) return 0;
    text = rest;
    return numbers[count - 1];
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_own(std::string_view file, std::string_view source) {
    if (file == source) return true;
    // The C library's own frames may be relative too: "csu/../sysdeps/...", "nptl/pthread_create.c".
    return !file.empty() && file[0] != '/' && file[0] != '(' && file[0] != '<' &&
           file.find("..") == std::string_view::npos && !ends_with(file, ".c") && !ends_with(file, ".S");
}

} // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (ends_with(line, "\r")) line.remove_suffix(1);
        lines.push_back(line);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

std::string StackFrame::place() const { return line > 0 ? fmt::format("{}:{}", file, line) : file; }

std::optional<StackFrame> read_frame(std::string_view line, std::string_view source) {
    StackFrame frame;
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos || line[start] != '#') return std::nullopt;
    line.remove_prefix(start + 1);
    if (!take_number(line, frame.number) || line.substr(0, 3) != " 0x") return std::nullopt;
    const std::size_t in = line.find(" in ");
    if (in == std::string_view::npos) return frame; // no symbols: address and module only
    line.remove_prefix(in + 4);
    frame.line = take_line(line);
    if (frame.line == 0) { // "(module+0x11bf)"
        const std::size_t module = line.find(" (/");
        frame.function = line.substr(0, module);
        return frame;
    }
    // A file name may hold spaces; the attempt's own is known.
    std::size_t space = line.rfind(' ');
    for (const std::string_view before : {" ", " ./"}) {
        const std::string ending = std::string(before) + std::string(source);
        if (ends_with(line, ending)) space = line.size() - ending.size();
    }
    if (space == std::string_view::npos) return frame;
    frame.function = line.substr(0, space);
    line.remove_prefix(space + 1);
    if (line.substr(0, 2) == "./") line.remove_prefix(2);
    frame.file = line;
    frame.own = is_own(frame.file, source);
    return frame;
}

std::vector<StackFrame> own_frames(const std::vector<std::string_view>& lines, std::size_t from,
                                   std::string_view source) {
    std::vector<StackFrame> frames;
    int last = -1;
    for (std::size_t i = from; i < lines.size(); ++i) {
        std::optional<StackFrame> frame = read_frame(lines[i], source);
        if (!frame && last < 0) continue;
        if (!frame || frame->number <= last) break; // the trace is over, or the next one begins
        last = frame->number;
        if (frame->own) frames.push_back(std::move(*frame));
    }
    return frames;
}

} // namespace assay
