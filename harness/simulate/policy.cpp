#include "simulate/policy.hpp"

#include <cmath>

namespace assay {

Outcome<Outputs> simulated(const std::function<Outputs()>& run) {
    try {
        return run();
    } catch (const PolicyFailed& failed) {
        return failed.failure;
    }
}

std::vector<Array> PolicyObject::ask(std::string_view function, const std::vector<Argument>& arguments) {
    Outcome<std::vector<Array>> answer = caller_.call(function, arguments);
    if (!answer) throw PolicyFailed{answer.failure()};
    return std::move(*answer);
}

PolicyObject::PolicyObject(Caller& caller, std::string_view type, std::string_view maker,
                           const std::vector<Value>& arguments)
    : caller_(caller), type_(type) {
    std::vector<Argument> all;
    for (const Value& value : arguments) all.push_back({value, Mode::in});
    handle_ = static_cast<std::int64_t>(std::llround(ask(maker, all).front().stored(0)));
}

std::vector<Array> PolicyObject::call(std::string_view method, const std::vector<Value>& arguments, int lists) {
    std::vector<Argument> all{{handle_, Mode::in}};
    for (const Value& value : arguments) all.push_back({value, Mode::in});
    for (int i = 0; i < lists; ++i) all.push_back({{}, Mode::out});
    return ask(type_ + "." + std::string(method), all);
}

void PolicyObject::destroy() { ask(type_ + ".destroy", {{handle_, Mode::in}}); }

} // namespace assay
