// The float64 oracle against numbers nobody here computed: data/golden/sdpa, from PyTorch and ONNX.
// Format and origin of the vectors: data/golden/sdpa/README.md.
#include "catch.hpp"
#include "core/registry.hpp"
#include "judge/compare.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace assay;
using nlohmann::json;

struct Vector {
    std::string name;
    Problem problem;
    Index extents;
    std::vector<double> out;
    double tolerance = 0; // ONNX: absolute; 0 where float64 computed it
    bool half_arithmetic = false;
    std::optional<Problem> backward; // of those with gradients in float32
    std::vector<double> dq, dk, dv;
};

/// The view just as it lies in its storage: strides, offset, gaps and repeats included.
Array array_of(const json& view) {
    const auto dtype = dtype_from(view.at("dtype").get<std::string>());
    REQUIRE(dtype.has_value());
    Array array;
    array.dtype = *dtype;
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

std::string route_for(Dtype dtype) {
    if (dtype == Dtype::f16) return "attention_f16";
    if (dtype == Dtype::bf16) return "attention_bf16";
    return "attention";
}

/// The way back of the same problem, where the vector has gradients.
void add_gradients(const json& entry, Vector& vector) {
    if (!entry.contains("dout") || vector.problem.route != "attention") return;
    Problem problem = vector.problem;
    problem.route = "attention_backward";
    problem.fields.pop_back(); // out
    const json& dout = entry.at("dout");
    problem.fields.push_back(
        {"dout",
         Array::of(Dtype::f32, dout.at("extents").get<Index>(), dout.at("data").get<std::vector<double>>()),
         {"B", "Hq", "Lq", "Dv"}});
    for (const auto& [name, of] : {std::pair{"dq", "q"}, std::pair{"dk", "k"}, std::pair{"dv", "v"}}) {
        const Index extents = problem.array(of).extents; // a copy: the fields grow
        problem.fields.push_back({name, Array::zeros(Dtype::f32, extents), problem.find(of)->axes});
        CHECK(entry.at(name).at("extents").get<Index>() == extents);
    }
    vector.backward = std::move(problem);
    vector.dq = entry.at("dq").at("data").get<std::vector<double>>();
    vector.dk = entry.at("dk").at("data").get<std::vector<double>>();
    vector.dv = entry.at("dv").at("data").get<std::vector<double>>();
}

Vector vector_of(const json& entry) {
    Vector vector;
    vector.name = entry.at("name").get<std::string>();
    vector.extents = entry.at("out").at("extents").get<Index>();
    vector.out = entry.at("out").at("data").get<std::vector<double>>();
    vector.tolerance = entry.value("out_tolerance", 0.0);

    Problem& problem = vector.problem;
    const Array q = array_of(entry.at("q"));
    problem.route = route_for(q.dtype);
    vector.half_arithmetic = vector.tolerance > 0 && q.dtype == Dtype::f16;
    problem.fields.push_back({"q", q, {"B", "Hq", "Lq", "D"}});
    problem.fields.push_back({"k", array_of(entry.at("k")), {"B", "Hkv", "Lk", "D"}});
    problem.fields.push_back({"v", array_of(entry.at("v")), {"B", "Hkv", "Lk", "Dv"}});
    Value mask;
    if (!entry.at("mask").is_null()) mask = array_of(entry.at("mask"));
    problem.fields.push_back({"mask", mask, {"B", "Hq", "Lq", "Lk"}});
    problem.fields.push_back({"causal", entry.at("causal").get<bool>(), {}});
    Value scale;
    if (!entry.at("scale").is_null()) scale = entry.at("scale").get<double>();
    problem.fields.push_back({"scale", scale, {}});
    problem.fields.push_back({"out", Array::zeros(Dtype::f32, vector.extents), {"B", "Hq", "Lq", "Dv"}});
    add_gradients(entry, vector);
    return vector;
}

std::vector<Vector> vectors_in(const std::string& file) {
    std::ifstream stream(ASSAY_SOURCE_DIR "/data/golden/sdpa/" + file);
    REQUIRE(stream.good());
    std::vector<Vector> vectors;
    const json document = json::parse(stream);
    for (const json& entry : document.at("vectors")) vectors.push_back(vector_of(entry));
    return vectors;
}

const Exercise& sdpa() {
    const Exercise* exercise = find_exercise("sdpa");
    REQUIRE(exercise != nullptr);
    return *exercise;
}

Truth truth_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = sdpa().oracle(problem, mistake, form);
    REQUIRE(truths.has_value());
    REQUIRE(truths->size() == 1);
    return truths->front();
}

