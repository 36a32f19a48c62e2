// The manifest of a grading: every unit of work with what its result must be the result of. It alone decides what is
// complete.
#ifndef ASSAY_GRADE_PLAN_HPP
#define ASSAY_GRADE_PLAN_HPP

#include "core/outcome.hpp"
#include "core/record.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// All that a unit's result depends on, its exercise's name apart. Two results of one identity are the same, timings
/// apart.
struct Identity {
    int exercise_version = 0;
    std::string exercise_hash, source_hash; // of what cannot be read: its problem's sentence
    std::uint64_t seed = 0;
    std::string compiler, flags, assay, isolation, device;

    static Identity of(const Record& record);
    std::string hash() const; // 32 hex digits
};

/// What makes a result of `got` none of the planned unit's, its sources and seed apart: one sentence; "" where nothing
/// does.
std::string difference_between(const Identity& planned, const Identity& got);

struct Unit {
    std::string candidate; // raw bytes
    std::string exercise;
    std::filesystem::path source; // "" where there is none
    std::string problem;          // one sentence where there is nothing to run; the record says it
    Identity identity;

    /// Where its record lies below the output folder: "records/ada/sdpa.json".
    std::filesystem::path record_path() const;
};

struct Plan {
    static constexpr int schema = 1;
    std::string assay;     // version
    std::string compiler;  // as asked for; "" = the first found
    std::string isolation; // required at least; "" = whatever is reached
    bool hidden_seeds = false;
    std::vector<Unit> units;
};

inline constexpr const char* plan_name = "plan.json";

std::string to_json(const Plan& plan);
/// Failure (SKIP): one sentence.
Outcome<Plan> plan_from_json(std::string_view text);

/// The unit's record in `out` where it is there, readable and of the unit's identity.
Outcome<Record> result_of(const std::filesystem::path& out, const Unit& unit);

} // namespace assay

#endif
