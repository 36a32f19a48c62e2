// The GPU solutions under the emulation: tests/gpu's trials, each at three lane orders.
#include "cuda/emulation.hpp"
#include "gpu/report.hpp"
#include "gpu/trials_sdpa.hpp"

#include "catch.hpp"
#include <exception>

using namespace assay;
using namespace assay::simt;

namespace {

struct Seen {
    double worst = 0;
    int ran = 0;
};

/// Every case at every order: no finding, within its bounds, nothing written that is not its to write; and where it
/// says so, the same bits each time.
Seen run_all(const std::vector<gpu::Case>& cases) {
    Seen seen;
    for (const gpu::Case& one : cases) {
        INFO(one.name);
        std::uint64_t digest = 0;
        for (const std::uint64_t order : trial::orders) {
            INFO("lane order " << order);
            trial::start(order);
            try {
                const gpu::Outcome outcome = gpu::on_a_stream(one);
                CHECK(outcome.worst <= 1);
                CHECK(outcome.trouble == "");
                if (order == 0) digest = outcome.digest;
                if (one.repeats) CHECK(outcome.digest == digest);
                if (outcome.worst > seen.worst) seen.worst = outcome.worst;
            } catch (const std::exception& error) {
                FAIL_CHECK(error.what());
            }
            for (const Finding& finding : findings()) FAIL_CHECK(finding.sentence);
            CHECK(used().unfreed == 0);
            ++seen.ran;
        }
    }
    return seen;
}

} // namespace

TEST_CASE("softmax forward and backward") { CHECK(run_all(gpu::softmax_cases()).ran > 60); }
TEST_CASE("layer normalisation forward and backward") { CHECK(run_all(gpu::layernorm_cases()).ran == 96); }
TEST_CASE("attention forward") { CHECK(run_all(gpu::sdpa_forward_cases()).ran > 100); }
TEST_CASE("attention forward on tensor cores") { CHECK(run_all(gpu::sdpa_forward_16_cases()).ran > 200); }
TEST_CASE("attention backward") { CHECK(run_all(gpu::sdpa_backward_cases()).ran > 100); }
TEST_CASE("p_yes") { CHECK(run_all(gpu::p_yes_cases()).ran == 66); }
TEST_CASE("the loss of GRPO") { CHECK(run_all(gpu::grpo_cases()).ran == 66); }

TEST_CASE("kernels refuse what they cannot do") {
    kernels::Sdpa<float> problem;
    problem.shape.d = 257;
    CHECK_THROWS_WITH(kernels::sdpa_forward(2, problem, {}, nullptr, nullptr), Catch::Contains("256"));
    problem.shape.d = 1;
    CHECK_THROWS_WITH(kernels::sdpa_forward(3, problem, {}, nullptr, nullptr), Catch::Contains("versions 1 and 2"));
    problem.shape.q_heads = 3, problem.shape.kv_heads = 2;
    CHECK_THROWS_WITH(kernels::sdpa_forward(1, problem, {}, nullptr, nullptr), Catch::Contains("whole number"));
    trial::start(0);
    int gone = 0; // no stream of this device's
    float x = 0, y = 0;
    CHECK_THROWS_WITH(kernels::softmax_forward(1, &x, &y, 1, 1, reinterpret_cast<cudaStream_t>(&gone)),
                      Catch::Contains("softmax_forward: invalid resource handle"));
}

TEST_CASE("trials of attention reject another problem's answer") {
    const std::function<void(kernels::Sdpa<float>&)> distortions[] = {
        [](auto& given) { given.scale *= 1 + 0x1p-11f; }, // as if it had been kept in half
        [](auto& given) { given.causal = !given.causal; },
        [](auto& given) { given.mask.data = nullptr; },
        [](auto& given) { given.shape.lk -= 1; },
        [](auto& given) { given.shape.d -= 1; },
        [](auto& given) { given.k.head = 0; },
        [](auto& given) { given.v.batch = 0; },
    };
    const gpu::SdpaTrial asked{"grouped heads", {2, 6, 2, 21, 34, 16, 24}, false, gpu::Masked::some};
    for (const int version : {1, 2}) {
        trial::start(0);
        CHECK(gpu::forward_outcome(asked, version, nullptr).right());
        for (const auto& distort : distortions)
            CHECK_FALSE(gpu::forward_outcome(asked, version, nullptr, distort).right());
    }
}

TEST_CASE("a report says what is wrong") {
    gpu::Report report;
    CHECK_FALSE(gpu::right(report)); // nothing was tried
    report.device = "a \"GPU\"";
    report.trials = {{"kernel 1: small", {}}, {"kernel 1: large", {}}};
    CHECK(gpu::right(report));
    report.trials[1].outcome.worst = INFINITY;
    CHECK_FALSE(gpu::right(report));
    CHECK(gpu::as_markdown(report).find("| kernel 1 | 2 | 1 | inf |") != std::string::npos);
    CHECK(gpu::as_markdown(report).find("- WRONG kernel 1: large") != std::string::npos);
    CHECK(gpu::as_json(report).find("\"device\": \"a \\\"GPU\\\"\"") != std::string::npos);
    CHECK(gpu::as_json(report).find("inf") == std::string::npos);
    report.trials.pop_back();
    report.attention.push_back({});
    report.attention[0].off = NAN;
    CHECK_FALSE(gpu::right(report)); // a timed output that is wrong
}

TEST_CASE("a trial tells what is off") {
    gpu::Outcome outcome;
    outcome.judge(1.5, {1, 0.5});
    CHECK(outcome.right());
    CHECK(outcome.worst == Approx(1));
    outcome.judge(NAN, {1, 0.5});
    CHECK_FALSE(outcome.right());
    CHECK(std::isinf(outcome.worst));
    gpu::Outcome exact;
    exact.judge(-INFINITY, {-INFINITY, 0});
    exact.judge(0, {0, 0});
    CHECK(exact.right());
    exact.judge(1e-40, {0, 0});
    CHECK_FALSE(exact.right());
    gpu::Outcome infinite;
    infinite.judge(1, {-INFINITY, 0});
    CHECK_FALSE(infinite.right());
}
