// The float64 oracle against numbers nobody here computed: data/golden/p_yes, from PyTorch.
// Format and origin of the vectors: data/golden/p_yes/README.md.
#include "judge/compare.hpp"
#include "p_yes.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace assay;
using namespace assay::p_yes_test;
using nlohmann::json;

namespace {

json document() {
    std::ifstream stream(ASSAY_SOURCE_DIR "/data/golden/p_yes/torch.json");
    REQUIRE(stream.good());
    return json::parse(stream);
}

double number_of(const json& x) {
    if (!x.is_string()) return x.get<double>();
    return x.get<std::string>() == "inf" ? infinity : -infinity;
}

Numbers numbers_of(const json& list) {
    Numbers numbers;
    for (const json& x : list) numbers.push_back(number_of(x));
    return numbers;
}

Problem problem_of(const json& vector) {
    const auto dtype = dtype_from(vector.at("dtype").get<std::string>());
    REQUIRE(dtype.has_value());
    Numbers all;
    for (const json& row : vector.at("logits"))
        for (const double x : numbers_of(row)) all.push_back(x);
    const auto rows = static_cast<std::int64_t>(vector.at("logits").size());
    const Array logits = Array::of(*dtype, {rows, static_cast<std::int64_t>(all.size()) / rows}, all);
    REQUIRE(logits.values() == all); // exact in its dtype
    return score(logits, numbers_of(vector.at("yes")), numbers_of(vector.at("no")));
}

bool are_close(double mine, double theirs, double relative, double absolute = 0) {
    if (!std::isfinite(theirs)) return mine == theirs;
    return std::fabs(mine - theirs) <= absolute + relative * std::max(std::fabs(theirs), 1e-290);
}

/// What float64 loses of a log-mass: some roundings of the largest logit.
double lost_in(const Problem& problem) {
    double largest = 1;
    for (const double x : problem.array("logits").values())
        if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    return 0x1p-49 * largest;
}

const json& named(const json& list, const std::string& name) {
    for (const json& vector : list)
        if (vector.at("name") == name) return vector;
    FAIL("no golden vector " << name);
    return list;
}

} // namespace

TEST_CASE("p_yes: the oracle gives PyTorch's float64 rows", "[p_yes]") {
    const json all = document();
    REQUIRE(all.at("rows").size() == 14);
    for (const json& vector : all.at("rows")) {
        INFO(vector.at("name"));
        const Problem problem = problem_of(vector);
        CHECK(exercise().valid(problem));
        const Truths truths = truths_of(problem);
        for (const char* name : {"log_yes", "log_no", "p", "mass"}) {
            const Numbers theirs = numbers_of(vector.at(name));
            const Truth& mine = item(truths, name);
            REQUIRE(mine.value.size() == theirs.size());
            const bool is_log = std::string(name).rfind("log", 0) == 0;
            const double lost = lost_in(problem);
            for (std::size_t b = 0; b < theirs.size(); ++b)
                CHECK(are_close(mine.value[b], theirs[b], is_log ? 1e-14 : lost, is_log ? lost : 0));
        }
    }
}

TEST_CASE("p_yes: the bound admits PyTorch's rows rounded to float32", "[p_yes]") {
    const json all = document();
    for (const json& vector : all.at("rows")) {
        INFO(vector.at("name"));
        const Truths truths = truths_of(problem_of(vector));
        Outputs got;
        for (const Truth& truth : truths)
            got.arrays.emplace_back(truth.name,
                                    Array::of(Dtype::f32, truth.extents, numbers_of(vector.at(truth.name))));
        CHECK(agrees(got, truths));
    }
}

TEST_CASE("p_yes: golden rows are far from the mistakes they are meant to catch", "[p_yes]") {
    struct Slip {
        const char *vector, *mistake;
    };
    const Slip slips[] = {
        {"worked", "mean-of-probabilities"}, {"worked", "first-id-only"},       {"normal", "best-id-only"},
        {"normal", "yes-no-swapped"},        {"normal", "raw-logits"},          {"offset_+10000", "no-max"},
        {"offset_-10000", "no-max"},         {"half_offset_+10000", "no-max"},  {"both_far_below", "log-of-sum-of-exp"},
        {"banned", "banned-group-nan"},      {"far_apart", "sigmoid-overflow"}, {"small_p", "complement-taken"}};
    const json all = document();
    for (const Slip& slip : slips) {
        INFO(slip.vector << " against " << slip.mistake);
        const Problem problem = problem_of(named(all.at("rows"), slip.vector));
        const Truths right = truths_of(problem), wrong = truths_of(problem, slip.mistake);
        Outputs got;
        for (const Truth& truth : wrong)
            got.arrays.emplace_back(truth.name, Array::of(Dtype::f32, truth.extents, truth.value));
        CHECK_FALSE(agrees(got, right));
    }
}

TEST_CASE("p_yes: the oracle's fits are those of PyTorch's L-BFGS", "[p_yes]") {
    const json all = document();
    REQUIRE(all.at("fits").size() == 5);
    for (const json& vector : all.at("fits")) {
        INFO(vector.at("name"));
        const Numbers z = numbers_of(vector.at("scores")), y = numbers_of(vector.at("labels"));
        const Numbers w = numbers_of(vector.at("weights"));
        Examples examples;
        for (std::size_t i = 0; i < z.size(); ++i) examples.push_back({z[i], y[i] != 0, w[i]});
        const Truths truths = truths_of(calibrate(examples));
        CHECK(number(truths, "temperature_state") == 0);
        CHECK(number(truths, "platt_state") == 0);
        for (const char* name : {"raw_loss", "temperature_loss", "platt_loss"})
            CHECK(are_close(number(truths, name), vector.at(name).get<double>(), 1e-13));
        for (const char* name : {"temperature", "slope", "intercept"})
            CHECK(are_close(number(truths, name), vector.at(name).get<double>(), 1e-11));
    }
}
