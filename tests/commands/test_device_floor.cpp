// What a device can do at the most by its data sheet, and which devices have one.
#include "commands/device_floor.hpp"

#include "catalogue/hardware.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

using namespace assay;

TEST_CASE("a device has its chip's data sheet, its neighbours do not", "[device]") {
    const Outcome<std::vector<Chip>> chips = known_chips();
    REQUIRE(chips.ok());
    const auto name = [&](const char* device) {
        const Chip* chip = chip_of_device(*chips, device);
        return chip != nullptr ? chip->name : "";
    };
    CHECK(name("NVIDIA H200") == "h200");
    CHECK(name("NVIDIA H100 80GB HBM3") == "h100-sxm");
    CHECK(name("NVIDIA H100 PCIe") == "h100-pcie");
    CHECK(name("NVIDIA A100-SXM4-40GB") == "a100-sxm-40");
    CHECK(name("A100-SXM4-80GB") == "a100-sxm-80");
    CHECK(name("NVIDIA A100 80GB PCIe") == "a100-pcie-80");
    CHECK(name("NVIDIA L4") == "l4");
    CHECK(name("NVIDIA L40S") == "l40s");
    CHECK(name("NVIDIA B200") == "b200");
    CHECK(name("NVIDIA GeForce RTX 4090") == "rtx-4090");
    for (const char* other : {"NVIDIA H200 NVL", "NVIDIA L40", "NVIDIA GeForce RTX 4090 Laptop GPU",
                              "NVIDIA A100-PCIE-40GB", "NVIDIA H100 NVL", "Stand-in GPU", "NVIDIA ", ""})
        CHECK(name(other) == "");
}

TEST_CASE("a floor takes the fastest arithmetic that reaches the contract's accuracy", "[device]") {
    Chip chip;
    chip.title = "Toy";
    chip.memory_bandwidth = 2e12;
    chip.peaks = {{"fp32", 60e12}, {"tf32", 240e12}, {"fp16", 900e12}, {"bf16", 800e12}, {"fp8", 2e15}};
    const timing::DeviceFloor single = floor_of(chip, Dtype::f32);
    CHECK(single.flops == Approx(300e12)); // three float16 products for one
    CHECK(single.bytes_per_second == 2e12);
    CHECK(single.source == "by the data sheet of Toy: 300 TFLOP/s (float32 by three float16 products), 2 TB/s");
    CHECK(floor_of(chip, Dtype::f16).flops == 900e12);
    CHECK(floor_of(chip, Dtype::bf16).flops == 800e12);
    chip.peaks = {{"fp32", 60e12}, {"tf32", 240e12}};
    CHECK(floor_of(chip, Dtype::f32).flops == Approx(80e12));
    chip.peaks = {{"fp32", 60e12}, {"tf32", 150e12}};
    CHECK(floor_of(chip, Dtype::f32).source == "by the data sheet of Toy: 60 TFLOP/s (float32), 2 TB/s");
    CHECK(floor_of(chip, Dtype::f64).flops == 0);
    CHECK(floor_of(chip, Dtype::f64).source == "by the data sheet of Toy: 2 TB/s");
}

TEST_CASE("a device without a data sheet has no floor, and says so", "[device]") {
    const timing::DeviceFloor none = data_sheet_floors("Stand-in GPU")(Dtype::f32);
    CHECK(none.flops == 0);
    CHECK(none.bytes_per_second == 0);
    CHECK(none.source == "not known: Assay has no data sheet of Stand-in GPU");
    CHECK(data_sheet_floors("NVIDIA H200")(Dtype::f32).bytes_per_second == 4.8e12);
}

TEST_CASE("what a case stores and writes is read off its problem", "[device]") {
    const Exercise& sdpa = *find_exercise("sdpa");
    for (const Bench& bench : sdpa.benches) {
        if (bench.id != "2x6x509x40" && bench.id != "f16-1x8x1024x64") continue;
        const Problem problem = bench.make(1);
        CHECK(storage_of(problem) == (bench.id == "2x6x509x40" ? Dtype::f32 : Dtype::f16));
        const Array& out = problem.array("out");
        CHECK(written_bytes(sdpa, problem) == static_cast<double>(out.size()) * 4);
    }
    CHECK(storage_of(Problem{}) == Dtype::f32);
    CHECK(written_bytes(sdpa, Problem{"attention", {}}) == 0);
}
