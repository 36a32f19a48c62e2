// Attempts in CUDA from a candidate's side, where no GPU is needed: start, check, what is told, what is refused.
#include "catch.hpp"
#include "cli/assay.hpp"

using namespace assay::tests;

namespace {

/// An attempt at sdpa's `attention` alone: this kernel, launched so.
std::string attention_in_cuda(const std::string& kernel, const std::string& launch) {
    return "#include \"contract.cuh\"\nusing assay::device_view;\n" + kernel +
           "void sdpa::attention(device_view<const float, 4> q, device_view<const float, 4> k,\n"
           "    device_view<const float, 4> v, optional<device_view<const bool, 4>>, bool, optional<float>,\n"
           "    device_view<float, 4> out, cudaStream_t stream) {\n" +
           launch + "\n}\n";
}

} // namespace

TEST_CASE("a workspace in CUDA is laid, fails, and passes with a right answer") {
    const Place place;
    const Ran started = place.run("start sdpa --language cuda");
    CAPTURE(started.out, started.err);
    REQUIRE(started.exit == 0);
    REQUIRE(contains(started.out, "emulated on the CPU, for correctness only"));
    for (const char* file : {"README.md", "contract.hpp", "contract.cuh", "sdpa.cu", ".assay/include/assay/device.hpp"})
        REQUIRE_FALSE(place.read(std::string("sdpa/") + file).empty());
    const Ran starter = place.run("check sdpa");
    CAPTURE(starter.out, starter.err);
    REQUIRE(starter.exit == 1);
    REQUIRE(contains(starter.out, "emulated: correctness only"));
    REQUIRE(contains(starter.out, "case one-key"));

    place.write("sdpa/sdpa.cu", checkout_file("solutions/sdpa/solution.cu"));
    const Ran passed = place.run("check sdpa --format json");
    CAPTURE(passed.out, passed.err);
    REQUIRE(passed.exit == 0);
    REQUIRE(contains(passed.out, "\"device\": \"cuda-emulated\""));
    REQUIRE_FALSE(contains(passed.out, "\"id\": \"streaming\""));
    REQUIRE(contains(passed.out, "\"max_score\": 85"));
    REQUIRE(contains(place.run("solution sdpa").out, "__global__ void attention_kernel"));
    const Ran level = place.run("check sdpa --level streaming");
    REQUIRE(level.exit == 2);
    REQUIRE(contains(level.err, "streaming is not asked in this attempt's language"));

    const Ran timed = place.run("bench sdpa/sdpa.cu");
    REQUIRE(timed.exit == 3);
    REQUIRE(contains(timed.err, "sdpa.cu cannot be timed: its kernels are emulated"));
    const Ran speed = place.run("check sdpa --level 1 --speed");
    REQUIRE(contains(speed.out, "not timed: its kernels are emulated"));
}

TEST_CASE("what only threads get wrong is told with its line") {
    const Place place;
    place.write("sdpa.cu", attention_in_cuda("__global__ void kernel(device_view<float, 4> out) {\n"
                                             "    if (threadIdx.x < 16) __syncthreads();\n"
                                             "    else { out(0, 0, 0, 0) = 1; __syncthreads(); }\n"
                                             "}\n",
                                             "kernel<<<1, 32, 0, stream>>>(out);"));
    const Ran barrier = place.run("check sdpa.cu --level 1");
    CAPTURE(barrier.out, barrier.err);
    REQUIRE(barrier.exit == 1);
    REQUIRE(contains(barrier.out, "attention: divergent barrier: thread (0,0,0) waits"));
    REQUIRE(contains(barrier.out, "sdpa.cu:4"));
    REQUIRE(contains(barrier.out, "sdpa.cu:5"));

    place.write("sdpa.cu", attention_in_cuda("__global__ void kernel(device_view<float, 4> out) {\n"
                                             "    __shared__ float line[32];\n"
                                             "    line[threadIdx.x + 1] = 1;\n"
                                             "    out(0, 0, 0, 0) = line[0];\n"
                                             "}\n",
                                             "kernel<<<1, 32, 0, stream>>>(out);"));
    const Ran overrun = place.run("check sdpa.cu --level 1");
    CAPTURE(overrun.out, overrun.err);
    REQUIRE(overrun.exit == 1);
    REQUIRE(contains(overrun.out, "writes past the end of a __shared__"));
    REQUIRE(contains(overrun.out, "global-buffer-overflow, sdpa.cu:5"));

    place.write("sdpa.cu", attention_in_cuda("__global__ void kernel(device_view<float, 4> out) {}\n",
                                             "kernel<<<0, 32, 0, stream>>>(out);"));
    const Ran empty = place.run("check sdpa.cu --level 1");
    CAPTURE(empty.out, empty.err);
    REQUIRE(contains(empty.out, "cudaErrorInvalidConfiguration"));
}

