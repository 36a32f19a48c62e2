// How a GPU is measured, on GPUs that are made up: no library, no clock.
#include "catch.hpp"
#include "roofline/measure_gpu.hpp"

#include <cmath>
#include <functional>
#include <vector>

using namespace assay;
using namespace assay::roofline;

namespace {

/// What a made-up GPU is like.
struct Script {
    GpuFacts facts{"Made up", 0, 9, 0, 100, std::int64_t{64} << 30, 50 << 20, "13.0", "13.1.0"};
    std::int64_t free = std::int64_t{60} << 30;
    std::function<double(Precision, std::int64_t)> peak = [](Precision, std::int64_t) { return 100e12; };
    double bandwidth = 2e12, link = 50e9;
    double host = 1;                                             // the host's time for one of the events'
    double start_up = 0;                                         // of each work's first run, seconds
    std::function<double(int)> slower = [](int) { return 1.0; }; // by the number of the batch of one work
    std::function<double(Precision)> error = [](Precision one) { return one == Precision::tf32 ? 1e-3 : 1e-6; };
    double lost = 0;
    std::int64_t largest = 1 << 20; // product whose memory is given
    bool broken = false;
    // what was asked for
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> transferred;
    double spent = 0;
    int live = 0, most_live = 0;
};

class Made final : public GpuWork {
  public:
    Made(Script& script, double seconds, double off) : script_(script), seconds_(seconds), error_(off) {
        script_.most_live = std::max(script_.most_live, ++script_.live);
    }
    ~Made() override { --script_.live; }
    GpuTime run(int count) override {
        if (script_.broken) throw GpuFault{"cuda:0 fails to multiply (A, 1): look", false};
        const double time = seconds_ * count * script_.slower(batch_) + (batch_ == 0 ? script_.start_up : 0);
        ++batch_;
        script_.spent += time;
        return {time, time * script_.host};
    }
    double error() override { return error_; }

  private:
    Script& script_;
    double seconds_, error_;
    int batch_ = 0;
};

class MadeUp final : public Gpu {
  public:
    explicit MadeUp(Script& script) : script_(script) {}
    const GpuFacts& facts() const override { return script_.facts; }
    std::int64_t free_bytes() override { return script_.free; }
    std::unique_ptr<GpuWork> product(Precision precision, std::int64_t n) override {
        if (n > script_.largest) throw GpuFault{"cuda:0 has too little memory for it: end what runs", true};
        script_.sizes.push_back(n);
        const double flops = 2 * std::pow(static_cast<double>(n), 3);
        return std::make_unique<Made>(script_, flops / script_.peak(precision, n), script_.error(precision));
    }
    std::unique_ptr<GpuWork> transfer(Transfer transfer, std::int64_t bytes) override {
        script_.transferred.push_back(bytes);
        const bool within = transfer == Transfer::copy || transfer == Transfer::set;
        const double moved = static_cast<double>(bytes) * (transfer == Transfer::copy ? 2 : 1);
        return std::make_unique<Made>(script_, moved / (within ? script_.bandwidth : script_.link), script_.lost);
    }

