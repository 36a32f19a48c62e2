#include "grade/ledger.hpp"

#include "grade/lock.hpp"
#include "grade/names.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace assay {

namespace {

const char* name_of(UnitState state) {
    switch (state) {
    case UnitState::waiting: return "waiting";
    case UnitState::running: return "running";
    case UnitState::done: return "done";
    case UnitState::failed: return "failed";
    }
    return "";
}

constexpr const char* tables =
    "CREATE TABLE IF NOT EXISTS units ("
    "candidate TEXT NOT NULL, exercise TEXT NOT NULL, identity TEXT NOT NULL, "
    "state TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, verdict TEXT NOT NULL DEFAULT '', "
    "seconds REAL NOT NULL DEFAULT 0, PRIMARY KEY (candidate, exercise))";

} // namespace

struct Ledger::Impl {
    SQLite::Database database;
    std::string trouble;

    /// Runs `write`, unless an earlier one has failed.
    template <class Write> void attempt(Write write) {
        if (!trouble.empty()) return;
        try {
            write();
        } catch (const SQLite::Exception& error) {
            trouble = error.what();
        }
    }
    GradingLock lock;

    Impl(const std::filesystem::path& file, GradingLock held)
        : database(file.native(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5000), lock(std::move(held)) {
        database.exec("PRAGMA journal_mode=WAL");
        database.exec("PRAGMA synchronous=NORMAL");
        database.exec(tables);
    }
};

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Outcome<Ledger> Ledger::open(const std::filesystem::path& file) {
    Outcome<GradingLock> lock = GradingLock::take(file.parent_path());
    if (!lock) return lock.failure();
    try {
        return Ledger(std::make_unique<Impl>(file, std::move(*lock)));
    } catch (const SQLite::Exception& error) {
        return Failure{Verdict::SKIP,
                       fmt::format("the ledger {} cannot be used ({}): delete it, the records decide what "
                                   "is left to do",
                                   file.native(), error.what())};
    }
}

const std::string& Ledger::trouble() const { return impl_->trouble; }

void Ledger::enter(const Plan& plan) {
    impl_->attempt([&] {
        SQLite::Transaction all(impl_->database);
        SQLite::Statement keep(impl_->database,
                               "INSERT INTO units(candidate, exercise, identity, state) VALUES(?, ?, ?, 'waiting') "
                               "ON CONFLICT(candidate, exercise) DO UPDATE SET "
                               "tries = CASE WHEN identity = excluded.identity THEN tries ELSE 0 END, "
                               "identity = excluded.identity, state = 'waiting'");
        std::set<std::pair<std::string, std::string>> planned;
        for (const Unit& unit : plan.units) {
            const std::string candidate = escaped_name(unit.candidate);
            planned.emplace(candidate, unit.exercise);
            keep.bind(1, candidate);
            keep.bind(2, unit.exercise);
            keep.bind(3, unit.identity.hash());
            keep.exec();
            keep.reset();
        }
        std::vector<std::pair<std::string, std::string>> gone;
        for (SQLite::Statement row(impl_->database, "SELECT candidate, exercise FROM units"); row.executeStep();) {
            std::pair<std::string, std::string> key{row.getColumn(0).getString(), row.getColumn(1).getString()};
            if (planned.count(key) == 0) gone.push_back(std::move(key));
        }
        SQLite::Statement drop(impl_->database, "DELETE FROM units WHERE candidate = ? AND exercise = ?");
        for (const auto& [candidate, exercise] : gone) {
            drop.bind(1, candidate);
            drop.bind(2, exercise);
            drop.exec();
            drop.reset();
        }
        all.commit();
    });
}

void Ledger::set(const Unit& unit, UnitState state, const std::string& verdict, double seconds) {
    impl_->attempt([&] {
        SQLite::Statement change(impl_->database,
                                 "UPDATE units SET state = ?, verdict = ?, seconds = ?, tries = tries + ? "
                                 "WHERE candidate = ? AND exercise = ?");
        change.bind(1, name_of(state));
        change.bind(2, verdict);
        change.bind(3, seconds);
        change.bind(4, state == UnitState::running ? 1 : 0);
        change.bind(5, escaped_name(unit.candidate));
        change.bind(6, unit.exercise);
        change.exec();
    });
}

int Ledger::tries(const Unit& unit) const {
    SQLite::Statement row(impl_->database, "SELECT tries FROM units WHERE candidate = ? AND exercise = ?");
    row.bind(1, escaped_name(unit.candidate));
    row.bind(2, unit.exercise);
    return row.executeStep() ? row.getColumn(0).getInt() : 0;
}

int Ledger::count(UnitState state) const {
    SQLite::Statement row(impl_->database, "SELECT COUNT(*) FROM units WHERE state = ?");
    row.bind(1, name_of(state));
    return row.executeStep() ? row.getColumn(0).getInt() : 0;
}

} // namespace assay
