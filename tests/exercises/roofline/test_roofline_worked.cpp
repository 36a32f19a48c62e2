// Numbers of `roofline` that stand in its statement, or were published elsewhere.
#include "exercises/roofline/reader.hpp"

#include <cmath>

using namespace assay;
using namespace assay::roofline_test;

namespace {

Approx near(double value, double relative = 5e-5) { return Approx(value).epsilon(relative); }

using Int = std::int64_t;

double crossover(Int d, Int f, Int n) {
    return item(changed(problem_of("wide"), {{"d_model", d}, {"hidden", f}, {"gpus", n}}), "crossover");
}

} // namespace

TEST_CASE("n = 6, d = 5120, f = 13824, T = 300 on H100: 14.313, 18.395 and 11.378 us, memory binds") {
    const Problem worked = problem_of("worked");
    CHECK(worked.integer("gpus") == 6);
    CHECK(worked.integer("d_model") == 5120);
    CHECK(worked.integer("hidden") == 13824);
    CHECK(worked.integer("tokens") == 300);
    CHECK(item(worked, "flops") == 84934656000.0);
    CHECK(item(worked, "weight_bytes") == 283115520.0);
    CHECK(item(worked, "activation_bytes") == 14438400.0);
    CHECK(item(worked, "network_bytes") == near(5120000, 1e-15));
    CHECK(item(worked, "t_compute") * 1e6 == near(14.313));
    CHECK(item(worked, "t_memory") * 1e6 == near(18.395));
    CHECK(item(worked, "t_network") * 1e6 == near(11.378));
    CHECK(item(worked, "time") == item(worked, "t_memory"));
    CHECK(item(worked, "binds") == 1);
}

TEST_CASE("the ridge of H100 is 295 FLOP/B; T* is 303, 377 on 8, and never for d = 1024 on 8") {
    CHECK(std::round(item(problem_of("wide"), "ridge")) == 295);
    CHECK(std::round(crossover(8192, 32768, 1)) == 303);
    CHECK(crossover(8192, 32768, 1) == near(303.4250));
    CHECK(std::round(crossover(8192, 32768, 8)) == 377);
    CHECK(crossover(8192, 32768, 8) == near(376.6708));
    CHECK(std::isinf(crossover(1024, 4096, 8)));
    CHECK(item(problem_of("wide"), "least_tokens") == 304);
    CHECK(item(problem_of("wide-on-eight"), "least_tokens") == 377);
    CHECK(item(problem_of("never"), "activation_share") == near(1.72983));
}

TEST_CASE("the crossover is a whole batch later where half of the tokens' compute is eaten by their activations") {
    // d = 2048, f = 4d, n = 4: the share is .4324, so T* = R / .5676
    const Problem half = changed(problem_of("wide"), {{"d_model", Int{2048}}, {"hidden", Int{8192}}, {"gpus", Int{4}}});
    CHECK(item(half, "crossover") == near(item(half, "ridge") / (1 - item(half, "activation_share")), 1e-14));
    CHECK(item(half, "activation_share") == near(0.43246));
}

TEST_CASE("TPU v5e: 240 tokens make a 16-bit matmul compute-bound, about as many in 8 bits") {
    // "How to Scale Your Model" (Austin et al., jax-ml.github.io/scaling-book), part 1: 1.97e14 / 8.2e11 = 240.
    const Problem v5e =
        changed(problem_of("wide"), {{"dense_tflops", 197.0}, {"sparse_tflops", 394.0}, {"memory_tb", 0.82}});
    CHECK(std::round(item(v5e, "weight_tokens")) == 240);
    CHECK(std::round(item(v5e, "ridge")) == 240);
    const Problem int8 = changed(v5e, {{"dense_tflops", 394.0}, {"bytes_per_element", Int{1}}});
    CHECK(item(int8, "weight_tokens") == item(v5e, "weight_tokens"));
}

TEST_CASE("a ring sends 2 (n-1)/n of the tensor, as nccl-tests reckon its bus bandwidth") {
    // NVIDIA/nccl-tests, doc/PERFORMANCE.md, AllReduce: busbw = S/t * 2 (n-1)/n.
    for (const Int n : {1, 2, 3, 6, 8, 72}) {
        const Problem ring = changed(problem_of("worked"), {{"gpus", n}});
        const double share = 2 * (static_cast<double>(n) - 1) / static_cast<double>(n);
        CHECK(item(ring, "network_bytes") == near(share * 300 * 5120 * 2, 1e-15));
    }
}

