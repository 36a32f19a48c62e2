// A GPU's measured rates: on a terminal, and as JSON. tests/report/test_roofline_gpu_report.cpp pins its keys.
#include "report/roofline.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json;
using roofline::GpuProduct;
using roofline::GpuRate;
using roofline::GpuReport;
using roofline::GpuTransfer;
using roofline::Transfer;

std::string gib(std::int64_t bytes) {
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(1 << 30));
}

/// What divides rates into numbers below 1000, by the median's prefix.
double scale_of(double median) {
    double scale = 1;
    while (median / scale >= 999.95) scale *= 1000;
    return scale;
}

class Table {
  public:
    explicit Table(const Style& style) : style_(style) {}

    void head(std::string_view first, std::string_view second, std::string_view ridge) {
        text_ += style_.dim(fmt::format("  {}{:>7}{:>15}{:>18}{:>8}  data sheet", pad_right(first, 11), second,
                                        "measured", "quartiles", ridge)) +
                 "\n";
    }

    /// Quartiles and the data sheet's figure in the measured one's unit.
    void row(std::string_view name, const std::string& size, const GpuRate& rate, const std::string& unit, double ridge,
             double sheet) {
        const std::string lead = fmt::format("  {}{:>7}", pad_right(name, 11), size);
        if (!rate.refused.empty()) {
            text_ += wrapped("no figure: " + printable(rate.refused), static_cast<std::size_t>(style_.width),
                             lead + "  ", std::string(22, ' '));
            return;
        }
        const roofline::Spread& spread = rate.spread;
        const double scale = scale_of(spread.median);
        text_ += lead + style_.bold(pad_left(si_text(spread.median, unit), 15)) +
                 fmt::format("{:>18}{:>8}", fmt::format("{:.4g} to {:.4g}", spread.low / scale, spread.high / scale),
                             ridge > 0 ? fmt::format("{:.1f}", ridge) : "");
        if (sheet > 0) text_ += fmt::format("{:>5.0f} % of {:.4g}", 100 * spread.median / sheet, sheet / scale);
        while (text_.back() == ' ') text_.pop_back();
        text_ += "\n";
    }

    const std::string& text() const { return text_; }

  private:
    const Style& style_;
    std::string text_;
};

bool unsettled(const GpuRate& rate) { return rate.refused.empty() && !rate.settled; }

Json rate_json(const GpuRate& rate, double sheet) {
    Json j;
    const bool refused = !rate.refused.empty();
    j["rate"] = refused ? Json(nullptr)
                        : Json{{"median", rate.spread.median},
                               {"low", rate.spread.low},
                               {"high", rate.spread.high},
                               {"samples", rate.spread.samples}};
    j["settled"] = rate.settled;
    j["datasheet"] = sheet > 0 ? Json(sheet) : Json(nullptr);
    j["share"] = sheet > 0 && !refused ? Json(rate.spread.median / sheet) : Json(nullptr);
    j["refused"] = refused ? Json(rate.refused) : Json(nullptr);
    return j;
}

Json positive(double value) { return value > 0 ? Json(value) : Json(nullptr); }

} // namespace

double DataSheet::peak(roofline::Precision precision) const {
    for (const auto& [dtype, value] : peaks)
        if (dtype == roofline::name_of(precision)) return value;
    return 0;
}

double DataSheet::rate(Transfer transfer) const {
    return transfer == Transfer::copy || transfer == Transfer::set ? bandwidth : link;
}

std::string gpu_terminal(const GpuReport& report, const DataSheet* sheet, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    const roofline::GpuFacts& facts = report.facts;
    std::string text = style.bold(printable(facts.name)) + fmt::format(" (cuda:{})\n", facts.ordinal);
    text += wrapped(fmt::format("{}, {} ({} free), compute capability {}.{}, driver for CUDA {}, cuBLAS {}",
                                counted(facts.processors, "SM"), gib(facts.memory_bytes), gib(report.free_bytes),
                                facts.major, facts.minor, facts.driver, facts.blas),
                    width, "  ", "  ");
    Table table(style);
    table.head("product", "n", "FLOP/B");
    for (const GpuProduct& one : report.products)
        table.row(roofline::name_of(one.precision), one.size > 0 ? std::to_string(one.size) : "", one.rate, "FLOP/s",
                  report.ridge(one), sheet != nullptr ? sheet->peak(one.precision) : 0);
    table.head("memory", "MiB", "");
    for (const GpuTransfer& one : report.transfers)
        table.row(roofline::name_of(one.transfer), std::to_string(one.bytes >> 20), one.rate, "B/s", 0,
                  sheet != nullptr ? sheet->rate(one.transfer) : 0);
    text += "\n" + table.text();

    std::string note =
        "Products of n by n matrices with float32 sums; FLOP/B is the ridge, by the copy, whose bytes read "
        "and written are added up. The host's memory is pinned. Quartiles and data sheet are in the measured "
        "rate's unit.";
    const auto restless = [](const auto& one) { return unsettled(one.rate); };
    if (std::any_of(report.products.begin(), report.products.end(), restless) ||
        std::any_of(report.transfers.begin(), report.transfers.end(), restless))
        note += " The device's clock did not settle for all of them: give more --seconds.";
    text += wrapped(note, width, "  ", "  ");
    const std::string source =
        sheet != nullptr ? fmt::format("Data sheet of {} ({}), dense: {}", sheet->title, sheet->chip, sheet->source)
                         : "No data sheet is known of this device: --chips FILE gives one, with device = \"" +
                               printable(facts.name) + "\".";
    return text + style.dim(wrapped(source, width, "  ", "  "));
}

std::string gpu_json(const GpuReport& report, const DataSheet* sheet) {
    const roofline::GpuFacts& facts = report.facts;
    Json j;
    j["schema"] = 1;
    j["kind"] = "here-cuda";
    Json device;
    device["name"] = facts.name;
    device["ordinal"] = facts.ordinal;
    device["compute_capability"] = fmt::format("{}.{}", facts.major, facts.minor);
    device["processors"] = facts.processors;
    device["memory_bytes"] = facts.memory_bytes;
    device["free_bytes"] = report.free_bytes;
    device["l2_bytes"] = facts.l2_bytes;
    device["driver"] = facts.driver;
    device["cublas"] = facts.blas;
    j["device"] = std::move(device);
    j["chip"] = nullptr;
    if (sheet != nullptr) j["chip"] = {{"name", sheet->chip}, {"title", sheet->title}, {"source", sheet->source}};
    j["products"] = Json::array();
    for (const GpuProduct& one : report.products) {
        Json p;
        p["dtype"] = roofline::name_of(one.precision);
        p["size"] = one.size > 0 ? Json(one.size) : Json(nullptr);
        p.update(rate_json(one.rate, sheet != nullptr ? sheet->peak(one.precision) : 0));
        p["ridge"] = positive(report.ridge(one));
        j["products"].push_back(std::move(p));
    }
    j["transfers"] = Json::array();
    for (const GpuTransfer& one : report.transfers) {
        Json t;
        t["transfer"] = roofline::name_of(one.transfer);
        t["buffer_bytes"] = one.bytes;
        t.update(rate_json(one.rate, sheet != nullptr ? sheet->rate(one.transfer) : 0));
        j["transfers"].push_back(std::move(t));
    }
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace assay