TEST_CASE("what does not compile in CUDA is told by the attempt's own lines") {
    const Place place;
    place.write("sdpa.cu", "#include \"contract.cuh\"\n__global__ void kernel(int n) { n = m; }\n");
    const Ran broken = place.run("check sdpa.cu");
    CAPTURE(broken.out, broken.err);
    REQUIRE(broken.exit == 1);
    REQUIRE(contains(broken.out, "sdpa.cu:2:"));
    REQUIRE(contains(broken.out, "    2 | __global__ void kernel(int n) { n = m; }"));
    place.write("sdpa.cu", "#include \"contract.cuh\"\n__device__ void f() { asm(\"bar.sync 0;\"); }\n");
    const Ran ptx = place.run("check sdpa.cu");
    CAPTURE(ptx.out, ptx.err);
    REQUIRE(contains(ptx.out, "sdpa.cu:2: error: the CPU emulation of CUDA runs no PTX"));
    place.write("sdpa.cu", "#include \"contract.cuh\"\nnamespace sdpa {\n"
                           "void attention(device_view<const __half, 4>, cudaStream_t) {}\n}\n");
    const Ran near = place.run("check sdpa.cu --level 1");
    CAPTURE(near.out, near.err);
    REQUIRE(contains(near.out, "is device_view<const __half, 4>"));
    place.write("memory.cu", "#include \"contract.cuh\"\n");
    const Ran other = place.run("check memory.cu");
    CAPTURE(other.out, other.err);
    REQUIRE(other.exit == 2);
    REQUIRE(contains(other.err, "memory is not asked in CUDA"));
    const Ran start = place.run("start memory --language cuda");
    REQUIRE(start.exit == 2);
    REQUIRE(contains(start.err, "memory is not asked in CUDA"));
    REQUIRE_FALSE(std::filesystem::exists(place.work() / "memory"));
}

TEST_CASE("doctor and list tell that CUDA is emulated") {
    const Place place;
    REQUIRE(contains(place.run("doctor").out, "attempts in CUDA (sdpa) run on the CPU"));
    REQUIRE(contains(place.run("list").out, "CUDA, emulated on the CPU"));
}

TEST_CASE("a GPU that is wanted and not here is told in a sentence") {
    Place place;
    place.write("sdpa.cu", checkout_file("solutions/sdpa/solution.cu"));
    place.write("sdpa.cpp", checkout_file("solutions/sdpa/solution.cpp"));
    place.extra =
        "ASSAY_STAND_IN=none LD_LIBRARY_PATH=" + std::filesystem::path(ASSAY_STAND_IN_DRIVER).parent_path().string();
    const Ran none = place.run("check sdpa.cu --device cuda");
    CAPTURE(none.out, none.err);
    REQUIRE(none.exit == 3);
    REQUIRE(contains(none.err, "sdpa.cu cannot run on a GPU: "));
    REQUIRE(contains(place.run("check sdpa.cu --level 1").out, "emulated: correctness only"));
    const Ran other = place.run("check sdpa.cpp --device cuda");
    REQUIRE(other.exit == 2);
    REQUIRE(contains(other.err, "--device is for attempts in CUDA, and sdpa.cpp is none"));
}

TEST_CASE("doctor tells of a driver's device") {
    Place place;
    place.extra = "LD_LIBRARY_PATH=" + std::filesystem::path(ASSAY_STAND_IN_DRIVER).parent_path().string();
    REQUIRE(contains(place.run("doctor").out, "Stand-in GPU, 8 GiB, compute capability 9.0"));
}
