#include "report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json; // keys in the order they are written here: the same record, the same bytes

/// JSON has no NaN and no infinities.
Json number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

Json json(const Finding& finding) {
    Json j;
    j["kind"] = name_of(finding.kind);
    j["tensor"] = finding.tensor;
    j["where"] = finding.where;
    j["got"] = number(finding.got);
    j["expected"] = number(finding.expected);
    j["error"] = number(finding.error);
    j["bound"] = number(finding.bound);
    j["plain_error"] = finding.plain_error < 0 ? Json(nullptr) : number(finding.plain_error);
    j["wrong"] = finding.wrong;
    j["total"] = finding.total;
    j["unit"] = finding.unit;
    j["place"] = finding.place;
    j["map"] = finding.map;
    j["note"] = finding.note;
    return j;
}

Json json(const std::vector<Finding>& findings) {
    Json list = Json::array();
    for (const Finding& finding : findings) list.push_back(json(finding));
    return list;
}

Json json(const CaseRecord& one) {
    Json j;
    j["id"] = one.id;
    j["why"] = one.why;
    j["verdict"] = code(one.verdict);
    j["reason"] = one.reason;
    j["findings"] = json(one.findings);
    j["printed"] = one.printed;
    return j;
}

Json json(const LevelRecord& level) {
    Json j;
    j["id"] = level.id;
    j["number"] = level.number;
    j["title"] = level.title;
    j["must"] = level.must;
    j["verdict"] = code(level.verdict);
    j["points"] = level.earned;
    j["max_points"] = level.points;
    j["reason"] = level.reason;
    j["cases"] = Json::array();
    for (const CaseRecord& one : level.cases) j["cases"].push_back(json(one));
    return j;
}

Json json(const Smallest& smallest) {
    Json j;
    j["level"] = smallest.level;
    j["case"] = smallest.spec;
    j["dimensions"] = smallest.dimensions;
    j["inputs"] = smallest.inputs;
    j["finding"] = json(smallest.finding);
    j["story"] = smallest.story;
    j["replay"] = smallest.replay;
    j["calls"] = smallest.calls;
    return j;
}

Json json(const Crash& crash) {
    Json j;
    j["kind"] = crash.kind;
    j["where"] = crash.where;
    j["summary"] = crash.summary;
    j["frames"] = crash.frames;
    return j;
}

Json json(const HuntRecord& hunt) {
    Json j;
    j["id"] = hunt.id;
    j["seed"] = hunt.seed;
    j["bugs"] = hunt.bugs;
    j["remaining"] = hunt.remaining ? Json(*hunt.remaining) : Json(nullptr);
    j["found"] = hunt.found;
    return j;
}

Json json(const std::optional<GrowthRecord::Measured>& measured) {
    if (!measured) return nullptr;
    Json j;
    const GrowthRecord::Exponent exponent = measured->exponent.value_or(GrowthRecord::Exponent{});
    j["exponent"] = measured->exponent ? number(exponent.value) : Json(nullptr);
    j["low"] = number(exponent.low);
    j["high"] = number(exponent.high);
    j["coverage"] = number(exponent.coverage);
    j["beyond"] = measured->beyond;
    j["reason"] = measured->reason;
    return j;
}

Json json(const GrowthRecord& growth) {
    Json j;
    j["function"] = growth.id;
    j["dimension"] = growth.dimension;
    j["beside"] = growth.beside;
    j["matrix"] = growth.matrix;
    j["otherwise"] = growth.otherwise;
    j["lengths"] = Json::array();
    for (const GrowthRecord::Length& one : growth.lengths) {
        Json length;
        length["length"] = one.length;
        length["peak_bytes"] = one.peak ? Json(*one.peak) : Json(nullptr);
        length["matrix_bytes"] = number(one.matrix);
        length["seconds"] = one.seconds ? number(*one.seconds) : Json(nullptr);
        j["lengths"].push_back(std::move(length));
    }
    j["memory"] = json(growth.memory);
    j["time"] = json(growth.time);
    return j;
}

