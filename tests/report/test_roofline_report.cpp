// What assay roofline writes: the JSON's keys, which others read, and the texts' parts.
#include "catch.hpp"
#include "report/roofline.hpp"
#include "report/text.hpp"

#include <nlohmann/json.hpp>

using namespace assay;

namespace {

using Keys = std::vector<std::string>;

Keys keys(const nlohmann::ordered_json& json) {
    Keys names;
    for (const auto& [key, value] : json.items()) names.push_back(key);
    return names;
}

RooflineView example() {
    RooflineView view;
    view.chip = "h100-sxm";
    view.title = "NVIDIA H100 SXM 80 GB";
    view.source = "the data sheet";
    view.dtype = "bf16";
    view.vendor_peak = 1979e12;
    view.vendor_sparse = true;
    view.link = "nvlink";
    view.vendor_link = 900e9;
    view.vendor_two_way = true;
    view.ffn = {5120, 13824, false, 6, 2};
    view.ceilings = {989e12, 3.35e12, 450e9};
    view.tokens = {1, 300, 4096};
    return view;
}

roofline::HereReport here() {
    roofline::HereReport report;
    report.machine = {"A processor", 2, 1 << 20, 1 << 30};
    report.kernels = "AVX2";
    report.ffn = {64, 256, true, 1, 4};
    roofline::HereFigures figures;
    figures.threads = 1;
    figures.peak = 1e11;
    figures.bandwidth = {1e10, 9e9, 8e9};
    figures.array_bytes = 4 << 20;
    figures.points.resize(3);
    figures.points[0].tokens = 1;
    figures.points[0].measured = {2e-6, 1.9e-6, 2.1e-6, 15};
    figures.points[1].tokens = 16;
    figures.points[1].measured = {10e-6, 9.9e-6, 10.1e-6, 15}; // the bound is 15.7 µs
    figures.points[2].tokens = 1024;
    figures.points[2].left_out = true;
    figures.points[2].estimate = 3.5;
    predict(report.machine, report.ffn, figures);
    report.figures.push_back(figures);
    return report;
}

} // namespace

TEST_CASE("the keys of a chip's JSON") {
    const auto json = nlohmann::ordered_json::parse(roofline_json(example()));
    REQUIRE(keys(json) == Keys{"schema", "kind", "chip", "ffn", "ridge", "overtakes_memory", "ranges", "points"});
    REQUIRE(json["schema"] == 1);
    REQUIRE(json["kind"] == "chip");
    REQUIRE(keys(json["chip"]) ==
            Keys{"name", "title", "source", "dtype", "peak", "bandwidth", "link", "link_per_direction"});
    REQUIRE(keys(json["ffn"]) == Keys{"model", "d_model", "hidden", "gated", "gpus", "element_bytes"});
    REQUIRE(json["ffn"]["model"].is_null());
    REQUIRE(json["overtakes_memory"].size() == 2);
    REQUIRE(keys(json["overtakes_memory"][0]) == Keys{"resource", "tokens", "first"});
    REQUIRE(json["overtakes_memory"][0]["first"] == 423);
    REQUIRE(json["overtakes_memory"][1]["resource"] == "network");
    REQUIRE(json["overtakes_memory"][1]["first"] == 598);
    REQUIRE(json["ranges"].size() == 2);
    REQUIRE(keys(json["ranges"][0]) == Keys{"from", "to", "binds"});
    REQUIRE(json["ranges"][0]["to"] == 422);
    REQUIRE(json["ranges"][1]["to"].is_null());
    REQUIRE(json["points"].size() == 3);
    REQUIRE(keys(json["points"][1]) == Keys{"tokens", "flops", "weight_bytes", "activation_bytes",
                                            "communication_bytes", "compute", "memory", "network", "binds"});
    REQUIRE(json["points"][1]["compute"].get<double>() == Approx(14.313e-6).margin(5e-10));
    REQUIRE(json["points"][1]["binds"] == "memory");
}

TEST_CASE("one GPU has no link and no crossing with the network") {
    RooflineView view = example();
    view.ffn = {1024, 4096, false, 1, 2};
    view.link.clear();
    const auto json = nlohmann::ordered_json::parse(roofline_json(view));
    REQUIRE(json["chip"]["link"].is_null());
    REQUIRE(json["chip"]["link_per_direction"].is_null());
    REQUIRE(json["overtakes_memory"].size() == 1);
    REQUIRE(json["points"][0]["network"] == 0);
    const std::string text = roofline_terminal(view, {false, 80});
    REQUIRE(text.find("n network") == std::string::npos);
}

TEST_CASE("never is null") {
    RooflineView view = example();
    view.ffn = {1024, 4096, false, 8, 2};
    const auto json = nlohmann::ordered_json::parse(roofline_json(view));
    REQUIRE(json["overtakes_memory"][0]["tokens"].is_null());
    REQUIRE(json["overtakes_memory"][0]["first"].is_null());
    REQUIRE(roofline_terminal(view, {false, 80}).find("compute overtakes memory at no number of tokens") !=
            std::string::npos);
}

