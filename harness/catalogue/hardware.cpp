#include "catalogue/hardware.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/strict_table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

// Wide enough for any device of any age, narrow enough that "3.35" for terabytes a second is told.
constexpr double least_rate = 1e9, most_rate = 1e18;
constexpr std::string_view flops_unit = "FLOP/s, as in 989e12";
constexpr std::string_view rate_unit = "bytes a second, as in 3.35e12";

// Data sheets round: L40S prints 362.05 dense beside 733 sparse, 1.2 % off the half.
constexpr double rounding = 0.02;

bool is_half(double value, double whole) { return std::abs(2 * value / whole - 1) <= rounding; }

std::string known_name(const StrictTable& table, const std::string& name) {
    const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!good) table.fault(name, "is no name: use lower-case letters, digits and -");
    return name;
}

Peak read_peak(const StrictTable& table) {
    table.only({"dense", "vendor", "vendor_is"});
    Peak peak;
    peak.dtype = table.name();
    peak.dense = table.number("dense", least_rate, most_rate, flops_unit);
    peak.sparse = table.one_of("vendor_is", {"dense", "sparse"}) == "sparse";
    peak.vendor =
        peak.sparse || table.has("vendor") ? table.number("vendor", least_rate, most_rate, flops_unit) : peak.dense;
    if (peak.sparse && !is_half(peak.dense, peak.vendor))
        table.fault("dense",
                    peak.dense >= peak.vendor
                        ? fmt::format("is the vendor's peak with sparsity; give the dense one, half of it: {:g}",
                                      peak.vendor / 2)
                        : fmt::format("is {:g}, but half of the vendor's sparse peak is {:g}; mend one of the two",
                                      peak.dense, peak.vendor / 2));
    if (!peak.sparse && peak.dense != peak.vendor)
        table.fault("dense", fmt::format("is {:g}, but vendor = {:g} is said to be dense; make them equal, or say "
                                         "vendor_is = \"sparse\"",
                                         peak.dense, peak.vendor));
    return peak;
}

Link read_link(const StrictTable& table) {
    table.only({"per_direction", "vendor", "vendor_is", "joins", "source"});
    Link link;
    link.kind = table.name();
    link.per_direction = table.number("per_direction", 1e6, most_rate, "bytes a second, as in 450e9");
    link.two_way = table.one_of("vendor_is", {"one-way", "two-way"}) == "two-way";
    link.vendor = link.two_way || table.has("vendor")
                      ? table.number("vendor", 1e6, most_rate, "bytes a second, as in 900e9")
                      : link.per_direction;
    if (table.has("joins")) link.joins = table.whole("joins", 2, 1'000'000);
    if (table.has("source")) link.source = table.text("source");
    if (link.two_way && !is_half(link.per_direction, link.vendor))
        table.fault(
            "per_direction",
            link.per_direction >= link.vendor
                ? fmt::format("is the vendor's figure for both directions; give one, half of it: {:g}", link.vendor / 2)
                : fmt::format("is {:g}, but half of the vendor's two-way figure is {:g}; mend one of the two",
                              link.per_direction, link.vendor / 2));
    if (!link.two_way && link.per_direction != link.vendor)
        table.fault("per_direction", fmt::format("is {:g}, but vendor = {:g} is said to be one-way; make them equal, "
                                                 "or say vendor_is = \"two-way\"",
                                                 link.per_direction, link.vendor));
    return link;
}

Chip read_chip(const StrictTable& file, const StrictTable& table) {
    table.only({"title", "source", "device", "memory_bytes", "memory_bandwidth", "peak", "links"});
    Chip chip;
    chip.name = known_name(file, table.name());
    chip.title = table.text("title");
    chip.source = table.text("source");
    if (table.has("device")) chip.device = table.text("device");
    chip.memory_bytes = table.number("memory_bytes", 1e6, 1e16, "bytes, as in 80e9");
    chip.memory_bandwidth = table.number("memory_bandwidth", least_rate, most_rate, rate_unit);

    const StrictTable& peak = table.table("peak");
    peak.only(peak_dtypes());
    peak.only_tables("a dtype, as in bf16 = { dense = 989e12, vendor = 1979e12, vendor_is = \"sparse\" }");
    for (const StrictTable& one : peak.tables()) chip.peaks.push_back(read_peak(one));
    if (chip.peaks.empty()) table.fault("peak", "is empty: give at least one dtype's peak");

    if (table.has("links")) {
        const StrictTable& links = table.table("links");
        links.only_tables("a link, as in nvlink = { per_direction = 450e9, vendor = 900e9, vendor_is = \"two-way\" }");
        for (const StrictTable& one : links.tables()) {
            known_name(links, one.name());
            chip.links.push_back(read_link(one));
        }
    }
    return chip;
}

} // namespace

const Peak* Chip::peak(std::string_view dtype) const {
    for (const Peak& one : peaks)
        if (one.dtype == dtype) return &one;
    return nullptr;
}

const Link* Chip::link(std::string_view kind) const {
    for (const Link& one : links)
        if (one.kind == kind) return &one;
    return nullptr;
}

const Link* Chip::fastest_link(std::int64_t count) const {
    const Link* best = nullptr;
    for (const Link& one : links)
        if ((one.joins == 0 || count <= one.joins) && (best == nullptr || one.per_direction > best->per_direction))
            best = &one;
    return best;
}

const Chip* chip_of_device(const std::vector<Chip>& chips, std::string_view device) {
    const auto short_name = [](std::string_view name) {
        constexpr std::string_view maker = "NVIDIA ";
        return name.substr(name.starts_with(maker) ? maker.size() : 0);
    };
    for (const Chip& one : chips)
        if (!one.device.empty() && short_name(one.device) == short_name(device)) return &one;
    return nullptr;
}

const std::vector<std::string>& peak_dtypes() {
    static const std::vector<std::string> names{"fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"};
    return names;
}

double element_bytes(std::string_view dtype) {
    if (dtype == "fp32" || dtype == "tf32") return 4; // tf32 is a way to multiply float32 values
    if (dtype == "fp16" || dtype == "bf16") return 2;
    return dtype == "fp4" ? 0.5 : 1;
}

Outcome<std::vector<Chip>> parse_chips(std::string_view text, const std::string& file) {
    const Outcome<StrictTable> parsed = parse_strict(text, file);
    if (!parsed) return parsed.failure();
    try {
        parsed->only_tables("the chip's name in brackets, as in [h100-sxm]");
        std::vector<Chip> chips;
        for (const StrictTable& table : parsed->tables()) chips.push_back(read_chip(*parsed, table));
        if (chips.empty())
            return Failure{Verdict::JE, file + " holds no chip: add a section, as in [h100-sxm], with title, source, "
                                               "memory_bytes, memory_bandwidth and [h100-sxm.peak]"};
        return chips;
    } catch (const TableFault& fault) {
        return Failure{Verdict::JE, fault.sentence};
    }
}

Outcome<std::vector<Chip>> known_chips() {
    const auto text = embedded("data/hardware.toml");
    if (!text) return Failure{Verdict::JE, "data/hardware.toml is missing from this build: build Assay again"};
    return parse_chips(*text, "data/hardware.toml");
}

} // namespace assay
