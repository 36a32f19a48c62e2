// AddressSanitizer's reports: a headline, the access, a stack trace, and what lies at the address.
#include "attempt/crash_report.hpp"
#include "attempt/type_names.hpp"

#include <charconv>
#include <fmt/format.h>

namespace assay {

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// What follows `word` in `line` up to the next of `ends`; "" where it does not stand there.
std::string_view after(std::string_view line, std::string_view word, std::string_view ends = " ") {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) return {};
    line.remove_prefix(at + word.size());
    return line.substr(0, line.find_first_of(ends));
}

struct Facts {
    std::string_view headline;    // after "AddressSanitizer: "
    std::string access;           // "read of 4 bytes", "write", ""
    std::string distance;         // "just past", "8 bytes before", "inside"
    std::string block;            // "a 20-byte block", "'buffer', declared in line 12"
    std::string allocated, freed; // places, or ""
};

std::string bytes(std::string_view count) { return fmt::format("{} byte{}", count, count == "1" ? "" : "s"); }

/// "is located 0 bytes to the right of 20-byte region" (older) or "0 bytes after 20-byte region" (newer).
void read_location(std::string_view line, Facts& facts) {
    const std::string_view count = after(line, " is located ");
    if (count.empty()) return;
    const bool past = contains(line, " to the right of ") || contains(line, " bytes after ");
    const bool before = contains(line, " to the left of ") || contains(line, " bytes before ");
    const bool inside = contains(line, " inside of ");
    if (!past && !before && !inside) return;
    const std::string_view side = past ? "past" : "before";
    facts.distance = inside         ? "inside"
                     : count == "0" ? fmt::format("just {}", side)
                                    : fmt::format("{} {}", bytes(count), side);
    if (const std::string_view name = after(line, "global variable '", "'"); !name.empty())
        facts.block = fmt::format("global variable '{}' of {}", name, bytes(after(line, " of size ", " \n")));
    const std::size_t region = line.find("-byte region");
    if (region == std::string_view::npos) return;
    const std::size_t space = line.rfind(' ', region);
    facts.block = fmt::format("a {}-byte block", line.substr(space + 1, region - space - 1));
}

/// "    [32, 48) 'buffer' (line 12) <== Memory access at offset 48 overflows this variable"
void read_variable(std::string_view line, Facts& facts) {
    if (!contains(line, "<== Memory access at offset")) return;
    facts.distance = contains(line, " underflows ")  ? "before"
                     : contains(line, " is inside ") ? "inside"
                                                     : "past the end of";
    facts.block = fmt::format("'{}'", after(line, ") '", "'"));
    if (const std::string_view declared = after(line, "(line ", ")"); !declared.empty())
        facts.block += fmt::format(", declared in line {},", declared);
}

Facts gather(const std::vector<std::string_view>& lines, std::size_t from, std::string_view source) {
    Facts facts;
    const auto place_below = [&](std::size_t i) {
        const std::vector<StackFrame> frames = own_frames(lines, i + 1, source);
        return frames.empty() ? std::string() : frames.front().place();
    };
    for (std::size_t i = from; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (i > from && contains(line, "ERROR: AddressSanitizer")) break;
        if (starts_with(line, "Shadow bytes")) break; // nothing but a memory map follows
        for (const auto& [word, name] : {std::pair{"READ", "read"}, {"WRITE", "write"}}) {
            if (const auto size = after(line, fmt::format("{} of size ", word)); !size.empty() && facts.access.empty())
                facts.access = fmt::format("{} of {}", name, bytes(size));
            if (contains(line, fmt::format("caused by a {} memory access", word))) facts.access = name;
        }
        read_location(line, facts);
        read_variable(line, facts);
        if (starts_with(line, "freed by thread")) facts.freed = place_below(i);
        if (starts_with(line, "allocated by thread") || starts_with(line, "previously allocated by"))
            facts.allocated = place_below(i);
    }
    return facts;
}

