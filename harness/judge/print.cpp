// Prints inputs by kind of value, cutting long tensors.
#include "judge/print.hpp"

#include "judge/elements.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

constexpr std::size_t widest = 100;

/// Of a route that is no function (a level's own protocol): written by every function that has such a parameter.
bool is_written_only(const Exercise& exercise, const Problem& problem, const std::string& field) {
    bool written = false, read = false;
    for (const Signature& signature : exercise.signatures)
        for (const Parameter& parameter : signature.parameters) {
            if (parameter.name != field) continue;
            if (signature.name == problem.route) return parameter.writable;
            (parameter.writable ? written : read) = true;
        }
    return written && !read;
}

std::string number(Dtype dtype, double value) {
    if (dtype == Dtype::boolean) return value != 0 ? "1" : "0";
    if (dtype == Dtype::f64) return fmt::format("{}", value);
    return fmt::format("{}", static_cast<float>(value)); // shortest that reads back as the same float
}

std::string head_of(const Field& field, const Array& array) {
    std::string head = fmt::format("{} {} {}", field.name, to_string(array.extents), name_of(array.dtype));
    if (!array.is_contiguous()) head += ", strides " + to_string(array.strides);
    return head;
}

std::string tensor_line(const Field& field, const Array& array) {
    std::string line = head_of(field, array) + " =";
    const std::vector<double> values = elements_of(array);
    if (values.empty()) return line + " nothing";
    const bool same =
        std::all_of(values.begin(), values.end(), [&](double value) { return !differ(value, values[0], 0); });
    if (same && values.size() > 8) return line + " " + number(array.dtype, values[0]) + " everywhere";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string next = " " + number(array.dtype, values[i]);
        if (line.size() + next.size() > widest) return line + fmt::format(" ... ({} more)", values.size() - i);
        line += next;
    }
    return line;
}

} // namespace

std::vector<std::string> input_lines(const Exercise& exercise, const Problem& problem) {
    std::vector<std::string> lines;
    for (const Field& field : problem.fields) {
        if (const auto* array = std::get_if<Array>(&field.value)) {
            if (!is_written_only(exercise, problem, field.name))
                lines.push_back(tensor_line(field, *array));
            else if (!array->is_contiguous())
                lines.push_back(head_of(field, *array));
        } else if (const auto* flag = std::get_if<bool>(&field.value)) {
            lines.push_back(field.name + (*flag ? " = true" : " = false"));
        } else if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
            lines.push_back(fmt::format("{} = {}", field.name, *integer));
        } else if (const auto* real = std::get_if<double>(&field.value)) {
            lines.push_back(fmt::format("{} = {}", field.name, *real));
        } else {
            lines.push_back(field.name + " = none");
        }
    }
    return lines;
}

std::string dimensions_of(const Problem& problem) {
    std::vector<std::pair<std::string, std::int64_t>> dimensions;
    for (const Field& field : problem.fields) {
        const auto* array = std::get_if<Array>(&field.value);
        if (array == nullptr) continue;
        for (std::size_t axis = 0; axis < field.axes.size() && axis < array->rank(); ++axis) {
            if (field.axes[axis].empty()) continue;
            const auto known = std::find_if(dimensions.begin(), dimensions.end(),
                                            [&](const auto& one) { return one.first == field.axes[axis]; });
            if (known == dimensions.end())
                dimensions.emplace_back(field.axes[axis], array->extents[axis]);
            else
                known->second = std::max(known->second, array->extents[axis]);
        }
    }
    std::string text;
    for (const auto& [name, extent] : dimensions)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, extent);
    return text;
}

} // namespace assay
