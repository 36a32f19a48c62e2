// What `assay roofline` says: on a terminal, with a plot, and as JSON.
#ifndef ASSAY_REPORT_ROOFLINE_HPP
#define ASSAY_REPORT_ROOFLINE_HPP

#include "report/style.hpp"
#include "roofline/measure.hpp"
#include "roofline/measure_gpu.hpp"
#include "roofline/model.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// A chip's prediction.
struct RooflineView {
    std::string chip, title, source; // "h100-sxm", "NVIDIA H100 SXM 80 GB", the document
    std::string dtype;
    double vendor_peak = 0; // FLOP/s as printed
    bool vendor_sparse = false;
    std::string link; // "" where one GPU needs none
    double vendor_link = 0;
    bool vendor_two_way = false;
    std::string model; // "" where the widths were given
    roofline::Ffn ffn;
    roofline::Ceilings ceilings;
    std::vector<std::int64_t> tokens;
};

std::string roofline_terminal(const RooflineView& view, const Style& style);
std::string roofline_json(const RooflineView& view);

/// Predicted beside measured. `model` as in RooflineView.
std::string here_terminal(const roofline::HereReport& report, const std::string& model, const Style& style);
std::string here_json(const roofline::HereReport& report, const std::string& model);

/// What a GPU's vendor prints of it, dense and of one direction; 0 = nothing.
struct DataSheet {
    std::string chip, title, source;                   // as in RooflineView
    std::vector<std::pair<std::string, double>> peaks; // FLOP/s by dtype
    double bandwidth = 0, link = 0;                    // bytes/s of memory, and to the host (PCIe)

    double peak(roofline::Precision precision) const;
    double rate(roofline::Transfer transfer) const;
};

/// A GPU, measured. `sheet` is null where none is known of it.
std::string gpu_terminal(const roofline::GpuReport& report, const DataSheet* sheet, const Style& style);
std::string gpu_json(const roofline::GpuReport& report, const DataSheet* sheet);

/// "14.313 µs"; "1.000 s".
std::string time_text(double seconds);
/// "989 TFLOP/s" for (989e12, "FLOP/s"), "1.979 PFLOP/s": four digits at most, powers of 1000.
std::string si_text(double value, const std::string& unit);

/// The curves of the times over tokens from `low` to `high`, both axes logarithmic: c, m, n, and C, M, N where it
/// binds.
std::vector<std::string> roofline_plot(const roofline::Ffn& ffn, const roofline::Ceilings& ceilings, double low,
                                       double high, const Style& style);

} // namespace assay

#endif
