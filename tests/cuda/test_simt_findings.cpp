// Each mistake that a GPU hides is found, and named with its line.
#include "cuda/emulation.hpp"
#include "cuda/kernels/api.hpp"
#include "cuda/kernels/wrong.hpp"
#include "host/include/assay_simt/api.hpp"

#include "catch.hpp"
#include <numeric>

using namespace assay::simt;
using trial::eighths;
using trial::line_of;

namespace {

const Finding& only_finding() {
    REQUIRE(findings().size() == 1);
    return findings().front();
}

bool says(const Finding& finding, const std::string& words) {
    return finding.sentence.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("A missing barrier shows in the order of lanes") {
    const std::vector<float> in = eighths(64);
    int differ = 0;
    for (const std::uint64_t order : trial::orders) {
        trial::start(order);
        float out = 0.0f;
        missing_barrier(in.data(), &out);
        differ += out != std::accumulate(in.begin(), in.end(), 0.0f) ? 1 : 0;
    }
    CHECK(differ >= 2);
}

TEST_CASE("A divergent barrier is named with both lines") {
    for (const std::uint64_t order : trial::orders) {
        trial::start(order);
        std::vector<float> out(64, -1.0f);
        divergent_barrier(out.data());
        const Finding& finding = only_finding();
        CHECK(finding.kind == "divergent-barrier");
        CHECK(finding.file == "wrong.cu");
        CHECK(finding.kernel == "divergent_barrier_kernel");
        CHECK(says(finding, "wrong.cu:" + std::to_string(line_of("wrong.cu", "first branch"))));
        CHECK(says(finding, "wrong.cu:" + std::to_string(line_of("wrong.cu", "second branch"))));
        CHECK(finding.ended_launch);
        CHECK(out == std::vector<float>(64, -1.0f));
    }
}

TEST_CASE("Shared memory that nobody wrote is poison") {
    trial::start(0);
    const std::vector<float> in = eighths(32);
    std::vector<float> out(32);
    unwritten_shared(in.data(), out.data(), 20);
    for (std::size_t i = 0; i < 32; ++i) CHECK(is_poison(out[i]) == (i >= 20));
    unwritten_shared(in.data(), out.data(), 32);
    unwritten_shared(in.data(), out.data(), 5); // what the last block left is gone
    for (std::size_t i = 0; i < 32; ++i) CHECK(is_poison(out[i]) == (i >= 5));
}

TEST_CASE("What hangs on memory that nobody wrote comes out otherwise with the other poison") {
    const std::vector<float> in = eighths(32);
    std::vector<float> quiet(32), loud(32);
    trial::start(0);
    unwritten_shared(in.data(), quiet.data(), 20);
    set_poison(loud_poison);
    unwritten_shared(in.data(), loud.data(), 20);
    trial::start(0); // and sets it back
    for (std::size_t i = 0; i < 32; ++i) {
        CHECK((quiet[i] == loud[i]) == (i < 20));
        if (i >= 20) CHECK(loud[i] > 1e36f);
    }
    unwritten_shared(in.data(), loud.data(), 20);
    CHECK(is_poison(loud[31]));
}

TEST_CASE("Memory from cudaMalloc is looked at past its end") {
    trial::start(0);
    float* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 5 * sizeof(float)) == cudaSuccess);
    check_guards();
    CHECK(findings().empty());
#ifndef __SANITIZE_ADDRESS__ // which would end the process
    memory[5] = 1.0f;
    check_guards();
    CHECK(only_finding().kind == "overrun");
    CHECK(says(only_finding(), "20 bytes"));
    forget_failures();
    CHECK(findings().empty());
    CHECK(used().unfreed == 1); // kept: the attempt's own
    CHECK(cudaFree(memory) == cudaSuccess);
    CHECK(only_finding().kind == "overrun");
#endif
}