/// The oracle's values at the scale the vector was computed with. The contract passes a float, so a scale such as 0.37
/// reaches the oracle rounded; a line through the two neighbouring floats meets the float64 scale to 1e-15 (what it
/// neglects is the square of 3e-8).
std::vector<double> exact_values(const Vector& vector) {
    std::vector<double> value = truth_of(vector.problem).value;
    const double scale = vector.problem.number_or("scale", 1);
    const float below = static_cast<float>(scale);
    if (static_cast<double>(below) == scale) return value;
    const float above = std::nextafter(below, below + 1);
    Problem shifted = vector.problem;
    shifted.find("scale")->value = static_cast<double>(above);
    const std::vector<double> other = truth_of(shifted).value;
    const double part =
        (scale - static_cast<double>(below)) / (static_cast<double>(above) - static_cast<double>(below));
    for (std::size_t n = 0; n < value.size(); ++n) value[n] += part * (other[n] - value[n]);
    return value;
}

/// Largest |value - golden| / (allowed + relative |golden|); infinite where one of them is no number.
double worst_share(const std::vector<double>& value, const std::vector<double>& golden, double allowed,
                   double relative) {
    double worst = 0;
    for (std::size_t n = 0; n < golden.size(); ++n) {
        const double share = std::fabs(value[n] - golden[n]) / (allowed + relative * std::fabs(golden[n]));
        worst = std::isfinite(share) ? std::max(worst, share) : INFINITY;
    }
    return worst;
}

const Vector& named(const std::vector<Vector>& vectors, const std::string& name) {
    const auto found = std::find_if(vectors.begin(), vectors.end(), [&](const Vector& v) { return v.name == name; });
    INFO("no golden vector " << name);
    REQUIRE(found != vectors.end());
    return *found;
}

} // namespace

TEST_CASE("the oracle gives PyTorch's float64 values") {
    const std::vector<Vector> vectors = vectors_in("torch.json");
    REQUIRE(vectors.size() == 75);
    for (const Vector& vector : vectors) {
        INFO(vector.name);
        CHECK(sdpa().valid(vector.problem));
        CHECK(truth_of(vector.problem).extents == vector.extents);
        const std::vector<double> value = exact_values(vector);
        REQUIRE(value.size() == vector.out.size());
        CHECK(worst_share(value, vector.out, 1e-12, 1e-12) <= 1);
    }
}

TEST_CASE("the oracle gives PyTorch's float64 gradients") {
    int compared = 0;
    for (const Vector& vector : vectors_in("torch.json")) {
        if (!vector.backward) continue;
        INFO(vector.name);
        CHECK(sdpa().valid(*vector.backward));
        const std::optional<Truths> truths = sdpa().oracle(*vector.backward, "", 0);
        REQUIRE(truths.has_value());
        REQUIRE(truths->size() == 3);
        // The scale reaches the oracle as a float: 3e-8 away from 0.37.
        const double scale = vector.backward->number_or("scale", 1);
        const double slack = static_cast<double>(static_cast<float>(scale)) == scale ? 1e-12 : 1e-6;
        const std::vector<double>* golden[] = {&vector.dq, &vector.dk, &vector.dv};
        for (std::size_t n = 0; n < 3; ++n) {
            INFO((*truths)[n].name);
            REQUIRE((*truths)[n].value.size() == golden[n]->size());
            double largest = 1;
            for (const double x : *golden[n]) largest = std::max(largest, std::fabs(x));
            CHECK(worst_share((*truths)[n].value, *golden[n], slack * largest, 0) <= 1);
            // PyTorch's value as a float32 attempt would return it
            const Outputs got{{{(*truths)[n].name, Array::of(Dtype::f32, (*truths)[n].extents, *golden[n])}}};
            if (slack < 1e-9) CHECK(agrees(got, {(*truths)[n]}));
        }
        ++compared;
    }
    CHECK(compared == 19);
}

