// From submissions to a plan, and what a unit's record is made of where nothing was judged.
#ifndef ASSAY_COMMANDS_GRADE_PLAN_HPP
#define ASSAY_COMMANDS_GRADE_PLAN_HPP

#include "commands/seeds.hpp"
#include "core/record.hpp"
#include "grade/plan.hpp"
#include "grade/submissions.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace assay {

/// What results on this machine are results of, their sources and seed apart; remembered by exercise and extension.
class IdentitiesHere {
  public:
    explicit IdentitiesHere(std::string compiler) : compiler_(std::move(compiler)) {}
    /// Throws Stop (environment) where what translates such a source is missing.
    const Identity& of(const std::string& exercise, const std::filesystem::path& source);

  private:
    std::string compiler_;
    std::map<std::pair<std::string, std::string>, Identity> known_;
};

Plan make_plan(const Submissions& submissions, const Seeds& seeds, const std::string& compiler);

/// The record of a unit that could not be judged: of the planned identity.
Record blank_of(const Plan& plan, const Unit& unit, Verdict verdict, const std::string& reason);

/// Headers that many of the sources without a result begin with are precompiled once, before two at a time need them.
void precompile_missing(const Plan& plan, const std::filesystem::path& out);

} // namespace assay

#endif
