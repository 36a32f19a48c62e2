// The state of each unit while one machine grades: an SQLite database (WAL) beside the records, so that a look from
// outside sees how far it is, and tries are counted over restarts. Records decide what is complete, never the ledger.
#ifndef ASSAY_GRADE_LEDGER_HPP
#define ASSAY_GRADE_LEDGER_HPP

#include "core/outcome.hpp"
#include "grade/plan.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace assay {

enum class UnitState { waiting, running, done, failed };

class Ledger {
  public:
    /// Opens or makes it. Failure (SKIP): the folder cannot be written to, or another grading holds it.
    static Outcome<Ledger> open(const std::filesystem::path& file);
    Ledger(Ledger&&) noexcept;
    Ledger& operator=(Ledger&&) noexcept;
    ~Ledger();

    /// Why it could not be kept, once a write has failed (a full disk); "" before. What is graded goes on: records
    /// decide.
    const std::string& trouble() const;

    /// Enters the plan's units as waiting, keeps those of the same identity, drops the others.
    void enter(const Plan& plan);
    void set(const Unit& unit, UnitState state, const std::string& verdict = {}, double seconds = 0);
    /// How often a unit of this identity was begun and not done.
    int tries(const Unit& unit) const;
    int count(UnitState state) const;

  private:
    struct Impl;
    explicit Ledger(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace assay

#endif
