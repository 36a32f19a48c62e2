#include "core/problem.hpp"

#include <stdexcept>

namespace assay {

namespace {
[[noreturn]] void lacks(const Problem& problem, std::string_view name, std::string_view kind) {
    throw std::logic_error("the exercise asked its own problem (route '" + problem.route + "') for " +
                           std::string(kind) + " '" + std::string(name) + "', which it does not have");
}
} // namespace

const Field* Problem::find(std::string_view name) const {
    for (const Field& field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

Field* Problem::find(std::string_view name) {
    for (Field& field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

const Array& Problem::array(std::string_view name) const {
    const Field* field = find(name);
    if (field == nullptr || !std::holds_alternative<Array>(field->value)) lacks(*this, name, "a tensor");
    return std::get<Array>(field->value);
}

bool Problem::flag(std::string_view name) const {
    const Field* field = find(name);
    if (field == nullptr || !std::holds_alternative<bool>(field->value)) lacks(*this, name, "a flag");
    return std::get<bool>(field->value);
}

std::int64_t Problem::integer(std::string_view name) const {
    const Field* field = find(name);
    if (field == nullptr || !std::holds_alternative<std::int64_t>(field->value)) lacks(*this, name, "an integer");
    return std::get<std::int64_t>(field->value);
}

double Problem::number_or(std::string_view name, double other) const {
    const Field* field = find(name);
    if (field == nullptr || std::holds_alternative<std::monostate>(field->value)) return other;
    if (!std::holds_alternative<double>(field->value)) lacks(*this, name, "a number");
    return std::get<double>(field->value);
}

bool Problem::has(std::string_view name) const {
    const Field* field = find(name);
    return field != nullptr && !std::holds_alternative<std::monostate>(field->value);
}

const Array* Outputs::find(std::string_view name) const {
    for (const auto& [own, array] : arrays)
        if (own == name) return &array;
    return nullptr;
}

} // namespace assay
