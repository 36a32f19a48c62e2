#include "catalogue/strict_table.hpp"

#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <toml++/toml.h>

namespace assay {

class TableBuilder {
  public:
    static StrictTable build(const toml::table& from, const std::string& file, const std::string& path,
                             const std::string& own_name, std::size_t line) {
        StrictTable result(file, path, own_name, line);
        for (const auto& [key, node] : from) {
            const std::string name(key.str());
            // A table that no header opens ([a.b] alone makes a) has no place of its own: that of its key will do.
            const std::size_t at = std::max<std::size_t>(node.source().begin.line, key.source().begin.line);
            if (const toml::table* inner = node.as_table())
                result.tables_.push_back(
                    build(*inner, file, path.empty() ? name : fmt::format("{}.{}", path, name), name, at));
            else
                result.entries_.push_back({name, at, value_of(node)});
        }
        std::stable_sort(result.tables_.begin(), result.tables_.end(),
                         [](const StrictTable& a, const StrictTable& b) { return a.line() < b.line(); });
        return result;
    }

  private:
    static StrictTable::Value value_of(const toml::node& node) {
        if (const auto* value = node.as_boolean()) return value->get();
        if (const auto* value = node.as_integer()) return value->get();
        if (const auto* value = node.as_floating_point()) return value->get();
        if (const auto* value = node.as_string()) return value->get();
        return StrictTable::Other{};
    }
};

const StrictTable::Entry* StrictTable::entry(std::string_view key) const {
    for (const Entry& one : entries_)
        if (one.key == key) return &one;
    return nullptr;
}

const StrictTable* StrictTable::find(std::string_view key) const {
    for (const StrictTable& one : tables_)
        if (one.name_ == key) return &one;
    return nullptr;
}

void StrictTable::fault(std::string_view key, std::string_view what) const {
    std::size_t line = line_;
    if (const Entry* one = entry(key)) line = one->line;
    if (const StrictTable* one = find(key)) line = one->line();
    const std::string full = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
    throw TableFault{fmt::format("{}, line {}: '{}' {}", file_, std::max<std::size_t>(line, 1), printable(full), what)};
}

const StrictTable::Entry& StrictTable::needed(std::string_view key, std::string_view what) const {
    const Entry* one = entry(key);
    if (one == nullptr)
        fault(key, find(key) == nullptr ? fmt::format("is missing: it must be {}", what)
                                        : fmt::format("must be {}, not a table", what));
    return *one;
}

std::string StrictTable::text(std::string_view key) const {
    const std::string form = fmt::format("a text, as in {} = \"...\"", key);
    const auto* value = std::get_if<std::string>(&needed(key, form).value);
    if (value == nullptr || value->empty()) fault(key, "must be " + form);
    return *value;
}

std::string StrictTable::one_of(std::string_view key, const std::vector<std::string>& choices) const {
    const std::string form = fmt::format("\"{}\"", fmt::join(choices, "\" or \""));
    const auto* value = std::get_if<std::string>(&needed(key, form).value);
    if (value == nullptr) fault(key, "must be " + form);
    if (std::find(choices.begin(), choices.end(), *value) == choices.end())
        fault(key, fmt::format("must be {}; it is \"{}\"", form, printable(*value)));
    return *value;
}

bool StrictTable::truth(std::string_view key) const {
    const auto* value = std::get_if<bool>(&needed(key, "true or false").value);
    if (value == nullptr) fault(key, "must be true or false");
    return *value;
}

std::int64_t StrictTable::whole(std::string_view key, std::int64_t low, std::int64_t high) const {
    const std::string form = fmt::format("a whole number from {} to {}", low, high);
    const auto* value = std::get_if<std::int64_t>(&needed(key, form).value);
    if (value == nullptr) fault(key, "must be " + form);
    if (*value < low || *value > high) fault(key, fmt::format("must be {}; it is {}", form, *value));
    return *value;
}

double StrictTable::number(std::string_view key, double low, double high, std::string_view unit) const {
    const std::string form = fmt::format("a number from {:g} to {:g}, in {}", low, high, unit);
    const Value& found = needed(key, form).value;
    double value = std::nan("");
    if (const auto* whole = std::get_if<std::int64_t>(&found))
        value = static_cast<double>(*whole);
    else if (const auto* real = std::get_if<double>(&found))
        value = *real;
    else
        fault(key, "must be " + form);
    if (!(value >= low && value <= high)) // NaN fails too
        fault(key, fmt::format("must be {}; it is {}", form, std::isnan(value) ? "NaN" : fmt::format("{:g}", value)));
    return value;
}

const StrictTable& StrictTable::table(std::string_view key) const {
    const StrictTable* one = find(key);
    if (one == nullptr)
        fault(key, entry(key) == nullptr ? fmt::format("is missing: add a section [{}.{}]", path_, key)
                                         : fmt::format("must be a section, as in [{}.{}]", path_, key));
    return *one;
}

void StrictTable::only(const std::vector<std::string>& known) const {
    const auto check = [&](const std::string& key) {
        if (std::find(known.begin(), known.end(), key) != known.end()) return;
        const std::string near = nearest(key, known);
        fault(key, near.empty() ? fmt::format("is not a key known here; known are {}", fmt::join(known, ", "))
                                : fmt::format("is not a key known here; did you mean {}?", near));
    };
    for (const Entry& one : entries_) check(one.key);
    for (const StrictTable& one : tables_) check(one.name_);
}

void StrictTable::only_tables(std::string_view form) const {
    if (!entries_.empty())
        fault(entries_.front().key, fmt::format("stands outside a section; write it under {}", form));
}

Outcome<StrictTable> parse_strict(std::string_view text, const std::string& file) {
    try {
        return TableBuilder::build(toml::parse(text, file), file, "", "", 0);
    } catch (const toml::parse_error& error) {
        return Failure{Verdict::JE, fmt::format("{}, line {}, column {}: {}", file, error.source().begin.line,
                                                error.source().begin.column, error.description())};
    }
}

} // namespace assay