  private:
    Script& script_;
};

GpuReport measured(Script& script, const GpuOptions& options = {}) {
    MadeUp gpu(script);
    const auto report = measure_gpu(gpu, options);
    if (!report) FAIL(report.failure().reason);
    CHECK(script.live == 0);
    CHECK(script.most_live == 1); // one piece of work's memory at a time
    return *report;
}

std::string failed(Script& script) {
    MadeUp gpu(script);
    const auto report = measure_gpu(gpu, {});
    REQUIRE_FALSE(report.ok());
    CHECK(script.live == 0);
    return report.failure().reason;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a GPU's peak is the best over sizes, and its ridge by the copy") {
    Script script;
    script.peak = [](Precision, std::int64_t n) { return n == 8192 ? 100e12 : 80e12; };
    const GpuReport report = measured(script);
    REQUIRE(report.products.size() == 4);
    for (const GpuProduct& one : report.products) {
        CHECK(one.size == 8192);
        CHECK(one.rate.spread.median == Approx(100e12));
        CHECK(one.rate.settled);
        CHECK(one.rate.host_ratio == 1);
        CHECK(report.ridge(one) == Approx(50));
    }
    REQUIRE(report.transfers.size() == 4);
    CHECK(report.transfers[0].rate.spread.median == Approx(2e12));
    CHECK(report.transfers[0].bytes == std::int64_t{32} * (50 << 20)); // far beyond the L2 cache
    CHECK(report.transfers[3].rate.spread.median == Approx(50e9));
    CHECK(script.spent == Approx(10).epsilon(0.1)); // --seconds
}

TEST_CASE("sizes are those that memory and time have room for, the three largest of them") {
    Script script;
    GpuOptions options;
    options.precisions = {Precision::fp16};
    measured(script, options);
    CHECK(script.sizes == std::vector<std::int64_t>{1024, 4096, 8192, 16384}); // 1024 to know how fast it is
    script.sizes.clear();
    script.free = std::int64_t{1} << 30; // three of 16384 take 1.5 GiB
    measured(script, options);
    CHECK(script.sizes == std::vector<std::int64_t>{1024, 2048, 4096, 8192});
    script.sizes.clear();
    options.seconds = 1; // 16 products of 4096 take 0.22 s at 10 TFLOP/s
    script.peak = [](Precision, std::int64_t) { return 10e12; };
    measured(script, options);
    CHECK(script.sizes == std::vector<std::int64_t>{1024, 1024, 2048, 4096});
    script.sizes.clear();
    script.peak = [](Precision, std::int64_t) { return 1e9; }; // no time for any: the least is measured all the same
    const GpuReport slow = measured(script, options);
    CHECK(script.sizes == std::vector<std::int64_t>{1024, 1024});
    CHECK(slow.products[0].rate.spread.samples == 7);
}

TEST_CASE("the first run's start-up is no part of a rate, and the clock is waited for") {
    Script script;
    script.start_up = 1;
    script.slower = [](int batch) { return batch < 12 ? 2 - batch / 12.0 : 1.0; }; // a clock that rises
    const GpuReport report = measured(script);
    for (const GpuProduct& one : report.products) {
        CHECK(one.rate.spread.median == Approx(100e12));
        CHECK(one.rate.spread.low == Approx(100e12));
        CHECK(one.rate.settled);
    }
}

TEST_CASE("a clock that never settles is told, and its spread shown") {
    Script script;
    script.slower = [](int batch) { return batch / 3 % 2 == 0 ? 1.0 : 1.2; };
    const GpuReport report = measured(script);
    CHECK_FALSE(report.products[0].rate.settled);
    CHECK(report.products[0].rate.refused.empty());
    CHECK(report.products[0].rate.spread.low < 0.9 * report.products[0].rate.spread.high);
}

TEST_CASE("the host's clock may differ by a tenth, and no more") {
    for (const double ratio : {0.91, 1.09}) {
        Script script;
        script.host = ratio;
        CHECK(measured(script).products[0].rate.refused.empty());
    }
    for (const double ratio : {0.0, 0.89, 1.11, 2.0}) {
        Script script;
        script.host = ratio;
        CAPTURE(ratio);
        CHECK(has(failed(script), "by this machine's clock, more than 10 % apart"));
    }
}

TEST_CASE("a product that is off by more than its type allows has no rate") {
    Script script;
    script.error = [](Precision) { return 2e-3; }; // what bfloat16 comes to
    const GpuReport report = measured(script);
    CHECK(has(report.products[0].rate.refused, "is wrong by 0.002 of an element's size, and fp32 stays below 3.1e-05"));
    CHECK(report.products[1].rate.refused.empty());
    CHECK(has(report.products[2].rate.refused, "and fp16 stays below 0.002"));
    CHECK(report.products[3].rate.refused.empty());
    CHECK(report.ridge(report.products[0]) == 0);
    script.error = [](Precision) { return std::nan(""); }; // nothing was written
    CHECK(has(measured(script).products[3].rate.refused, "is wrong by nan"));
    script.error = [](Precision) { return 1e-6; };
    CHECK(has(measured(script).products[1].rate.refused, "cuBLAS multiplied in fp32 though TF32 was asked for"));
}

TEST_CASE("a copy that loses words has no rate, and leaves no ridge") {
    Script script;
    script.lost = 1.0 / 64;
    const GpuReport report = measured(script);
    CHECK(has(report.transfers[0].rate.refused, "0.016 of the words looked at did not arrive"));
    CHECK(report.bandwidth() == 0);
    CHECK(report.products[0].rate.refused.empty());
    CHECK(report.ridge(report.products[0]) == 0);
}

TEST_CASE("memory that runs out costs the sizes that it runs out for") {
    Script script;
    script.largest = 4096;
    script.peak = [](Precision, std::int64_t n) { return n == 4096 ? 100e12 : 80e12; };
    const GpuReport some = measured(script);
    CHECK(some.products[0].size == 4096);
    CHECK(some.products[0].rate.refused.empty());
    script.largest = 512;
    const GpuReport none = measured(script);
    CHECK(none.products[0].size == 0);
    CHECK(none.products[0].rate.refused == "cuda:0 has too little memory for it: end what runs");
    CHECK(none.bandwidth() > 0);
    script.free = std::int64_t{100} << 20; // less than twice four times the L2 cache
    CHECK(has(measured(script).transfers[0].rate.refused,
              "too little memory of cuda:0 is free (100 MiB) for buffers of four times its L2 cache"));
    script.free = 1 << 20;
    CHECK(has(failed(script), "nothing could be measured: too little memory"));
}

TEST_CASE("a device that fails ends the measuring, in its own words") {
    Script script;
    script.broken = true;
    CHECK(failed(script) == "cuda:0 fails to multiply (A, 1): look");
}
