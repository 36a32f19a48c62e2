// A plan cut into the shares of a cluster's tasks, and how a task works through its own.
#ifndef ASSAY_GRADE_SHARDS_HPP
#define ASSAY_GRADE_SHARDS_HPP

#include "core/outcome.hpp"
#include "grade/plan.hpp"
#include "grade/unit_runs.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Shard {
    std::vector<std::size_t> units; // positions in the plan
    bool gpu = false;
};

/// True of CUDA sources that are not emulated: they are for tasks that ask for a GPU.
bool needs_gpu(const Unit& unit);

/// These units in their order, at most `size` a shard; those for a GPU in shards of their own, which come last.
std::vector<Shard> cut_into_shards(const Plan& plan, const std::vector<std::size_t>& numbers, std::size_t size);

/// The shard's units as a plan: a task reads nothing that a later run may have changed.
Plan plan_of(const Plan& plan, const Shard& shard);

std::filesystem::path shard_file(const std::filesystem::path& folder, std::size_t number);
std::filesystem::path report_file(const std::filesystem::path& folder, std::size_t number);

/// What a task leaves behind that came to its end: who it was, and which units (positions in its shard) have no result.
struct ShardReport {
    std::string node;
    std::map<std::size_t, UnitFault> faults;
};

std::string to_json(const ShardReport& report);
Outcome<ShardReport> shard_report_from_json(std::string_view text);

struct ShardOptions : UnitRunOptions {
    std::string node;
    /// What hinders this machine from giving the unit the result that is planned: one sentence; "" where nothing does.
    std::function<std::string(const Unit&)> hindrance;
};

/// Runs what lacks a result in `shard`, then writes `report`. Several may be at the same units at once. Done(false)
/// where it was stopped. Failure (SKIP): the report cannot be written.
Outcome<bool> run_shard(const Plan& shard, const std::filesystem::path& report, const ShardOptions& options);

} // namespace assay

#endif
