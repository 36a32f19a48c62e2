// The float64 oracle against numbers nobody here computed: data/golden/grpo, from PyTorch's autograd.
// Format and origin of the vectors: data/golden/grpo/README.md.
#include "exercises/grpo/grpo.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

using namespace assay;
using namespace assay::grpo_test;
using nlohmann::json;

namespace {

Numbers flat(const json& value) {
    if (!value.is_array()) return {value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>()};
    Numbers all;
    for (const json& part : value)
        for (const double x : flat(part)) all.push_back(x);
    return all;
}

Problem problem_from(const json& v) {
    if (v.at("function") == "advantages")
        return advantages_problem(flat(v.at("rewards")), v.at("group_size"), v.at("ddof"), v.at("eps"), v.at("scale"));
    Batch b;
    b.N = static_cast<std::int64_t>(v.at("mask").size());
    b.T = static_cast<std::int64_t>(v.at("mask").at(0).size());
    b.lp_new = flat(v.at("lp_new"));
    if (!v.at("lp_old").is_null()) b.lp_old = flat(v.at("lp_old"));
    if (!v.at("lp_ref").is_null()) b.lp_ref = flat(v.at("lp_ref"));
    b.advantage = flat(v.at("advantage"));
    for (const json& row : v.at("mask"))
        for (const json& one : row) b.mask.push_back(one.get<bool>() ? 1 : 0);
    b.clip_low = v.at("clip_low");
    b.clip_high = v.at("clip_high");
    b.limit = v.at("log_ratio_limit");
    b.beta = v.at("beta");
    const std::string how = v.at("how");
    b.how = how == "sequence_mean" ? 0 : how == "token_mean" ? 1 : 2;
    b.longest = v.at("longest");
    return b.problem();
}

json golden() {
    std::ifstream stream(ASSAY_SOURCE_DIR "/data/golden/grpo/torch.json");
    REQUIRE(stream.good());
    return json::parse(stream).at("vectors");
}

/// Relative where a number is above 1 in size.
double deviation(const Numbers& own, const Numbers& other) {
    REQUIRE(own.size() == other.size());
    double off = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double share = std::fabs(own[i] - other[i]) / std::max(1.0, std::fabs(other[i]));
        off = std::isfinite(share) ? std::max(off, share) : std::numeric_limits<double>::infinity();
    }
    return off;
}

} // namespace

TEST_CASE("grpo: oracle and tape agree with PyTorch's autograd to 1e-12") {
    double worst = 0;
    std::set<std::string> outputs;
    std::size_t advantages = 0, losses = 0;
    for (const json& v : golden()) {
        INFO(v.at("name").get<std::string>());
        const Problem problem = problem_from(v);
        CHECK(exercise().valid(problem));
        (is_advantages(problem) ? advantages : losses) += 1;
        for (const Truths& truths : {truths_of(problem), by_tape(problem)}) {
            CHECK(truths.size() == v.at("out").size());
            for (const Truth& truth : truths) {
                outputs.insert(truth.name);
                const double off = deviation(truth.value, flat(v.at("out").at(truth.name)));
                CHECK(off <= 1e-12);
                worst = std::max(worst, off);
            }
        }
    }
    CHECK(outputs == std::set<std::string>{"advantage", "terms", "loss", "lp_new_grad"});
    CHECK(advantages == 24);
    CHECK(losses == 27);
    WARN("largest deviation from PyTorch: " << worst);
}

TEST_CASE("grpo: both conventions in use can be stated, and give what PyTorch gives for them") {
    // DeepSeekMath (arXiv 2402.03300) writes (r - mean) / std; TRL's trainer takes torch's std, which divides by G - 1,
    // and adds 1e-4.
    const auto of = [](std::string_view name) {
        for (const json& v : golden())
            if (v.at("name") == name) return v;
        FAIL("no vector " << name);
        return json();
    };
    const json paper = of("paper/drawn"), trl = of("trl/drawn");
    CHECK(paper.at("rewards") == trl.at("rewards"));
    CHECK((paper.at("ddof") == 0 && paper.at("eps") == 0.0));
    CHECK((trl.at("ddof") == 1 && trl.at("eps") == 1e-4));
    const Numbers one = truths_of(problem_from(paper))[0].value, other = truths_of(problem_from(trl))[0].value;
    CHECK(deviation(one, flat(paper.at("out").at("advantage"))) < 1e-12);
    CHECK(deviation(other, flat(trl.at("out").at("advantage"))) < 1e-12);
    for (std::size_t n = 0; n < one.size(); ++n) // sqrt(4 / 3) but for eps
        CHECK(std::fabs(one[n] / other[n] - std::sqrt(4.0 / 3.0)) < 1e-3);
}
