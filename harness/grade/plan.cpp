#include "grade/plan.hpp"

#include "attempt/build_cache.hpp"
#include "catalogue/files.hpp"
#include "grade/names.hpp"
#include "report/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Identity& identity) {
    Json j;
    j["exercise_version"] = identity.exercise_version;
    j["exercise_hash"] = identity.exercise_hash;
    j["source_hash"] = identity.source_hash;
    j["seed"] = identity.seed;
    j["compiler"] = identity.compiler;
    j["flags"] = identity.flags;
    j["assay"] = identity.assay;
    j["isolation"] = identity.isolation;
    j["device"] = identity.device;
    return j;
}

Identity identity_from(const Json& j) {
    Identity identity;
    identity.exercise_version = j.at("exercise_version").get<int>();
    identity.exercise_hash = j.at("exercise_hash").get<std::string>();
    identity.source_hash = j.at("source_hash").get<std::string>();
    identity.seed = j.at("seed").get<std::uint64_t>();
    identity.compiler = j.at("compiler").get<std::string>();
    identity.flags = j.at("flags").get<std::string>();
    identity.assay = j.at("assay").get<std::string>();
    identity.isolation = j.at("isolation").get<std::string>();
    identity.device = j.at("device").get<std::string>();
    return identity;
}

Unit unit_from(const Json& j) {
    Unit unit;
    unit.candidate = plain_name(j.at("candidate").get<std::string>());
    unit.exercise = j.at("exercise").get<std::string>();
    unit.source = plain_name(j.at("source").get<std::string>());
    unit.problem = j.at("problem").get<std::string>();
    unit.identity = identity_from(j.at("identity"));
    return unit;
}

} // namespace

Identity Identity::of(const Record& record) {
    Identity one;
    one.exercise_version = record.exercise_version;
    one.exercise_hash = record.exercise_hash;
    one.source_hash = record.source_hash.empty() ? record.reason : record.source_hash;
    one.seed = record.seed;
    one.compiler = record.environment.compiler;
    one.flags = record.environment.flags;
    one.assay = record.environment.assay;
    one.isolation = record.environment.isolation;
    one.device = record.environment.device;
    return one;
}

std::string Identity::hash() const {
    ContentHash hash;
    hash.add("unit 1").add(std::to_string(exercise_version)).add(exercise_hash).add(source_hash);
    hash.add(std::to_string(seed)).add(compiler).add(flags).add(assay).add(isolation).add(device);
    return hash.hex();
}

std::string difference_between(const Identity& planned, const Identity& got) {
    const auto told = [](const char* what, const std::string& here, const std::string& there, const char* mend) {
        return fmt::format("{} is {} where it was checked and {} where it was planned: {}", what, here, there, mend);
    };
    if (got.assay != planned.assay || got.exercise_version != planned.exercise_version ||
        got.exercise_hash != planned.exercise_hash)
        return told("Assay", got.assay + "/" + got.exercise_hash, planned.assay + "/" + planned.exercise_hash,
                    "use one build for both");
    if (got.compiler != planned.compiler || got.flags != planned.flags)
        return told("the compiler", got.compiler + " " + got.flags, planned.compiler + " " + planned.flags,
                    "name one that both have with --compiler");
    if (got.isolation != planned.isolation)
        return told("the isolation", got.isolation, planned.isolation,
                    "grade from a machine that is like the others, or leave layers out with ASSAY_WITHOUT");
    if (got.device != planned.device)
        return told("the device", got.device, planned.device, "grade from a machine that has the same");
    return "";
}

fs::path Unit::record_path() const {
    return fs::path("records") / file_name_for(candidate) / (file_name_for(exercise) + ".json");
}

std::string to_json(const Plan& plan) {
    Json j;
    j["schema"] = Plan::schema;
    j["assay"] = plan.assay;
    j["compiler"] = plan.compiler;
    j["isolation"] = plan.isolation;
    j["hidden_seeds"] = plan.hidden_seeds;
    j["units"] = Json::array();
    for (const Unit& unit : plan.units) {
        Json one;
        one["candidate"] = escaped_name(unit.candidate);
        one["exercise"] = unit.exercise;
        one["source"] = escaped_name(unit.source.native(), true);
        one["problem"] = unit.problem;
        one["identity"] = json_of(unit.identity);
        j["units"].push_back(std::move(one));
    }
    return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Outcome<Plan> plan_from_json(std::string_view text) {
    try {
        const Json j = Json::parse(text.begin(), text.end());
        if (j.at("schema").get<int>() != Plan::schema)
            return Failure{Verdict::SKIP, fmt::format("plan.json has schema {}; this Assay reads schema {}",
                                                      j.at("schema").get<int>(), Plan::schema)};
        Plan plan;
        plan.assay = j.at("assay").get<std::string>();
        plan.compiler = j.at("compiler").get<std::string>();
        plan.isolation = j.at("isolation").get<std::string>();
        plan.hidden_seeds = j.at("hidden_seeds").get<bool>();
        for (const Json& unit : j.at("units")) plan.units.push_back(unit_from(unit));
        return plan;
    } catch (const Json::exception&) {
        return Failure{Verdict::SKIP, "plan.json is damaged: grade into another folder"};
    }
}

Outcome<Record> result_of(const fs::path& out, const Unit& unit) {
    bool ok = false;
    const std::string text = read_text(out / unit.record_path(), ok);
    if (!ok) return Failure{Verdict::SKIP, "there is no record yet"};
    Outcome<Record> record = record_from_json(text);
    if (record && (record->exercise != unit.exercise || Identity::of(*record).hash() != unit.identity.hash()))
        return Failure{Verdict::SKIP, "its record is of other sources, seed, tools or version"};
    return record;
}

} // namespace assay