TEST_CASE("the refined model's worked example") {
    const Problem plain = problem_of("plain");
    CHECK(item(plain, "weight_bytes") == 47185920.0);
    CHECK(item(plain, "edge_bytes") == 6144000.0);
    CHECK(item(plain, "hidden_bytes") == 2764800.0);
    CHECK(item(plain, "steps") == 10);
    CHECK(item(plain, "t_memory") * 1e6 == near(16.745));
    CHECK(item(plain, "t_network") * 1e6 == near(22.378));
    CHECK(item(plain, "time") * 1e6 == near(39.1225));
    CHECK(item(plain, "binds") == 2);
    const Problem gated = problem_of("gated");
    CHECK(item(gated, "flops") == 1.5 * item(plain, "flops")); // 6 T d f
    CHECK(item(gated, "weight_bytes") == 1.5 * item(plain, "weight_bytes"));
    CHECK(item(gated, "t_compute") * 1e6 == near(21.470));
    CHECK(item(gated, "t_memory") * 1e6 == near(25.530));
    CHECK(item(gated, "time") * 1e6 == near(47.9075));
    CHECK(item(problem_of("plain-fused"), "hidden_bytes") == 0);
    CHECK(item(problem_of("gated-fused"), "edge_bytes") == item(plain, "edge_bytes"));
}

TEST_CASE("8 of nodes of 8 take NVLink, 9 the network") {
    CHECK(item(problem_of("node-full"), "ring_bw") == 450e9);
    CHECK(item(problem_of("node-left"), "ring_bw") == 50e9);
    CHECK(item(problem_of("node-left"), "t_network") * 1e6 == near(194.0267));
}

TEST_CASE("the inverse questions of the statement") {
    Problem group = changed(problem_of("group-two"), {{"gpus", Int{32}}, {"share", 0.045}});
    CHECK(item(group, "size") == 4);
    CHECK(item(group, "time_before") * 1e6 == near(45.1576));
    CHECK(item(group, "time_at") * 1e6 == near(41.0400));
    CHECK(item(changed(group, {{"share", 0.1}}), "size") == 3);
    CHECK(item(problem_of("group-two"), "size") == 2);
    CHECK(item(problem_of("batch-network"), "memory_tokens") == near(362.5922));
    CHECK(item(problem_of("batch-network"), "network_tokens") == near(1124.1912));
    CHECK(item(problem_of("batch-network"), "tokens") == 1125);
    const Problem twice = problem_of("double-link");
    CHECK(item(twice, "time_peak") == item(twice, "time"));
    CHECK(item(twice, "time_memory") * 1e6 == near(36.6910));
    CHECK(item(twice, "time_link") * 1e6 == near(33.4336));
    CHECK(item(twice, "time_gpus") * 1e6 == near(238.5294));
    CHECK(item(twice, "best") == 2);
    CHECK(item(twice, "halves") == 0);
    CHECK(item(problem_of("double-compute"), "halves") == 1);
}

TEST_CASE("the switch sends (n+1)/n: worse than a ring at n = 2, equal at 3, better from 4 on") {
    const auto ratio = [](Int n) {
        const Problem problem = changed(problem_of("switch-six"), {{"gpus", n}});
        return item(problem, "switch_bytes") / item(problem, "ring_bytes");
    };
    CHECK(ratio(2) == near(1.5, 1e-14));
    CHECK(ratio(3) == near(1, 1e-14));
    CHECK(ratio(4) == near(5.0 / 6, 1e-14));
    for (Int n = 4; n <= 8; ++n) CHECK(ratio(n) < 1);
    CHECK(item(problem_of("switch-two"), "best") == 0);
    CHECK(item(problem_of("switch-three"), "best") == 1); // fewer steps
    CHECK(item(problem_of("switch-one"), "best") == -1);
    CHECK(item(problem_of("switch-one"), "switch_bytes") == 0);
}
