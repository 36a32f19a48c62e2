// The JSON of `assay roofline`. tests/report/test_roofline.cpp pins its keys. Times are seconds, rates FLOP/s and B/s.
#include "report/roofline.hpp"

#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json; // keys in the order they are written here: the same question, the same bytes
using roofline::Resource;

Json ffn_json(const roofline::Ffn& ffn, const std::string& model) {
    Json j;
    j["model"] = model.empty() ? Json(nullptr) : Json(model);
    j["d_model"] = ffn.d_model;
    j["hidden"] = ffn.hidden;
    j["gated"] = ffn.gated;
    j["gpus"] = ffn.gpus;
    j["element_bytes"] = ffn.element_bytes;
    return j;
}

Json crossover_json(const RooflineView& view, Resource resource) {
    Json j;
    j["resource"] = roofline::name_of(resource);
    const auto at = overtakes_memory(view.ffn, view.ceilings, resource);
    j["tokens"] = at ? Json(at->tokens) : Json(nullptr);
    j["first"] = at ? Json(at->first) : Json(nullptr);
    return j;
}

Json point_json(const RooflineView& view, std::int64_t tokens) {
    const roofline::Work w = work(view.ffn, static_cast<double>(tokens));
    const roofline::Times t = times(view.ffn, view.ceilings, static_cast<double>(tokens));
    Json j;
    j["tokens"] = tokens;
    j["flops"] = w.flops;
    j["weight_bytes"] = w.weight_bytes;
    j["activation_bytes"] = w.activation_bytes;
    j["communication_bytes"] = w.communication_bytes;
    j["compute"] = t.compute;
    j["memory"] = t.memory;
    j["network"] = t.network;
    j["binds"] = roofline::name_of(t.binding());
    return j;
}

Json measured_json(const roofline::HerePoint& point) {
    if (point.left_out) return nullptr;
    Json j;
    j["median"] = point.measured.median;
    j["low"] = point.measured.low;
    j["high"] = point.measured.high;
    j["samples"] = point.measured.samples;
    return j;
}

Json figures_json(const roofline::HereFigures& one) {
    Json j;
    j["threads"] = one.threads;
    j["peak"] = one.peak;
    j["read"] = one.bandwidth.read;
    j["copy"] = one.bandwidth.copy;
    j["triad"] = one.bandwidth.triad;
    j["array_bytes"] = one.array_bytes;
    j["points"] = Json::array();
    for (const roofline::HerePoint& point : one.points) {
        Json p;
        p["tokens"] = point.tokens;
        p["compute"] = point.times.compute;
        p["memory"] = point.times.memory;
        p["memory_applies"] = point.memory_applies;
        p["predicted"] = point.predicted();
        p["measured"] = measured_json(point);
        p["holds"] = point.left_out ? Json(nullptr) : Json(point.holds());
        j["points"].push_back(std::move(p));
    }
    return j;
}

std::string written(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

} // namespace

std::string roofline_json(const RooflineView& view) {
    Json j;
    j["schema"] = 1;
    j["kind"] = "chip";
    Json chip;
    chip["name"] = view.chip;
    chip["title"] = view.title;
    chip["source"] = view.source;
    chip["dtype"] = view.dtype;
    chip["peak"] = view.ceilings.peak;
    chip["bandwidth"] = view.ceilings.bandwidth;
    chip["link"] = view.link.empty() ? Json(nullptr) : Json(view.link);
    chip["link_per_direction"] = view.link.empty() ? Json(nullptr) : Json(view.ceilings.link);
    j["chip"] = std::move(chip);
    j["ffn"] = ffn_json(view.ffn, view.model);
    j["ridge"] = roofline::ridge(view.ceilings);
    j["overtakes_memory"] = Json::array({crossover_json(view, Resource::compute)});
    if (view.ffn.gpus > 1) j["overtakes_memory"].push_back(crossover_json(view, Resource::network));
    j["ranges"] = Json::array();
    for (const roofline::Range& range : binding_ranges(view.ffn, view.ceilings)) {
        Json r;
        r["from"] = range.from;
        r["to"] = range.to == 0 ? Json(nullptr) : Json(range.to);
        r["binds"] = roofline::name_of(range.resource);
        j["ranges"].push_back(std::move(r));
    }
    j["points"] = Json::array();
    for (const std::int64_t tokens : view.tokens) j["points"].push_back(point_json(view, tokens));
    return written(j);
}

std::string here_json(const roofline::HereReport& report, const std::string& model) {
    Json j;
    j["schema"] = 1;
    j["kind"] = "here";
    Json machine;
    machine["processor"] = report.machine.processor;
    machine["processors"] = report.machine.processors;
    machine["cache_bytes"] = report.machine.cache_bytes;
    machine["kernels"] = report.kernels;
    j["machine"] = std::move(machine);
    j["ffn"] = ffn_json(report.ffn, model);
    j["figures"] = Json::array();
    for (const roofline::HereFigures& one : report.figures) j["figures"].push_back(figures_json(one));
    return written(j);
}

} // namespace assay
