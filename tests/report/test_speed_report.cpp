// Timed levels in a record's document and in words, and what a race looks like on a terminal and as JSON.
#include "catch.hpp"
#include "report/bench.hpp"
#include "report/json.hpp"
#include "report/json_schema.hpp"
#include "report/sample_record.hpp"
#include "report/speed.hpp"
#include "report/text.hpp"

#include <nlohmann/json.hpp>

using namespace assay;
using namespace assay::tests;

namespace {

SpeedRecord timed() {
    SpeedRecord speed;
    speed.id = "speed";
    speed.title = "As fast as the solution";
    speed.points = 15;
    speed.earned = 10;
    speed.thresholds = {0.5, 0.8, 0.95};
    speed.reached = 2;
    SpeedRecord::Case one;
    one.id = "1x8x1024x64";
    one.ratio = 0.83;
    one.low = 0.81;
    one.high = 0.86;
    one.seconds = 0.0214;
    one.share = 0.12;
    one.rounds = 31;
    one.control = 1.004;
    one.peak = 266240;
    speed.cases = {one};
    return speed;
}

timing::Timing figure(const std::string& name, double median, double ratio) {
    timing::Timing t;
    t.name = name;
    t.samples = {median, median, median, median, median, median};
    t.rounds = {0, 1, 2, 3, 4, 5};
    t.median = median;
    t.interval = {0.98 * median, 1.03 * median, 0.97};
    t.ratio = ratio;
    t.ratios = {0.97 * ratio, 1.02 * ratio, 0.97};
    return t;
}

BenchReport report() {
    BenchReport report;
    report.exercise = "sdpa";
    report.title = "Scaled dot-product attention";
    report.processor = "AMD EPYC 9374F";
    report.limits.threads = 2;
    report.limits.flops = 233e9;
    report.limits.exponentials = 11e9;
    report.limits.bandwidth = 21e9;
    report.limits.kernels = "AVX-512";
    report.environment.compiler = "g++ 12.2.0";
    report.environment.flags = "-std=c++20 -O2 -march=native";
    report.environment.isolation = "bounded";
    report.reference = "solution";
    report.further = {"1x8x4096x128"};
    BenchReport::Case one;
    one.id = "1x8x1024x64";
    one.why = "eight heads of 1024 tokens: a short prompt";
    one.cost = {2.147e9, 8.39e6, 8.4e6, 2.16e6};
    one.floor = {0.01, 0};
    one.control = 1.012;
    one.allowed = 0.03;
    one.rounds = 6;
    one.seconds = 10.1;
    one.contestants = {{figure("attempt", 0.02, 4), 263'000},
                       {figure("solution", 0.08, 1), 5'000},
                       {figure("mine.cpp", 0.09, 0.9), std::nullopt}};
    one.contestants[2].timing.refused = "a timed call's answer is wrong: out[0,0,3,1] is 1, expected 2";
    one.contestants[2].timing.disqualified = true;
    report.cases = {one};
    return report;
}

/// The same on a device, but for the last one, which ran beside it.
BenchReport on_device() {
    BenchReport made = report();
    made.device = {"NVIDIA H200", "sm_90"};
    made.environment.compiler = "nvcc 13.0.88 with g++ 12.2.0";
    made.limits = {};
    BenchReport::Case& one = made.cases.front();
    one.limits = "by the data sheet of NVIDIA H200 SXM 141 GB: 330 TFLOP/s, 4.8 TB/s";
    for (BenchReport::Contestant& each : one.contestants) {
        each.peak.reset();
        each.on_device = &each != &one.contestants.back();
        if (each.on_device) each.clocks = timing::DeviceClocks{0.0199, 0.0201, 0.0203, 12e-6, 40e-6, 0.03};
    }
    one.contestants.front().timing.remark = "the stream that it is given is busy for 2 ms of its 20 ms";
    return made;
}

} // namespace

TEST_CASE("a record with timed levels is read back as written, fits the schema, and has them after its timings") {
    Record record = sample_record();
    const std::string before = to_json(record);
    record.speed = {timed()};
    const std::string text = to_json(record);
    CHECK(misfit_of(text, "data/record.schema.json") == "");
    const Outcome<Record> back = record_from_json(text);
    REQUIRE(back.ok());
    CHECK(to_json(*back) == text);
    CHECK(back->speed.front().cases.front().peak == 266240);
    CHECK(before.substr(0, before.find("\"timings\"")) == text.substr(0, text.find("\"timings\"")));
    CHECK(back->score == record.score);

    std::string broken = text;
    broken.replace(broken.find("\"reached\": 2"), 12, "\"reached\": -2");
    CHECK(misfit_of(broken, "data/record.schema.json") != "");
}

TEST_CASE("records of schema 1, which knew no timed levels, are still read") {
    std::string text = to_json(sample_record());
    text.replace(text.find("\"schema\": 3"), 11, "\"schema\": 1");
    const std::size_t since = text.find("    \"attempt_ms\"");
    text.erase(since, text.find('\n', since) + 1 - since);
    CHECK(record_from_json(text).ok());
    CHECK(misfit_of(text, "data/record.schema.json") == "");
}

TEST_CASE("a timed level is told with its aims, what was reached, and why nothing was measured") {
    const std::string text = speed_text(timed(), Style{});
    CHECK(text.find("10 of 15, apart from the points") != std::string::npos);
    CHECK(text.find("0.83 times as fast as the solution (0.81 to 0.86), 12 % of") != std::string::npos);
    CHECK(text.find("0.5 reached, 0.8 reached, 0.95\n") != std::string::npos);
    SpeedRecord refused = timed();
    refused.cases.front().refused = "two processes of the same program (attempt) differ by 4.1 %, more than 3 %";
    CHECK(speed_text(refused, Style{}).find("not measurable, two processes") != std::string::npos);
    SpeedRecord none = timed();
    none.cases.clear();
    none.reason = "not timed: only an attempt that passes every level is";
    CHECK(speed_text(none, Style{}).find("only an attempt that passes") != std::string::npos);
}

TEST_CASE("what is no race's document does not fit its schema") {
    const std::string good = bench_json(report());
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        return misfit_of(text.replace(at, from.size(), to), "data/bench.schema.json");
    };
    CHECK(replaced("\"schema\": 2", "\"schema\": 3") != "");
    CHECK(replaced("\"kind\": \"bench\",", "") != "");
    CHECK(replaced("\"rounds\": 6", "\"rounds\": -6") != "");
    CHECK(replaced("\"ratio\": 4.0", "\"ratio\": \"4\"") != "");
    CHECK(replaced("\"peak_bytes\": null", "\"peak_byte\": null") != "");
    CHECK(replaced("\"clocks\": null", "\"clocks\": {}") != "");
    CHECK(replaced("\"device\": \"cpu\"", "\"device\": \"gpu\"") != "");
    CHECK(replaced("\"device\": null", "\"device\": { \"name\": \"NVIDIA H200\" }") != "");
}

TEST_CASE("a race on a terminal: figures, bars, refusals, memory, control, within the width") {
    Style style;
    for (const int width : {60, 80, 120}) {
        style.width = width;
        const std::string text = bench_terminal(report(), style);
        INFO(text);
        CHECK(text.find("20.0 ms") != std::string::npos);
        CHECK(text.find("19.6 to 20.6 ms") != std::string::npos);
        CHECK(text.find("4x (3.88 to 4.08)") != std::string::npos);
        CHECK(text.find("mine.cpp: disqualified") != std::string::npos);
        CHECK(text.find("2.06 MiB") != std::string::npos); // what streaming holds
        CHECK(text.find("1.2") != std::string::npos);      // what the control says, wherever the line breaks
        if (width >= 100)
            for (const std::string& line : lines_of(text))
                CHECK(display_width(line) <= static_cast<std::size_t>(width));
    }
}

TEST_CASE("a race as JSON: figures where there are any, null and the reason where not") {
    const std::string text = bench_json(report());
    CHECK(misfit_of(text, "data/bench.schema.json") == "");
    const auto j = nlohmann::json::parse(text);
    const auto& contestants = j["cases"][0]["contestants"];
    CHECK(contestants[0]["ratio"] == 4);
    CHECK(contestants[0]["share_of_floor"].get<double>() == Approx(0.5));
    CHECK(contestants[0]["flops_per_s"].get<double>() == Approx(2.147e9 / 0.02));
    CHECK(contestants[2]["median_s"].is_null());
    CHECK(contestants[2]["disqualified"] == true);
    CHECK(contestants[2]["peak_bytes"].is_null());
    CHECK(j["cases"][0]["control"] == 1.012);
}

TEST_CASE("a race on a device as JSON: whose clocks told what, and what ran beside it") {
    const std::string text = bench_json(on_device());
    CHECK(misfit_of(text, "data/bench.schema.json") == "");
    const auto j = nlohmann::json::parse(text);
    CHECK(j["device"]["name"] == "NVIDIA H200");
    CHECK(j["cases"][0]["device_limits"] == "by the data sheet of NVIDIA H200 SXM 141 GB: 330 TFLOP/s, 4.8 TB/s");
    const auto& contestants = j["cases"][0]["contestants"];
    CHECK(contestants[0]["device"] == "cuda");
    CHECK(contestants[0]["clocks"]["events_s"] == 0.0199);
    CHECK(contestants[0]["clocks"]["judge_empty_s"] == 40e-6);
    CHECK(contestants[0]["remark"] == "the stream that it is given is busy for 2 ms of its 20 ms");
    CHECK(contestants[2]["device"] == "cpu");
    CHECK(contestants[2]["clocks"].is_null());
    CHECK(nlohmann::json::parse(bench_json(report()))["device"].is_null());
}

TEST_CASE("a race on a device on a terminal: where it ran, by what it is bound, what is odd") {
    Style style;
    style.width = 400;
    const std::string text = bench_terminal(on_device(), style);
    INFO(text);
    CHECK(text.find("on NVIDIA H200 (sm_90); built with nvcc 13.0.88 with g++ 12.2.0") != std::string::npos);
    CHECK(text.find("The device's limits: by the data sheet of NVIDIA H200 SXM 141 GB: 330 TFLOP/s, 4.8 TB/s.") !=
          std::string::npos);
    CHECK(text.find("attempt: the stream that it is given is busy for 2 ms of its 20 ms.") != std::string::npos);
    CHECK(text.find("On the CPU, by the judge's clock: mine.cpp. All others on the GPU.") != std::string::npos);
    CHECK(text.find("its L2 cache flushed before; copies to and from the device are not in it.") != std::string::npos);
    CHECK(text.find("thread") == std::string::npos); // the host's are no part of it
    CHECK(bench_terminal(report(), style).find("L2") == std::string::npos);
}
