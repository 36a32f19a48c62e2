// hardware.toml: its figures, and how a fault in such a file is told.
#include "catalogue/hardware.hpp"
#include "catch.hpp"

#include <cmath>
#include <limits>

using namespace assay;

namespace {

const std::string good = R"([mine]
title = "Mine"
source = "its data sheet"
memory_bytes = 80e9
memory_bandwidth = 3.35e12
[mine.peak]
fp32 = { dense = 67e12, vendor_is = "dense" }
bf16 = { dense = 989e12, vendor = 1979e12, vendor_is = "sparse" }
[mine.links]
nvlink = { per_direction = 450e9, vendor = 900e9, vendor_is = "two-way" }
bridge = { per_direction = 500e9, vendor_is = "one-way", joins = 2 }
)";

std::string fault(const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const auto chips = parse_chips(text, "my.toml");
    REQUIRE_FALSE(chips.ok());
    return chips.failure().reason;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a file of chips is read") {
    const auto chips = parse_chips(good, "my.toml");
    REQUIRE(chips.ok());
    REQUIRE(chips->size() == 1);
    const Chip& chip = chips->front();
    REQUIRE(chip.name == "mine");
    REQUIRE(chip.memory_bytes == 80e9);
    REQUIRE(chip.memory_bandwidth == 3.35e12);
    REQUIRE(chip.peaks.size() == 2);
    REQUIRE(chip.peak("bf16")->dense == 989e12);
    REQUIRE(chip.peak("bf16")->sparse);
    REQUIRE(chip.peak("fp32")->vendor == 67e12);
    REQUIRE(chip.peak("fp8") == nullptr);
    REQUIRE(chip.link("nvlink")->two_way);
    REQUIRE(chip.link("bridge")->joins == 2);
    REQUIRE(chip.fastest_link(2)->kind == "bridge");
    REQUIRE(chip.fastest_link(3)->kind == "nvlink");
}

TEST_CASE("a vendor's figure given as the true one is told, with what to write instead") {
    REQUIRE(
        fault("dense = 989e12, vendor = 1979e12", "dense = 1979e12, vendor = 1979e12") ==
        "my.toml, line 8: 'mine.peak.bf16.dense' is the vendor's peak with sparsity; give the dense one, half of it: "
        "9.895e+14");
    REQUIRE(fault("per_direction = 450e9, vendor = 900e9", "per_direction = 900e9, vendor = 900e9") ==
            "my.toml, line 10: 'mine.links.nvlink.per_direction' is the vendor's figure for both directions; give one, "
            "half of it: 4.5e+11");
    REQUIRE(
        has(fault("dense = 989e12", "dense = 700e12"), "is 7e+14, but half of the vendor's sparse peak is 9.895e+14"));
    REQUIRE(has(fault("vendor = 1979e12, vendor_is = \"sparse\"", "vendor = 1979e12, vendor_is = \"dense\""),
                "say vendor_is = \"sparse\""));
    REQUIRE(has(fault("vendor_is = \"two-way\"", "vendor_is = \"one-way\""), "say vendor_is = \"two-way\""));
    REQUIRE(has(fault("vendor = 1979e12, ", ""), "'mine.peak.bf16.vendor' is missing"));
}

TEST_CASE("a fault names file, line and key of a chip") {
    REQUIRE(fault("memory_bandwidth = 3.35e12", "memory_bandwidth = 3.35") ==
            "my.toml, line 5: 'mine.memory_bandwidth' must be a number from 1e+09 to 1e+18, in bytes a second, as in "
            "3.35e12; it is 3.35");
    REQUIRE(fault("memory_bandwidth = 3.35e12\n", "") ==
            "my.toml, line 1: 'mine.memory_bandwidth' is missing: it must be a number from 1e+09 to 1e+18, in bytes a "
            "second, as in 3.35e12");
    REQUIRE(fault("memory_bandwidth", "memory_bandwith") ==
            "my.toml, line 5: 'mine.memory_bandwith' is not a key known here; did you mean memory_bandwidth?");
    REQUIRE(has(fault("80e9", "-80e9"), "line 4: 'mine.memory_bytes' must be a number"));
    REQUIRE(has(fault("80e9", "nan"), "it is NaN"));
    REQUIRE(has(fault("80e9", "inf"), "it is inf"));
    REQUIRE(has(fault("80e9", "\"80 GB\""), "line 4: 'mine.memory_bytes' must be a number"));
    REQUIRE(has(fault("80e9", "[80e9]"), "'mine.memory_bytes' must be a number"));
    REQUIRE(has(fault("\"its data sheet\"", "\"\""), "'mine.source' must be a text"));
    REQUIRE(has(fault("\"its data sheet\"", "7"), "'mine.source' must be a text"));
    REQUIRE(has(fault("bf16 =", "bf61 ="), "'mine.peak.bf61' is not a key known here; did you mean bf16?"));
    REQUIRE(has(fault("bf16 = {", "extra = 1\nbf16 = {"), "'mine.peak.extra' is not a key known here"));
    REQUIRE(
        has(fault("vendor_is = \"dense\"", "vendor_is = \"dens\""), "must be \"dense\" or \"sparse\"; it is \"dens\""));
    REQUIRE(has(fault("joins = 2", "joins = 1"), "'mine.links.bridge.joins' must be a whole number from 2"));
    REQUIRE(has(fault("joins = 2", "joints = 2"), "did you mean joins?"));
    REQUIRE(has(fault("bridge =", "x = 3\nbridge ="), "'mine.links.x' stands outside a section"));
    REQUIRE(has(fault("[mine.peak]", "[mine.peaks]"), "did you mean peak?"));
    REQUIRE(has(fault("title", "[mine]\ntitle"), "my.toml, line 2")); // twice the same table: TOML's own fault
    REQUIRE(has(fault("= \"Mine\"", "= = \"Mine\""), "my.toml, line 2, column"));
    REQUIRE(has(parse_chips("", "my.toml").failure().reason, "my.toml holds no chip"));
    REQUIRE(has(parse_chips("x = 1\n", "my.toml").failure().reason, "line 1: 'x' stands outside a section"));
    REQUIRE(has(parse_chips("[Big]\ntitle = 'x'\n", "my.toml").failure().reason, "'Big' is no name"));
}