TEST_CASE("the oracle gives ONNX's values within what their arithmetic can lose") {
    const std::vector<Vector> vectors = vectors_in("onnx.json");
    REQUIRE(vectors.size() == 15);
    for (const Vector& vector : vectors) {
        INFO(vector.name);
        REQUIRE(vector.tolerance > 0);
        const Truth truth = truth_of(vector.problem);
        CHECK(truth.extents == vector.extents);
        REQUIRE(truth.value.size() == vector.out.size());
        CHECK(worst_share(truth.value, vector.out, vector.tolerance, 0) <= 1);
    }
}

TEST_CASE("the bound admits the float32 values of PyTorch and ONNX, and not those computed in half precision") {
    int admitted = 0;
    int refused = 0;
    for (const char* file : {"torch.json", "onnx.json"})
        for (const Vector& vector : vectors_in(file)) {
            INFO(vector.name);
            const Truth truth = truth_of(vector.problem);
            REQUIRE(truth.bound.size() == vector.out.size());
            // rounded to float32, as an attempt would return them
            const Outputs got{{{"out", Array::of(Dtype::f32, vector.extents, vector.out)}}};
            const double ratio = worst_ratio(got, {truth});
            if (vector.half_arithmetic) {
                CHECK(ratio > 1);
                ++refused;
            } else {
                CHECK(ratio <= 1);
                CHECK(agrees(got, {truth}));
                ++admitted;
            }
        }
    CHECK(admitted == 88);
    CHECK(refused == 2);
}

TEST_CASE("each golden vector is far from the mistake it is meant to catch") {
    struct Slip {
        const char* vector;
        const char* mistake;
    };
    const Slip slips[] = {
        {"multi_head", "scale-missing"},
        {"multi_head", "scale-by-d"},
        {"multi_head", "scale-by-model-width"},
        {"multi_head", "softmax-over-queries"},
        {"square", "k-not-transposed"},
        {"heads_equal_length", "heads-merged-without-transpose"},
        {"scale_given", "scale-argument-ignored"},
        {"scale_given", "scale-twice"},
        {"large_logits", "no-max-subtraction"},
        {"ascending_logits", "rescale-forgotten"},
        {"ascending_logits", "rescale-inverted"},
        {"mask_1x1x1x5", "mask-ignored"},
        {"mask_1x1x4x5", "mask-inverted"},
        {"mask_1x1x4x5", "mask-after-softmax"},
        {"mask_equal_extents", "mask-batch-as-head"},
        {"mask_1x1x1x5", "mask-key-as-query"},
        {"causal_square", "causal-ignored"},
        {"causal_square", "causal-strict"},
        {"causal_lq_below_lk", "causal-top-left"},
        {"causal_and_mask", "mask-or-causal"},
        {"empty_rows", "empty-row-nan"},
        {"empty_rows", "empty-row-uniform"},
        {"gqa", "gqa-tiled"},
        {"view_transposed", "strides-ignored"},
        {"view_stepped", "strides-ignored"},
    };
    const std::vector<Vector> vectors = vectors_in("torch.json");
    for (const Slip& one : slips) {
        INFO(one.vector << " against " << one.mistake);
        const Vector& vector = named(vectors, one.vector);
        const Truth wrong = truth_of(vector.problem, one.mistake);
        REQUIRE(wrong.value.size() == vector.out.size());
        CHECK(worst_share(wrong.value, vector.out, 1e-3, 1e-3) > 1);
        CHECK(worst_share(truth_of(vector.problem).value, vector.out, 1e-3, 1e-3) <= 1);
    }
}
