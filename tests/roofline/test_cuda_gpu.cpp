// The path to a real GPU, on a stand-in for the driver and cuBLAS: what is measured, what is refused, what is told, and
// that everything is given back.
#include "catch.hpp"
#include "roofline/cuda_gpu.hpp"
#include "roofline/measure_gpu.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

using namespace assay;
using namespace assay::roofline;

namespace {

namespace fs = std::filesystem;

const fs::path library = ASSAY_STAND_IN_CUDA;
const std::string driver_name = (library.parent_path() / "libcuda.so.1").native();

template <class Function> Function of_stand_in(const char* name) {
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(handle != nullptr);
    return reinterpret_cast<Function>(::dlsym(handle, name));
}

double stand_in_seconds() {
    static const auto seconds = of_stand_in<double (*)()>("assay_stand_in_seconds");
    return seconds();
}

int live() { return of_stand_in<int (*)()>("assay_stand_in_live")(); }

/// What goes wrong, until the scope ends.
class Mood {
  public:
    explicit Mood(const char* word) { ::setenv("ASSAY_STAND_IN", word, 1); }
    Mood(const Mood&) = delete;
    Mood& operator=(const Mood&) = delete;
    ~Mood() { ::unsetenv("ASSAY_STAND_IN"); }
};

CublasPlaces places() { return {(library.parent_path() / "libcublas.so.").native(), {}}; }

Outcome<GpuReport> measured(int ordinal = 0, double seconds = 0.2) {
    const auto driver = open_driver(driver_name);
    if (!driver) return driver.failure();
    const auto blas = open_cublas(places(), driver->version);
    if (!blas) return blas.failure();
    const auto gpu = open_gpu(*driver, *blas, ordinal, stand_in_seconds);
    if (!gpu) return gpu.failure();
    GpuOptions options;
    options.seconds = seconds;
    return measure_gpu(**gpu, options);
}

std::string refusal(const char* mood, int ordinal = 0) {
    const Mood wrong(mood);
    const auto report = measured(ordinal);
    REQUIRE_FALSE(report.ok());
    CHECK(report.failure().verdict == Verdict::SKIP);
    CHECK(live() == 0);
    return report.failure().reason;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a GPU's rates are those of its libraries, by dtype and by way", "[cuda]") {
    const auto report = measured();
    if (!report) FAIL(report.failure().reason);
    CHECK(live() == 0);
    const GpuFacts& facts = report->facts;
    CHECK(facts.name == "NVIDIA H100 80GB HBM3");
    CHECK(facts.processors == 132);
    CHECK(facts.major == 9);
    CHECK(facts.l2_bytes == 1 << 20);
    CHECK(facts.driver == "13.0");
    CHECK(facts.blas == "13.1.0");
    CHECK(report->free_bytes == std::int64_t{64} << 20);

    const double peaks[] = {50e12, 400e12, 800e12, 800e12};
    REQUIRE(report->products.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        const GpuProduct& one = report->products[i];
        CAPTURE(name_of(one.precision), one.rate.refused, one.rate.error);
        CHECK(one.rate.refused.empty());
        CHECK(one.rate.settled);
        CHECK(one.size == 2048); // as far as memory goes
        CHECK(one.rate.spread.median == Approx(peaks[i]).epsilon(0.02));
        CHECK(one.rate.spread.median <= peaks[i] * 1.0001);
        CHECK(one.rate.spread.samples >= 7);
        CHECK(one.rate.error > 0);
        CHECK(report->ridge(one) == Approx(one.rate.spread.median / report->bandwidth()));
    }
    CHECK(report->products[0].rate.error < 1e-5);
    CHECK(report->products[1].rate.error > 1e-4); // TF32 is told from fp32 by its results

    const double rates[] = {3e12, 3.2e12, 50e9, 40e9};
    REQUIRE(report->transfers.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        const GpuTransfer& one = report->transfers[i];
        CAPTURE(name_of(one.transfer), one.rate.refused);
        CHECK(one.rate.refused.empty());
        CHECK(one.rate.error == 0);
        CHECK(one.rate.spread.median == Approx(rates[i]).epsilon(0.02));
    }
    CHECK(report->bandwidth() == report->transfers[0].rate.spread.median);
}

TEST_CASE("what the GPU does not multiply is told, and the rest measured", "[cuda]") {
    const auto report = measured(1);
    if (!report) FAIL(report.failure().reason);
    CHECK(report->facts.name == "Stand-in of Turing");
    CHECK(report->products[0].rate.refused.empty());
    CHECK(report->products[1].rate.refused == "compute capability 7.5 does not multiply tf32, which takes 8.0: measure "
                                              "it on another GPU");
    CHECK(report->products[2].rate.refused.empty());
    CHECK(has(report->products[3].rate.refused, "does not multiply bf16"));
    CHECK(report->ridge(report->products[3]) == 0);
}

TEST_CASE("a GPU whose events and the host's clock disagree is given no rate", "[cuda]") {
    const std::string reason = refusal("drift");
    CHECK(has(reason, "nothing could be measured: "));
    CHECK(has(reason, "by this machine's clock, more than 10 % apart: end what else runs here"));
    CHECK(has(refusal("no-events"), "the device's events tell no time"));
}

TEST_CASE("a wrong product has no rate", "[cuda]") {
    const Mood wrong("wrong");
    const auto report = measured();
    if (!report) FAIL(report.failure().reason);
    for (const GpuProduct& one : report->products) {
        CAPTURE(name_of(one.precision), one.rate.error);
        CHECK(has(one.rate.refused, "is wrong by "));
        CHECK(one.rate.error == Approx(1.41).margin(0.5)); // two products that have nothing to do with each other
        CHECK(one.rate.median() == 0);
    }
    CHECK(report->bandwidth() > 0);
    CHECK(live() == 0);
}

TEST_CASE("fp32 in the place of TF32 is told", "[cuda]") {
    const Mood wrong("fp32-only");
    const auto report = measured();
    if (!report) FAIL(report.failure().reason);
    CHECK(report->products[0].rate.refused.empty());
    CHECK(has(report->products[1].rate.refused, "unset NVIDIA_TF32_OVERRIDE"));
    CHECK(report->products[2].rate.refused.empty());
}

TEST_CASE("copies that do not arrive have no rate", "[cuda]") {
    const Mood wrong("lost");
    const auto report = measured();
    if (!report) FAIL(report.failure().reason);
    CHECK(has(report->transfers[0].rate.refused, "of the words looked at did not arrive"));
    CHECK(report->transfers[1].rate.refused.empty()); // nothing is copied to set
    CHECK(has(report->transfers[2].rate.refused, "did not arrive"));
    CHECK(has(report->transfers[3].rate.refused, "did not arrive"));
}

TEST_CASE("memory that another process takes costs the largest sizes alone", "[cuda]") {
    const Mood wrong("little");
    const auto report = measured();
    if (!report) FAIL(report.failure().reason);
    CHECK(live() == 0);
    CHECK(report->products[0].size == 1024);
    CHECK(report->products[0].rate.refused.empty());
    CHECK(report->products[2].size == 2048);
    CHECK(report->products[2].rate.refused.empty());
    CHECK(report->transfers[0].rate.refused ==
          "cuda:0 has too little memory for a buffer of 25 MiB: end what else runs on it (nvidia-smi shows it)");
    CHECK(report->transfers[3].rate.refused ==
          "cuda:0 has too little memory for a buffer of 51 MiB: end what else runs on it (nvidia-smi shows it)");
}

TEST_CASE("pinned memory that is not given costs the two ways that need it", "[cuda]") {
    const Mood wrong("unpinned");
    const auto report = measured();
    if (!report) FAIL(report.failure().reason);
    CHECK(live() == 0);
    CHECK(report->transfers[1].rate.refused.empty());
    CHECK(has(report->transfers[2].rate.refused, "of pinned memory: free memory of its own, or raise the limit"));
    CHECK(has(report->transfers[3].rate.refused, "of pinned memory"));
}

TEST_CASE("each thing that is missing is one sentence", "[cuda]") {
    CHECK(refusal("none") == "the CUDA driver shows no GPU (see nvidia-smi -L and CUDA_VISIBLE_DEVICES): measure where "
                             "there is one");
    CHECK(refusal("broken") == "the CUDA driver does not start (error 999): see what nvidia-smi says of it");
    CHECK(refusal("old") == "the driver runs CUDA up to 10.2, and cuBLAS of CUDA 11 to 13 is measured with: update the "
                            "driver");
    CHECK(refusal("taken") == "cuda:0 is taken by another process alone: wait for its end (nvidia-smi shows it), or "
                              "measure another GPU");
    CHECK(has(refusal("tiny"), "nothing could be measured: too little memory of cuda:0 is free (1 MiB)"));
    CHECK(has(refusal("no-blas"), "does not serve cuda:0 (to start, status 1): install a cuBLAS as new as the GPU"));
    CHECK(has(refusal("launch"), "fails on cuda:0 to multiply fp32 (status 13)"));
    CHECK(refusal("sticky") == "cuda:0 fails to be filled (CUDA_ERROR_LAUNCH_FAILED, 719): see what nvidia-smi says of "
                               "it, and measure again");
    CHECK(refusal("", 2) == "there is no cuda:2 here: the driver shows 2 GPUs, cuda:0 to cuda:1");
    CHECK(has(open_driver("libassay-no-such-driver.so").failure().reason, "there is no CUDA driver (libcuda.so.1)"));
    CHECK(has(open_driver("libm.so.6").failure().reason, "has no cuInit): update it"));
}

TEST_CASE("cuBLAS is the newest that the driver runs", "[cuda]") {
    CHECK(open_cublas(places(), 13000)->major == 13);
    CHECK(open_cublas(places(), 14020)->major == 13);
    CHECK(open_cublas(places(), 12040)->major == 12);
    CHECK(open_cublas(places(), 11080)->major == 11);
    CublasPlaces apart{"libassay-no-such-cublas.so.", {}};
    CHECK(
        open_cublas(apart, 13000).failure().reason ==
        "there is no cuBLAS (libassay-no-such-cublas.so.11 to 13) here: install CUDA's toolkit, or name its libraries' "
        "folder in LD_LIBRARY_PATH");

    const fs::path folder = fs::temp_directory_path() / ("assay-cublas-" + std::to_string(::getpid()));
    fs::create_directory(folder);
    fs::create_symlink(library, folder / "libassay-stand-in-cublas.so.13");
    const CublasPlaces found{"libassay-stand-in-cublas.so.", {"/nowhere", folder}};
    CHECK(open_cublas(found, 13000)->major == 13);
    CHECK(open_cublas(found, 12040).failure().reason == "cuBLAS here is CUDA 13's, and the driver runs CUDA up to "
                                                        "12.4: update the driver, or install CUDA 12's cuBLAS");
    fs::create_symlink(ASSAY_STAND_IN_DRIVER, folder / "libassay-other.so.12");
    const std::string lacking = open_cublas({"libassay-other.so.", {folder}}, 12040).failure().reason;
    CHECK(has(lacking, " has no cublasCreate_v2: install cuBLAS of CUDA 12 again"));
    fs::remove_all(folder);
}
