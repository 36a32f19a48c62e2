#include "grade/shards.hpp"

#include "catalogue/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace assay {

using Json = nlohmann::ordered_json;

bool needs_gpu(const Unit& unit) { return unit.source.extension() == ".cu" && unit.identity.device != "cuda-emulated"; }

std::vector<Shard> cut_into_shards(const Plan& plan, const std::vector<std::size_t>& numbers, std::size_t size) {
    std::vector<Shard> shards;
    for (const bool gpu : {false, true}) {
        bool open = false;
        for (const std::size_t number : numbers) {
            if (needs_gpu(plan.units[number]) != gpu) continue;
            if (!open || shards.back().units.size() >= size) shards.push_back({{}, gpu});
            open = true;
            shards.back().units.push_back(number);
        }
    }
    return shards;
}

Plan plan_of(const Plan& plan, const Shard& shard) {
    Plan part = plan;
    part.units.clear();
    for (const std::size_t number : shard.units) part.units.push_back(plan.units[number]);
    return part;
}

fs::path shard_file(const fs::path& folder, std::size_t number) {
    return folder / fmt::format("shard-{}.json", number);
}

fs::path report_file(const fs::path& folder, std::size_t number) {
    return folder / fmt::format("report-{}.json", number);
}

std::string to_json(const ShardReport& report) {
    Json j;
    j["node"] = report.node;
    j["faults"] = Json::array();
    for (const auto& [position, fault] : report.faults)
        j["faults"].push_back({{"unit", position}, {"changed", fault.changed}, {"reason", fault.reason}});
    return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Outcome<ShardReport> shard_report_from_json(std::string_view text) {
    try {
        const Json j = Json::parse(text.begin(), text.end());
        ShardReport report;
        report.node = j.at("node").get<std::string>();
        for (const Json& fault : j.at("faults"))
            report.faults[fault.at("unit").get<std::size_t>()] = {fault.at("changed").get<bool>(),
                                                                  fault.at("reason").get<std::string>()};
        return report;
    } catch (const Json::exception&) {
        return Failure{Verdict::SKIP, "the report of a task is damaged"};
    }
}

Outcome<bool> run_shard(const Plan& shard, const fs::path& report, const ShardOptions& options) {
    ShardReport told;
    told.node = options.node;
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < shard.units.size(); ++i) {
        if (result_of(options.out, shard.units[i])) continue;
        const std::string hindrance = options.hindrance ? options.hindrance(shard.units[i]) : "";
        if (hindrance.empty())
            able.push_back(i);
        else
            told.faults[i] = {false, hindrance};
    }
    UnitRunOptions runs = options;
    runs.keep_results = true;
    UnitRunEvents events;
    events.graded = [](std::size_t, const Record&, double) {};
    events.failed = [&](std::size_t number, const UnitFault& fault, double) { told.faults[number] = fault; };
    if (!run_units(shard, able, runs, events)) return false;
    const std::string failed = write_text(report, to_json(told));
    if (!failed.empty()) return Failure{Verdict::SKIP, failed};
    return true;
}

} // namespace assay
