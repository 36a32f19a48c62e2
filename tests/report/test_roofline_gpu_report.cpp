// What is written of a measured GPU: the JSON's keys, which others read, and the texts' parts.
#include "catch.hpp"
#include "report/roofline.hpp"
#include "report/text.hpp"

#include <nlohmann/json.hpp>

using namespace assay;
using namespace assay::roofline;

namespace {

using Keys = std::vector<std::string>;

Keys keys(const nlohmann::ordered_json& json) {
    Keys names;
    for (const auto& [key, value] : json.items()) names.push_back(key);
    return names;
}

GpuRate rate(double median) { return {{median, 0.99 * median, 1.01 * median, 25}, true, 1, 0, ""}; }

GpuReport example() {
    GpuReport report;
    report.facts = {"NVIDIA H100 80GB HBM3", 1, 9, 0, 132, std::int64_t{80} << 30, 50 << 20, "13.0", "13.1.0"};
    report.free_bytes = std::int64_t{79} << 30;
    GpuRate refused = rate(1);
    refused.refused = "its product of 8192 by 8192 is wrong by 1.4 of an element's size, and tf32 stays below 0.0039: "
                      "update the driver and cuBLAS, and measure again";
    report.products = {{Precision::fp32, 8192, rate(50e12)},
                       {Precision::tf32, 8192, refused},
                       {Precision::bf16, 16384, rate(999.9e12)}};
    report.transfers = {{Transfer::copy, 1 << 30, rate(3e12)},
                        {Transfer::set, 1 << 30, rate(3.2e12)},
                        {Transfer::to_device, 1 << 28, rate(55e9)},
                        {Transfer::from_device, 1 << 28, rate(54e9)}};
    return report;
}

DataSheet sheet() {
    return {"h100-sxm", "NVIDIA H100 SXM 80 GB", "the data sheet", {{"fp32", 67e12}, {"bf16", 989e12}}, 3.35e12, 64e9};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("the keys of a GPU's JSON") {
    const DataSheet known = sheet();
    const auto json = nlohmann::ordered_json::parse(gpu_json(example(), &known));
    REQUIRE(keys(json) == Keys{"schema", "kind", "device", "chip", "products", "transfers"});
    REQUIRE(json["schema"] == 1);
    REQUIRE(json["kind"] == "here-cuda");
    REQUIRE(keys(json["device"]) == Keys{"name", "ordinal", "compute_capability", "processors", "memory_bytes",
                                         "free_bytes", "l2_bytes", "driver", "cublas"});
    REQUIRE(json["device"]["compute_capability"] == "9.0");
    REQUIRE(keys(json["chip"]) == Keys{"name", "title", "source"});
    const auto& fp32 = json["products"][0];
    REQUIRE(keys(fp32) == Keys{"dtype", "size", "rate", "settled", "datasheet", "share", "refused", "ridge"});
    REQUIRE(keys(fp32["rate"]) == Keys{"median", "low", "high", "samples"});
    REQUIRE(fp32["share"].get<double>() == Approx(50.0 / 67));
    REQUIRE(fp32["ridge"].get<double>() == Approx(50.0 / 3));
    REQUIRE(fp32["refused"].is_null());
    const auto& tf32 = json["products"][1];
    REQUIRE(tf32["rate"].is_null());
    REQUIRE(tf32["share"].is_null());
    REQUIRE(tf32["ridge"].is_null());
    REQUIRE(tf32["refused"].get<std::string>().find("its product of 8192") == 0);
    const auto& copy = json["transfers"][0];
    REQUIRE(keys(copy) == Keys{"transfer", "buffer_bytes", "rate", "settled", "datasheet", "share", "refused"});
    REQUIRE(copy["transfer"] == "copy");
    REQUIRE(copy["share"].get<double>() == Approx(3 / 3.35));
    REQUIRE(json["transfers"][1]["transfer"] == "set");
    REQUIRE(json["transfers"][2]["transfer"] == "to-device");
    REQUIRE(json["transfers"][2]["datasheet"] == 64e9);
    REQUIRE(json["transfers"][3]["transfer"] == "from-device");

    const auto unknown = nlohmann::ordered_json::parse(gpu_json(example(), nullptr));
    REQUIRE(unknown["chip"].is_null());
    REQUIRE(unknown["products"][0]["datasheet"].is_null());
    REQUIRE(unknown["products"][0]["share"].is_null());
}

TEST_CASE("a GPU's table tells rates, ridges and shares within the terminal's width") {
    const DataSheet known = sheet();
    for (const int width : {80, 120}) {
        const std::string text = gpu_terminal(example(), &known, {false, width});
        for (const std::string& line : lines_of(text)) {
            CAPTURE(line);
            REQUIRE(display_width(line) <= static_cast<std::size_t>(width));
        }
        CHECK(has(text, "NVIDIA H100 80GB HBM3 (cuda:1)"));
        CHECK(has(text, "132 SMs, 80.0 GiB (79.0 GiB free), compute capability 9.0"));
        CHECK(has(text, "  fp32          8192     50 TFLOP/s      49.5 to 50.5    16.7   75 % of 67\n"));
        CHECK(has(text, "  tf32          8192  no figure: its product of 8192 by 8192 is wrong"));
        CHECK(has(text, "  bf16         16384  999.9 TFLOP/s     989.9 to 1010   333.3  101 % of 989\n"));
        CHECK(has(text, "  to-device      256        55 GB/s    54.45 to 55.55           86 % of 64\n"));
        CHECK(has(text, "(h100-sxm), dense: the data sheet"));
        CHECK_FALSE(has(text, "did not settle"));
    }
    const std::string coloured = gpu_terminal(example(), &known, {true, 80});
    CHECK(without_escapes(coloured) == gpu_terminal(example(), &known, {false, 80}));
    CHECK(coloured != without_escapes(coloured));
}

TEST_CASE("a GPU without a data sheet, a clock that did not settle, and a name with an escape in it") {
    GpuReport report = example();
    report.facts.name = "Evil\x1b[2J";
    report.transfers[0].rate.settled = false;
    const std::string text = gpu_terminal(report, nullptr, {false, 100});
    CHECK(has(text, "No data sheet is known of this device: --chips FILE gives one, with device = \"Evil\\x1b[2J\"."));
    CHECK(has(text, "did not settle for all of them: give more --seconds"));
    CHECK_FALSE(has(text, "\x1b"));
    CHECK_FALSE(has(text, " % of "));
}
