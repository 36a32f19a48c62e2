// A TOML file read strictly: every key is asked for by name, type and range, and a key that nobody knows is a fault.
// Each fault is one sentence with file, line, key and how to mend it. Keeps toml++ out of headers.
#ifndef ASSAY_CATALOGUE_STRICT_TABLE_HPP
#define ASSAY_CATALOGUE_STRICT_TABLE_HPP

#include "core/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay {

/// Thrown by StrictTable; whoever parses a file turns it into a Failure.
struct TableFault {
    std::string sentence;
};

class StrictTable {
  public:
    struct Other {}; // dates and lists, which none of our tables hold
    using Value = std::variant<bool, std::int64_t, double, std::string, Other>;
    struct Entry {
        std::string key;
        std::size_t line = 0;
        Value value;
    };

    StrictTable(std::string file, std::string path, std::string name, std::size_t line)
        : file_(std::move(file)), path_(std::move(path)), name_(std::move(name)), line_(line) {}

    const std::string& name() const { return name_; } // "peak" of [h100-sxm.peak]; "" = the file itself
    std::size_t line() const { return line_; }

    bool has(std::string_view key) const { return entry(key) != nullptr || find(key) != nullptr; }
    std::string text(std::string_view key) const;
    std::string one_of(std::string_view key, const std::vector<std::string>& choices) const;
    bool truth(std::string_view key) const;
    std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high) const;
    /// A positive number in [low, high]; `unit` tells what it counts, as in "bytes a second, as in 3.35e12".
    double number(std::string_view key, double low, double high, std::string_view unit) const;

    const StrictTable& table(std::string_view key) const;
    /// Inner tables, in the order of the file.
    const std::vector<StrictTable>& tables() const { return tables_; }

    /// A misspelt key would otherwise be ignored in silence.
    void only(const std::vector<std::string>& known) const;
    /// No plain values here, inner tables alone.
    void only_tables(std::string_view form) const;

    /// Throws TableFault, at the line of `key` where there is one.
    [[noreturn]] void fault(std::string_view key, std::string_view what) const;

  private:
    friend class TableBuilder;
    const Entry* entry(std::string_view key) const;
    const StrictTable* find(std::string_view key) const;
    const Entry& needed(std::string_view key, std::string_view what) const;

    std::string file_;
    std::string path_; // "h100-sxm.peak"
    std::string name_;
    std::size_t line_;
    std::vector<Entry> entries_;
    std::vector<StrictTable> tables_;
};

/// The tables of `text`. Failure: what is no TOML, with line and column.
Outcome<StrictTable> parse_strict(std::string_view text, const std::string& file);

} // namespace assay

#endif