TEST_CASE("the chips of data/hardware.toml") {
    const auto chips = known_chips();
    if (!chips) FAIL(chips.failure().reason);
    const auto chip = [&](const std::string& name) -> const Chip& {
        for (const Chip& one : *chips)
            if (one.name == name) return one;
        FAIL("no " + name);
        return chips->front();
    };
    for (const Chip& one : *chips) {
        CAPTURE(one.name);
        REQUIRE(one.peak("bf16") != nullptr);
        REQUIRE(one.fastest_link(2) != nullptr);
        REQUIRE(one.source.size() > 30);
        // Fewer bytes an element never multiply slower. A sparse figure among dense ones would break the first line.
        for (const auto& [wide, narrow] :
             {std::pair{"fp32", "tf32"}, {"tf32", "bf16"}, {"bf16", "fp8"}, {"fp8", "fp4"}})
            if (one.peak(wide) != nullptr && one.peak(narrow) != nullptr) {
                CAPTURE(wide, narrow);
                REQUIRE(one.peak(narrow)->dense >= one.peak(wide)->dense);
            }
        if (one.peak("tf32") != nullptr)
            REQUIRE(one.peak("bf16")->dense == Approx(2 * one.peak("tf32")->dense).epsilon(0.015));
        if (one.peak("fp8") != nullptr)
            REQUIRE(one.peak("fp8")->dense == Approx(2 * one.peak("bf16")->dense).epsilon(0.015));
    }
    REQUIRE(chip("h100-sxm").peak("bf16")->dense == 989e12);
    REQUIRE(chip("h100-sxm").memory_bandwidth == 3.35e12);
    REQUIRE(chip("h100-sxm").link("nvlink")->per_direction == 450e9);
    REQUIRE(chip("h100-sxm").link("nvlink")->vendor == 900e9);
    REQUIRE(chip("h100-pcie").fastest_link(8)->kind == "pcie");
    REQUIRE(chip("a100-sxm-80").peak("bf16")->dense == 312e12);
    REQUIRE(chip("a100-sxm-40").memory_bandwidth < chip("a100-sxm-80").memory_bandwidth);
    for (const char* name : {"h200", "b200", "l4", "l40s", "rtx-4090", "mi300x", "tpu-v5e", "tpu-v5p"}) chip(name);
}

TEST_CASE("bytes an element takes") {
    for (const std::string& dtype : peak_dtypes()) REQUIRE(element_bytes(dtype) > 0);
    REQUIRE(element_bytes("bf16") == 2);
    REQUIRE(element_bytes("tf32") == 4);
    REQUIRE(element_bytes("int8") == 1);
    REQUIRE(element_bytes("fp4") == 0.5);
}

TEST_CASE("a GPU's chip is found by what the driver calls it, and no other board's") {
    const auto chips = known_chips();
    REQUIRE(chips.ok());
    const auto named = [&](std::string_view device) {
        const Chip* chip = chip_of_device(*chips, device);
        return chip == nullptr ? std::string() : chip->name;
    };
    REQUIRE(named("NVIDIA H100 80GB HBM3") == "h100-sxm");
    REQUIRE(named("NVIDIA H100 PCIe") == "h100-pcie");
    REQUIRE(named("NVIDIA H200") == "h200");
    REQUIRE(named("A100-SXM4-80GB") == "a100-sxm-80"); // as drivers before 470 have it
    REQUIRE(named("NVIDIA H200 NVL").empty());
    REQUIRE(named("NVIDIA H100 80GB HBM3 MIG 1g.10gb").empty());
    REQUIRE(named("NVIDIA GeForce RTX 4090 Laptop GPU").empty());
    REQUIRE(named("").empty()); // as TPUs have it
    for (const Chip& one : *chips) REQUIRE((one.device.empty() || named(one.device) == one.name));
    REQUIRE(has(fault("source =", "device = 1\nsource ="), "line 3: 'mine.device' must be a text"));
}
