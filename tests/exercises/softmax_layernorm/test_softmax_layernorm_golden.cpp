// The float64 oracle against numbers nobody here computed: data/golden/softmax_layernorm, from PyTorch.
// Format and origin of the vectors: data/golden/softmax_layernorm/README.md.
#include "exercises/softmax_layernorm/softmax_layernorm.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace assay;
using namespace assay::softmax_layernorm_test;
using nlohmann::json;

namespace {

/// The view just as it lies in its storage: strides, offset, gaps and repeats included.
Array array_of(const json& view) {
    Array array;
    array.extents = view.at("extents").get<Index>();
    array.strides = view.at("strides").get<Index>();
    array.offset = view.at("offset").get<std::int64_t>();
    const json& data = view.at("data");
    array.storage.resize(data.size() * size_of(array.dtype));
    std::byte* to = array.storage.data();
    for (const json& element : data) {
        store(array.dtype, to, element.get<double>());
        to += size_of(array.dtype);
    }
    REQUIRE(array.reach() <= array.storage_elements());
    return array;
}

Problem problem_from(const json& vector) {
    Problem problem;
    problem.route = vector.at("function").get<std::string>();
    for (const char* name : {"x", "dy", "gamma", "beta"})
        if (vector.contains(name)) problem.fields.push_back({name, array_of(vector.at(name)), {}});
    problem.fields.push_back({"axis", vector.at("axis").get<std::int64_t>(), {}});
    if (vector.contains("eps")) problem.fields.push_back({"eps", vector.at("eps").get<double>(), {}});
    for (const auto& [name, out] : vector.at("out").items())
        problem.fields.push_back({name, Array::zeros(Dtype::f32, out.at("extents").get<Index>()), {}});
    return problem;
}

json golden() {
    std::ifstream stream(ASSAY_SOURCE_DIR "/data/golden/softmax_layernorm/torch.json");
    REQUIRE(stream.good());
    return json::parse(stream).at("vectors");
}

} // namespace

TEST_CASE("the oracle agrees with PyTorch in float64 to 1e-12") {
    std::set<std::string> functions;
    double worst = 0;
    int loose = 0;
    for (const json& vector : golden()) {
        const Problem problem = problem_from(vector);
        INFO(vector.at("name").get<std::string>());
        REQUIRE(exercise().valid(problem));
        functions.insert(problem.route);
        const double tolerance = vector.value("tolerance", 1e-12);
        loose += tolerance > 1e-12 ? 1 : 0;
        const Truths truths = truths_of(problem);
        CHECK(truths.size() == vector.at("out").size());
        for (const Truth& truth : truths) {
            const json& out = vector.at("out").at(truth.name);
            const auto values = out.at("data").get<std::vector<double>>();
            REQUIRE(truth.extents == out.at("extents").get<Index>());
            REQUIRE(truth.value.size() == values.size());
            double off = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double share = std::fabs(truth.value[i] - values[i]) / std::max(1.0, std::fabs(values[i]));
                off = std::isfinite(share) ? std::max(off, share) : INFINITY;
            }
            CHECK(off <= tolerance);
            worst = std::max(worst, off / tolerance);
        }
    }
    CHECK(functions.size() == 5);
    CHECK(loose == 2); // the mean at 1e4, both ways
    WARN("largest deviation from PyTorch: " << worst << " of the tolerance");
}

TEST_CASE("a mistake does not agree with PyTorch: the vectors would show it") {
    for (const Mistake& mistake : exercise().mistakes)
        for (int form = 0; form < mistake.forms(); ++form) {
            INFO(mistake.id << ", form " << form);
            double worst = 0;
            for (const json& vector : golden()) {
                const std::optional<Truths> wrong = exercise().oracle(problem_from(vector), mistake.id, form);
                if (!wrong) continue;
                for (const Truth& truth : *wrong) {
                    const auto values = vector.at("out").at(truth.name).at("data").get<std::vector<double>>();
                    for (std::size_t i = 0; i < values.size(); ++i) {
                        const double off = std::fabs(truth.value[i] - values[i]);
                        worst = std::isfinite(off) ? std::max(worst, off) : INFINITY;
                    }
                }
            }
            CHECK(worst > 1e-7);
        }
}
