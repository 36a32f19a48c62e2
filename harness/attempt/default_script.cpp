#include "attempt/default_script.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace assay {

Outcome<Outputs> call_route(Caller& caller, std::span<const Signature> signatures, const Problem& problem) {
    const auto signature = std::find_if(signatures.begin(), signatures.end(),
                                        [&](const Signature& one) { return one.name == problem.route; });
    if (signature == signatures.end())
        return Failure{Verdict::JE,
                       fmt::format("the exercise asks for '{}', which its contract does not declare", problem.route)};
    std::vector<Argument> arguments;
    std::vector<std::string> outputs;
    for (const Parameter& parameter : signature->parameters) {
        if (parameter.kind == Parameter::Kind::list) {
            arguments.push_back({{}, Mode::out});
            continue;
        }
        const Field* field = problem.find(parameter.name);
        if (field == nullptr)
            return Failure{Verdict::JE,
                           fmt::format("the exercise's problem gives no '{}' for {}", parameter.name, signature->name)};
        arguments.push_back({field->value, parameter.writable ? Mode::out : Mode::in});
        if (parameter.writable) outputs.push_back(parameter.name);
    }
    for (const Parameter& field : signature->results) outputs.push_back(field.name);
    for (const Parameter& parameter : signature->parameters)
        if (parameter.kind == Parameter::Kind::list) outputs.push_back(parameter.name);
    if (signature->ranked) outputs.insert(outputs.end(), std::begin(ranked_results), std::end(ranked_results));
    Outcome<std::vector<Array>> arrays = caller.call(problem.route, arguments);
    if (!arrays) return arrays.failure();
    Outputs result;
    for (std::size_t i = 0; i < outputs.size(); ++i) result.arrays.emplace_back(outputs[i], std::move((*arrays)[i]));
    return result;
}

} // namespace assay
