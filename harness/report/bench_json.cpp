#include "report/bench.hpp"

#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

Json json(const timing::Interval& interval) {
    Json j;
    j["low"] = interval.low;
    j["high"] = interval.high;
    j["coverage"] = interval.coverage;
    return j;
}

Json json(const timing::DeviceClocks& clocks) {
    Json j;
    j["events_s"] = clocks.events;
    j["host_s"] = clocks.host;
    j["judge_s"] = clocks.judge;
    j["host_empty_s"] = clocks.host_overhead;
    j["judge_empty_s"] = clocks.judge_overhead;
    j["outside_s"] = clocks.outside;
    return j;
}

Json json(const BenchReport::Contestant& one, const BenchReport::Case& of) {
    const timing::Timing& t = one.timing;
    const bool figure = t.has_figure();
    Json j;
    j["name"] = t.name;
    j["device"] = one.on_device ? "cuda" : "cpu";
    j["measurable"] = figure;
    j["disqualified"] = t.disqualified;
    j["faster_than_floor"] = t.faster_than_floor;
    j["reason"] = t.refused;
    j["samples_s"] = t.samples;
    j["rounds"] = t.rounds;
    j["empty_call_s"] = t.empty;
    j["median_s"] = figure ? Json(t.median) : Json(nullptr);
    j["interval_s"] = figure ? json(t.interval) : Json(nullptr);
    j["flops_per_s"] = figure ? Json(of.cost.flops / t.median) : Json(nullptr);
    j["bytes_per_s"] = figure ? Json(of.cost.bytes / t.median) : Json(nullptr);
    j["share_of_floor"] = figure && of.floor.seconds() > 0 ? Json(of.floor.seconds() / t.median) : Json(nullptr);
    j["ratio"] = figure && t.ratio > 0 ? Json(t.ratio) : Json(nullptr);
    j["ratio_interval"] = figure && t.ratio > 0 ? json(t.ratios) : Json(nullptr);
    j["peak_bytes"] = one.peak ? Json(*one.peak) : Json(nullptr);
    j["clocks"] = one.clocks ? json(*one.clocks) : Json(nullptr);
    j["remark"] = t.remark;
    return j;
}

Json json(const BenchReport::Case& one) {
    Json j;
    j["id"] = one.id;
    j["why"] = one.why;
    j["flops"] = one.cost.flops;
    j["exponentials"] = one.cost.exponentials;
    j["bytes"] = one.cost.bytes;
    j["state_bytes"] = one.cost.state_bytes;
    j["floor_compute_s"] = one.floor.compute;
    j["floor_memory_s"] = one.floor.memory;
    j["device_limits"] = one.limits;
    j["control"] = one.control;
    j["control_allowed"] = one.allowed;
    j["rounds"] = one.rounds;
    j["seconds"] = one.seconds;
    j["contestants"] = Json::array();
    for (const BenchReport::Contestant& each : one.contestants) j["contestants"].push_back(json(each, one));
    return j;
}

} // namespace

std::string bench_json(const BenchReport& report) {
    Json j;
    j["schema"] = BenchReport::schema;
    j["kind"] = "bench";
    j["exercise"] = report.exercise;
    j["reference"] = report.reference;
    j["compiler"] = report.environment.compiler;
    j["flags"] = report.environment.flags;
    j["isolation"] = report.environment.isolation;
    j["device"] = nullptr;
    if (report.device) {
        j["device"] = Json::object();
        j["device"]["name"] = report.device->name;
        j["device"]["architecture"] = report.device->architecture;
    }
    j["processor"] = report.processor;
    j["threads"] = report.limits.threads;
    Json limits;
    limits["flops_per_s"] = report.limits.flops;
    limits["exponentials_per_s"] = report.limits.exponentials;
    limits["bytes_per_s"] = report.limits.bandwidth;
    limits["cache_bytes"] = report.limits.cache_bytes;
    limits["kernels"] = report.limits.kernels;
    j["limits"] = std::move(limits);
    j["left_out"] = Json::array();
    for (const BenchReport::LeftOut& one : report.left_out) {
        Json left;
        left["name"] = one.name;
        left["reason"] = one.reason;
        j["left_out"].push_back(std::move(left));
    }
    j["cases"] = Json::array();
    for (const BenchReport::Case& one : report.cases) j["cases"].push_back(json(one));
    j["notes"] = report.notes;
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace assay