TEST_CASE("the keys of --here's JSON") {
    const auto json = nlohmann::ordered_json::parse(here_json(here(), "tiny"));
    REQUIRE(keys(json) == Keys{"schema", "kind", "machine", "ffn", "figures"});
    REQUIRE(json["kind"] == "here");
    REQUIRE(keys(json["machine"]) == Keys{"processor", "processors", "cache_bytes", "kernels"});
    REQUIRE(json["ffn"]["model"] == "tiny");
    const auto& figures = json["figures"][0];
    REQUIRE(keys(figures) == Keys{"threads", "peak", "read", "copy", "triad", "array_bytes", "points"});
    REQUIRE(keys(figures["points"][0]) ==
            Keys{"tokens", "compute", "memory", "memory_applies", "predicted", "measured", "holds"});
    REQUIRE(keys(figures["points"][0]["measured"]) == Keys{"median", "low", "high", "samples"});
    REQUIRE(figures["points"][0]["holds"] == true);
    REQUIRE(figures["points"][1]["holds"] == false);
    REQUIRE(figures["points"][2]["measured"].is_null());
    REQUIRE(figures["points"][2]["holds"].is_null());
}

TEST_CASE("--here says what beat its bound, what was left out, and where memory is no bound") {
    const std::string text = here_terminal(here(), "tiny", {false, 100});
    REQUIRE(text.find("A processor, 2 processors, Eigen with AVX2, fp32") != std::string::npos);
    REQUIRE(text.find("FFN of tiny: d_model 64, hidden 256, three matrices") != std::string::npos);
    REQUIRE(text.find("157 %  faster than the bound") != std::string::npos);
    REQUIRE(text.find("not measured: 3.500 s a call or more") != std::string::npos);
    REQUIRE(text.find("it may lie in the caches (1 MiB") != std::string::npos);
}

TEST_CASE("a terminal's lines keep to its width, and hold the worked example") {
    for (const int width : {80, 120}) {
        const std::string text = roofline_terminal(example(), {false, width});
        for (const std::string& line : lines_of(text)) {
            CAPTURE(line);
            REQUIRE(display_width(line) <= static_cast<std::size_t>(width));
        }
        REQUIRE(text.find("          300     14.313 µs     18.395 µs     11.378 µs   memory") != std::string::npos);
        REQUIRE(text.find("memory   binds from 1 to 422 tokens") != std::string::npos);
        REQUIRE(text.find("compute  binds from 423 tokens on") != std::string::npos);
        REQUIRE(text.find("ridge 295.2 FLOP/B") != std::string::npos);
        REQUIRE(text.find('\x1b') == std::string::npos);
    }
    const std::string coloured = roofline_terminal(example(), {true, 80});
    REQUIRE(coloured.find('\x1b') != std::string::npos);
    REQUIRE(without_escapes(coloured) == roofline_terminal(example(), {false, 80}));
}

TEST_CASE("the plot draws each time where it is, and in capitals the one that binds") {
    const RooflineView view = example();
    const auto lines = roofline_plot(view.ffn, view.ceilings, 1, 65536, {false, 80});
    // 15 rows, the axis, its ends, the legend. At 1 token memory binds, far above the other two; at 65536 compute does.
    REQUIRE(lines.size() == 18);
    REQUIRE(lines.front().find("3.127 ms ┤") != std::string::npos);
    REQUIRE(lines.front().back() == 'C');
    REQUIRE(lines[7].find("┤M") != std::string::npos);
    REQUIRE(lines[14].find("37.926 ns ┤") != std::string::npos);
    std::string marks;
    for (const std::string& line : lines) marks += line;
    for (const char mark : {'c', 'C', 'm', 'M', 'n'}) REQUIRE(marks.find(mark) != std::string::npos);
    REQUIRE(lines.back().find("c compute  m memory  n network  a capital where it binds") != std::string::npos);
}

TEST_CASE("times and rates are written with their prefix") {
    REQUIRE(time_text(14.3132e-6) == "14.313 µs");
    REQUIRE(time_text(999.99949e-9) == "999.999 ns");
    REQUIRE(time_text(999.9996e-9) == "1.000 µs");
    REQUIRE(time_text(0.0015) == "1.500 ms");
    REQUIRE(time_text(62.5) == "62.500 s");
    REQUIRE(si_text(989e12, "FLOP/s") == "989 TFLOP/s");
    REQUIRE(si_text(1979e12, "FLOP/s") == "1.979 PFLOP/s");
    REQUIRE(si_text(3.35e12, "B/s") == "3.35 TB/s");
    REQUIRE(si_text(450e9, "B/s") == "450 GB/s");
    REQUIRE(si_text(8e12, "B/s") == "8 TB/s");
    REQUIRE(si_text(5222e6, "B/s") == "5.222 GB/s");
    REQUIRE(si_text(999.96e9, "B/s") == "1 TB/s");
}
