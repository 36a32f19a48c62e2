// The float64 oracle against numbers nobody here computed: data/golden/long_attention, from PyTorch.
// Format and origin of the vectors: data/golden/long_attention/README.md.
#include "exercises/long_attention/long_attention.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace assay;
using namespace assay::long_attention_test;
using nlohmann::json;

namespace {

Array array_of(Dtype dtype, const json& tensor) {
    return Array::of(dtype, tensor.at("extents").get<Index>(), tensor.at("data").get<Numbers>());
}

Problem problem_from(const json& vector) {
    Problem problem;
    problem.route = vector.at("function").get<std::string>();
    const Dtype dtype = problem.route == "compare" ? Dtype::f64 : Dtype::f32;
    for (const char* name : {"q", "k", "v", "omega", "e", "f"})
        if (vector.contains(name)) problem.fields.push_back({name, array_of(dtype, vector.at(name)), {}});
    for (const char* name : {"window", "globals"})
        if (vector.contains(name)) problem.fields.push_back({name, vector.at(name).get<std::int64_t>(), {}});
    if (vector.contains("eps")) problem.fields.push_back({"eps", vector.at("eps").get<double>(), {}});
    if (vector.at("out").contains("out"))
        problem.fields.push_back({"out", Array::zeros(Dtype::f32, vector.at("out").at("out").at("extents")), {}});
    return problem;
}

Numbers values_of(const json& out, const std::string& name) {
    const json& value = out.at(name);
    return value.is_object() ? value.at("data").get<Numbers>() : Numbers{value.get<double>()};
}

json golden() {
    std::ifstream stream(ASSAY_SOURCE_DIR "/data/golden/long_attention/torch.json");
    REQUIRE(stream.good());
    return json::parse(stream).at("vectors");
}

/// Largest deviation, relative where a number is above 1 in size.
double off(const Truths& truths, const json& out) {
    double worst = 0;
    for (const Truth& truth : truths) {
        const Numbers values = values_of(out, truth.name);
        REQUIRE(truth.value.size() == values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double share = std::fabs(truth.value[i] - values[i]) / std::max(1.0, std::fabs(values[i]));
            worst = std::isfinite(share) ? std::max(worst, share) : INFINITY;
        }
    }
    return worst;
}

} // namespace

TEST_CASE("long_attention: the oracle agrees with PyTorch in float64 to 1e-12") {
    std::set<std::string> functions;
    double worst = 0;
    for (const json& vector : golden()) {
        const Problem problem = problem_from(vector);
        INFO(vector.at("name").get<std::string>());
        REQUIRE(exercise().valid(problem));
        functions.insert(problem.route);
        const Truths truths = truths_of(problem);
        CHECK(truths.size() == vector.at("out").size());
        const double own = off(truths, vector.at("out"));
        CHECK(own <= 1e-12);
        worst = std::max(worst, own);
    }
    CHECK(functions.size() == 6);
    WARN("largest deviation from PyTorch: " << worst);
}

TEST_CASE("long_attention: a mistake does not agree with PyTorch; the vectors would show it") {
    const json vectors = golden();
    std::vector<Problem> problems;
    for (const json& vector : vectors) problems.push_back(problem_from(vector));
    for (const Mistake& mistake : exercise().mistakes)
        for (int form = 0; form < mistake.forms(); ++form) {
            const std::string& level = mistake.levels[static_cast<std::size_t>(form)];
            if (level == "costs" || level == "crossover") continue; // no public implementation computes these
            INFO(mistake.id << ", form " << form);
            double worst = 0;
            for (std::size_t i = 0; i < problems.size(); ++i)
                if (const auto wrong = exercise().oracle(problems[i], mistake.id, form))
                    worst = std::max(worst, off(*wrong, vectors[i].at("out")));
            if (mistake.id == "no-max" || mistake.id == "max-never-leaves" || mistake.id == "no-stabiliser")
                continue; // shows where float32 overflows, which float64 does not
            CHECK(worst > 1e-7);
        }
}