std::string kind_of(std::string_view headline) {
    if (starts_with(headline, "attempting double-free")) return "double-free";
    if (starts_with(headline, "attempting free on address which was not")) return "bad-free";
    if (starts_with(headline, "requested allocation size")) return "allocation-size-too-big";
    if (starts_with(headline, "allocator is out of memory")) return "out-of-memory";
    std::string kind(headline.substr(0, headline.find(' ')));
    while (!kind.empty() && kind.back() == ':') kind.pop_back();
    return kind;
}

bool is_null(std::string_view headline) {
    const std::string_view digits = after(headline, "unknown address 0x");
    unsigned long long address = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
    return error == std::errc() && end != digits.data() && address < 4096;
}

/// "read of 4 bytes just past a 20-byte block allocated at sdpa.cpp:6"
std::string access_to_block(const Facts& facts) {
    if (facts.access.empty()) return {};
    if (facts.block.empty()) return facts.access;
    std::string text = fmt::format("{} {} {}", facts.access, facts.distance, facts.block);
    if (!facts.allocated.empty()) text += " allocated at " + facts.allocated;
    while (!text.empty() && text.back() == ',') text.pop_back();
    return text;
}

std::string what_happened(const std::string& kind, const Facts& facts) {
    const std::string access = facts.access.empty() ? std::string("access") : facts.access;
    if (kind == "SEGV" && is_null(facts.headline)) return fmt::format("{} through a null pointer", access);
    if (kind == "SEGV" || kind == "BUS")
        return fmt::format("it touched memory outside the tensors and outside its own ({} at an address where nothing "
                           "lies)",
                           access);
    if (kind == "use-after-poison") return fmt::format("it touched memory outside the tensors ({})", access);
    if (kind == "heap-use-after-free") {
        std::string text = fmt::format("{} {}", access, facts.block.empty() ? "in a block" : "inside " + facts.block);
        if (!facts.allocated.empty()) text += " allocated at " + facts.allocated;
        return text + (facts.freed.empty() ? " that was freed before" : " and freed at " + facts.freed);
    }
    if (kind == "stack-use-after-return" || kind == "stack-use-after-scope")
        return fmt::format("{} of a local variable {}that no longer exists", access,
                           facts.block.empty() ? "" : facts.block + " ");
    if (kind == "stack-overflow") return "the stack is full: recursion without end, or a very large local array";
    if (kind == "double-free")
        return "a block was freed twice" + (facts.freed.empty() ? "" : ", first at " + facts.freed);
    if (kind == "bad-free") return "memory was freed that did not come from new or malloc";
    if (kind == "alloc-dealloc-mismatch")
        return fmt::format("a block was freed in another way than it was allocated ({})",
                           after(facts.headline, "(", ")"));
    if (kind == "allocation-size-too-big")
        return fmt::format("{} bytes of memory were asked for: a negative size, perhaps",
                           after(facts.headline, "allocation size "));
    if (kind == "out-of-memory") return "there is not enough memory for what was asked for";
    if (kind == "FPE") return "an integer was divided by zero";
    if (kind == "ABRT") return "the program aborted itself";
    if (kind == "negative-size-param")
        return fmt::format("a negative size ({}) was given to memcpy or one of its kind",
                           after(facts.headline, "size=", ")"));
    if (kind == "memcpy-param-overlap") return "source and destination of memcpy overlap";
    return access_to_block(facts);
}

} // namespace

std::optional<SanitiserReport> read_address_report(const std::vector<std::string_view>& lines,
                                                   std::string_view source) {
    constexpr std::string_view mark = "ERROR: AddressSanitizer: ";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t at = lines[i].find(mark);
        if (at == std::string_view::npos) continue;
        Facts facts = gather(lines, i, source);
        facts.headline = lines[i].substr(at + mark.size());
        SanitiserReport report;
        report.line = i;
        report.kind = kind_of(facts.headline);
        report.what = what_happened(report.kind, facts);
        const std::vector<StackFrame> frames = own_frames(lines, i + 1, source);
        for (const StackFrame& frame : frames)
            report.frames.push_back(fmt::format("{} in {}", frame.place(), function_name(frame.function)));
        if (!frames.empty()) report.where = frames.front().place();
        return report;
    }
    return std::nullopt;
}

} // namespace assay