Json json(const SpeedRecord::Case& one) {
    Json j;
    j["id"] = one.id;
    j["refused"] = one.refused;
    j["ratio"] = number(one.ratio);
    j["low"] = number(one.low);
    j["high"] = number(one.high);
    j["seconds"] = number(one.seconds);
    j["share_of_floor"] = number(one.share);
    j["rounds"] = one.rounds;
    j["control"] = number(one.control);
    j["faster_than_floor"] = one.faster_than_floor;
    j["peak_bytes"] = one.peak ? Json(*one.peak) : Json(nullptr);
    return j;
}

Json json(const SpeedRecord& speed) {
    Json j;
    j["id"] = speed.id;
    j["title"] = speed.title;
    j["points"] = speed.earned;
    j["max_points"] = speed.points;
    j["measures"] = speed.by_exponent ? "exponent" : "ratio";
    j["thresholds"] = speed.thresholds;
    j["reached"] = speed.reached;
    j["reason"] = speed.reason;
    j["cases"] = Json::array();
    for (const SpeedRecord::Case& one : speed.cases) j["cases"].push_back(json(one));
    return j;
}

Json json(const Environment& environment) {
    Json j;
    j["assay"] = environment.assay;
    j["compiler"] = environment.compiler;
    j["flags"] = environment.flags;
    j["linker"] = environment.linker;
    j["device"] = environment.device;
    j["isolation"] = environment.isolation;
    j["layers"] = environment.layers;
    j["withheld"] = environment.withheld;
    j["system"] = environment.system;
    return j;
}

} // namespace

std::string to_json(const Record& record) {
    Json j;
    j["schema"] = Record::schema;
    j["exercise"] = record.exercise;
    j["title"] = record.title;
    j["exercise_version"] = record.exercise_version;
    j["exercise_hash"] = record.exercise_hash;
    j["source"] = record.source;
    j["source_hash"] = record.source_hash;
    j["seed"] = record.seed;
    j["verdict"] = code(record.verdict);
    j["reason"] = record.reason;
    j["score"] = record.score;
    j["max_score"] = record.max_score;
    j["bonus"] = record.bonus;
    j["max_bonus"] = record.max_bonus;
    j["partial"] = record.partial;
    j["solution_revealed"] = record.solution_revealed;
    j["levels"] = Json::array();
    for (const LevelRecord& level : record.levels) j["levels"].push_back(json(level));
    const auto first = first_failure(record);
    j["findings"] = first && first->failing != nullptr ? json(first->failing->findings) : Json::array();
    j["diagnoses"] = Json::array();
    for (const Diagnosis& diagnosis : record.diagnoses) {
        Json one;
        one["mistake"] = diagnosis.mistake;
        one["sentence"] = diagnosis.sentence;
        j["diagnoses"].push_back(std::move(one));
    }
    j["smallest"] = record.smallest ? json(*record.smallest) : Json(nullptr);
    j["crash"] = record.crash ? json(*record.crash) : Json(nullptr);
    if (record.hunt) j["hunt"] = json(*record.hunt);
    j["compiler_output"] = record.compiler_output;
    j["notes"] = record.notes;
    j["environment"] = json(record.environment);
    Json timings;
    timings["compile_ms"] = record.times.compile_ms;
    timings["judge_ms"] = record.times.judge_ms;
    timings["attempt_ms"] = record.times.attempt_ms;
    timings["cached"] = record.times.cached;
    j["timings"] = std::move(timings);
    // Last, as timings: outside byte equality.
    if (!record.growth.empty()) j["growth"] = Json::array();
    for (const GrowthRecord& growth : record.growth) j["growth"].push_back(json(growth));
    if (!record.speed.empty()) j["speed"] = Json::array();
    for (const SpeedRecord& speed : record.speed) j["speed"].push_back(json(speed));
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace assay
