// What `roofline` answers at and beyond the edges of its domain.
#include "exercises/roofline/reader.hpp"

#include <assay/unset.hpp>
#include <cmath>
#include <limits>

using namespace assay;
using namespace assay::roofline_test;

namespace {

using Int = std::int64_t;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// One valid problem of each function.
const std::vector<const char*> samples{"worked",        "wide",        "plain",     "group-decode",
                                       "batch-network", "double-link", "switch-six"};

bool is_unset(const Problem& problem) {
    for (const Truth& truth : truths_of(problem)) {
        const double value = truth.value.front();
        if (truth.dtype == Dtype::f64 && !std::isnan(value)) return false;
        if (truth.dtype == Dtype::boolean && value != 0) return false;
        if (truth.name == "size" && value != static_cast<double>(unset_integer)) return false;
        if (truth.dtype == Dtype::i64 && truth.name != "size" && value != -1) return false;
    }
    return true;
}

} // namespace

TEST_CASE("counts below their least, and rates that are no rates, leave every item unset") {
    const std::vector<std::pair<const char*, Int>> least{{"tokens", 0}, {"d_model", 1},       {"hidden", 1},
                                                         {"gpus", 1},   {"gpus_per_node", 1}, {"bytes_per_element", 1}};
    for (const char* sample : samples) {
        const Problem problem = problem_of(sample);
        CHECK_FALSE(is_unset(problem));
        for (const auto& [name, lowest] : least) {
            if (!problem.has(name)) continue;
            INFO(problem.route << ", " << name);
            CHECK(is_unset(changed(problem, {{name, lowest - 1}})));
            CHECK(is_unset(changed(problem, {{name, std::numeric_limits<Int>::min()}})));
            const bool in_one_node = problem.route == "reduce" && std::string(name) == "gpus_per_node";
            if (!in_one_node) CHECK_FALSE(is_unset(changed(problem, {{name, lowest}})));
        }
        for (const char* name : {"dense_tflops", "sparse_tflops", "memory_tb", "link_gb", "network_gbit"})
            for (const double wrong : {0.0, -0.0, -1.0, infinity, -infinity, static_cast<double>(NAN)}) {
                if (!problem.has(name)) continue;
                INFO(problem.route << ", " << name << " = " << wrong);
                CHECK(is_unset(changed(problem, {{name, wrong}})));
            }
        for (const char* name : {"link_latency", "network_latency"}) {
            if (!problem.has(name)) continue;
            for (const double wrong : {-1e-9, infinity, static_cast<double>(NAN)})
                CHECK(is_unset(changed(problem, {{name, wrong}})));
            CHECK_FALSE(is_unset(changed(problem, {{name, 0.0}})));
        }
    }
}

TEST_CASE("a share lies between 0 and 1, and a switch joins one node's GPUs") {
    const Problem group = problem_of("group-decode");
    for (const double wrong : {0.0, 1.0, -0.1, 1.1, static_cast<double>(NAN)})
        CHECK(is_unset(changed(group, {{"share", wrong}})));
    for (const double right : {1e-12, 0.999}) CHECK_FALSE(is_unset(changed(group, {{"share", right}})));
    const Problem inside = problem_of("switch-six");
    CHECK_FALSE(is_unset(changed(inside, {{"gpus", Int{8}}})));
    CHECK(is_unset(changed(inside, {{"gpus", Int{9}}})));
    CHECK_FALSE(is_unset(changed(problem_of("plain"), {{"gpus", Int{9}}})));
}

TEST_CASE("one GPU sends nothing, in no steps") {
    for (const char* sample : {"worked", "plain", "switch-six"}) {
        const Problem alone = changed(problem_of(sample), {{"gpus", Int{1}}});
        for (const Truth& truth : truths_of(alone))
            if (truth.name == "network_bytes" || truth.name == "t_network" || truth.name == "steps" ||
                truth.name == "ring_bytes" || truth.name == "switch_bytes" || truth.name == "t_switch")
                CHECK(truth.value.front() == 0);
    }
    CHECK(item(problem_of("batch-alone"), "network_tokens") == 0);
    CHECK(item(problem_of("group-of-one"), "size") == 0);
    CHECK(std::isnan(item(problem_of("group-of-one"), "time_at")));
    CHECK_FALSE(std::isnan(item(problem_of("group-of-one"), "time_one")));
}

TEST_CASE("no tokens: nothing to compute, weights to read, steps to wait for") {
    const Problem level1 = problem_of("no-tokens"), level3 = problem_of("refined-no-tokens");
    CHECK(item(level1, "flops") == 0);
    CHECK(item(level1, "time") == Approx(283115520.0 / 6 / 3.35e12).epsilon(1e-12));
    CHECK(item(level1, "binds") == 1);
    CHECK(item(problem_of("no-tokens-to-cross"), "intensity") == 0);
    CHECK(item(level3, "t_network") == Approx(10 * 1.1e-6).epsilon(1e-12));
}

TEST_CASE("products beyond 64 bits are real numbers") {
    const Problem beyond = problem_of("beyond-64-bits");
    // 4 x 4194307 x 1000003 x 4000037, in whole numbers
    CHECK(item(beyond, "flops") == Approx(67109734086034272308.0).epsilon(1e-15));
    CHECK(item(beyond, "flops") > 1.8e19); // past unsigned 64 bits as well
    const auto wrapped = exercise().oracle(beyond, "integer-overflow", 0);
    REQUIRE(wrapped.has_value());
    CHECK(truth_of(*wrapped, "flops").value.front() == -6677242208803934156.0);
}

TEST_CASE("equal times bind by the lower number, and an exact tie is asked") {
    const Problem tie = problem_of("tie");
    CHECK(item(tie, "t_compute") == item(tie, "t_memory"));
    CHECK(item(tie, "t_compute") == Approx(64e-12).epsilon(1e-12));
    CHECK(item(tie, "binds") == 0);
    CHECK(exercise().valid(tie));
}

TEST_CASE("problems that rounding decides are never asked") {
    const auto valid = exercise().valid;
    // At 1 TFLOP/s and 1 TB/s, 2 bytes an element, d = f = 3: T* is 1 / (1 - 1/2) = 2 on one GPU, 1 / (1 - 1) on two.
    const Problem unit = changed(problem_of("wide"), {{"dense_tflops", 1.0},
                                                      {"memory_tb", 1.0},
                                                      {"d_model", Int{3}},
                                                      {"hidden", Int{3}},
                                                      {"bytes_per_element", Int{2}}});
    CHECK(item(unit, "crossover") == 2);
    CHECK_FALSE(valid(unit));
    CHECK(item(changed(unit, {{"gpus", Int{2}}}), "activation_share") == 1);
    CHECK(std::isinf(item(changed(unit, {{"gpus", Int{2}}}), "crossover"))); // 0 in the denominator: never
    CHECK_FALSE(valid(changed(unit, {{"gpus", Int{2}}})));
    CHECK(valid(changed(unit, {{"hidden", Int{4}}})));
    CHECK_FALSE(valid(changed(problem_of("group-decode"), {{"gpus", Int{4097}}})));
    CHECK_FALSE(valid(changed(problem_of("worked"), {{"tokens", Int{1} << 41}})));
    CHECK_FALSE(valid(changed(problem_of("worked"), {{"memory_tb", 1e-7}})));
    CHECK_FALSE(valid(changed(problem_of("worked"), {{"tokens", std::monostate{}}})));
}