TEST_CASE("A launch that is refused says what it asked for") {
    trial::start(0);
    launch_error(0, 1, 1, 256, 1, 1, 0);
    CHECK(refusal().find("as a grid of (0,1,1) blocks of (256,1,1) threads, does not run") != std::string::npos);
    forget_failures();
    CHECK(refusal().empty());
    launch_error(1, 1, 1, 32, 1, 1, 1 << 16);
    CHECK(refusal().find("with 65536 bytes of dynamic shared memory, does not run: 49152 are allowed") !=
          std::string::npos);
    CHECK(findings().empty());
}

TEST_CASE("A shuffle from a lane that does not take part") {
    trial::start(0);
    const std::vector<float> in = eighths(32);
    std::vector<float> out(32);
    inactive_lane(in.data(), out.data());
    const Finding& finding = only_finding();
    CHECK(finding.kind == "inactive-lane");
    CHECK(finding.line == line_of("wrong.cu", "reads lanes 16 to 23"));
    CHECK(says(finding, "lane 8 reads lane 16"));
    CHECK_FALSE(finding.ended_launch);
    for (std::size_t i = 0; i < 16; ++i) CHECK(is_poison(out[i]) == (i >= 8));
}

TEST_CASE("A shuffle that waits for lanes which wait elsewhere") {
    for (const std::uint64_t order : trial::orders) {
        trial::start(order);
        const std::vector<float> in = eighths(32);
        std::vector<float> out(32);
        missing_lane(in.data(), out.data());
        const Finding& finding = only_finding();
        CHECK(finding.kind == "missing-lane");
        CHECK(finding.line == line_of("wrong.cu", "half a warp calls"));
        CHECK(says(finding, "wrong.cu:" + std::to_string(line_of("wrong.cu", "the other half waits"))));
    }
}

TEST_CASE("A lane that its own mask leaves out") {
    trial::start(0);
    std::vector<float> out(32);
    own_mask(out.data());
    CHECK(only_finding().kind == "mask");
    CHECK(only_finding().line == line_of("wrong.cu", "lanes 16 and up"));
}

#ifndef __SANITIZE_ADDRESS__ // which ends the process: test_simt_asan.cpp
TEST_CASE("Writing past dynamic shared memory") {
    trial::start(0);
    std::vector<float> out(32);
    dynamic_overrun(out.data());
    CHECK(only_finding().kind == "overrun");
    CHECK(says(only_finding(), "124 bytes"));
}
#endif

TEST_CASE("A block that waits for another is stopped") {
    trial::start(0);
    waits_for_blocks();
    CHECK(only_finding().kind == "spin");
    CHECK(only_finding().line == line_of("wrong.cu", "spins"));
}

TEST_CASE("__trap ends the launch, not the process") {
    trial::start(0);
    traps();
    CHECK(only_finding().kind == "trap");
    CHECK(only_finding().line == line_of("wrong.cu", "trap"));
}

TEST_CASE("Blocks run in no order to rely on") {
    int out[3] = {-1, -1, -1};
    for (const std::uint64_t order : trial::orders) {
        trial::start(order);
        block_order(&out[order]);
    }
    CHECK(out[0] == 6);
    CHECK((out[1] != 6 || out[2] != 6));
}

TEST_CASE("After a failed launch the next ones run on stacks that start anew") {
    trial::start(1);
    std::vector<float> out(64);
    divergent_barrier(out.data());
    trial::start(1);
    const std::vector<float> in = eighths(32);
    std::vector<float> doubled(32);
    unwritten_shared(in.data(), doubled.data(), 32);
    CHECK(findings().empty());
    for (std::size_t i = 0; i < 32; ++i) CHECK(doubled[i] == 2.0f * in[i]);
}

TEST_CASE("The same findings through the table of plain C") {
    trial::start(0);
    std::vector<float> out(32);
    own_mask(out.data());
    REQUIRE(assay_simt_control.findings() == 1);
    const FindingView view = assay_simt_control.finding(0);
    CHECK(view.kind == std::string("mask"));
    CHECK(view.line == only_finding().line);
    assay_simt_control.reset();
    CHECK(findings().empty());
}
