// The manifest comes back as it was, decides what is complete, and the ledger counts beside it.
#include "catch.hpp"

#include "catalogue/files.hpp"
#include "grade/ledger.hpp"
#include "grade/plan.hpp"
#include "grade/scratch.hpp"
#include "report/json.hpp"

using namespace assay;

namespace {

Record record_of(const std::string& source_hash) {
    Record record;
    record.exercise = "sdpa";
    record.title = "Attention";
    record.exercise_version = 1;
    record.exercise_hash = "e";
    record.source = "sdpa.cpp";
    record.source_hash = source_hash;
    record.seed = 3;
    record.verdict = Verdict::AC;
    record.environment = {"0.1", "g++ 12", "-O2", "mold", "cpu", "limits", {}, {}, "Linux"};
    return record;
}

Plan plan_of(const std::vector<std::string>& candidates) {
    Plan plan;
    plan.assay = "0.1";
    for (const std::string& candidate : candidates)
        plan.units.push_back({candidate, "sdpa", "/tmp/" + candidate + "/sdpa.cpp", "", Identity::of(record_of("s"))});
    return plan;
}

} // namespace

TEST_CASE("a plan comes back from its JSON, odd names included") {
    Plan plan = plan_of({"ada", std::string("b\xff\n\"b", 5), "-rf"});
    plan.units[1].problem = "it has a problem";
    plan.hidden_seeds = true;
    const Outcome<Plan> back = plan_from_json(to_json(plan));
    REQUIRE(back.ok());
    CHECK(to_json(*back) == to_json(plan));
    CHECK(back->units[1].candidate == plan.units[1].candidate);
    CHECK(back->units[1].source == plan.units[1].source);
    CHECK_FALSE(plan_from_json("{}").ok());
    CHECK_FALSE(plan_from_json("{\"schema\": 99}").ok());
}

TEST_CASE("a record counts as the unit's result while everything it depends on is the same") {
    const Scratch scratch;
    const Plan plan = plan_of({"ada"});
    const Unit& unit = plan.units.front();
    CHECK_FALSE(result_of(scratch.path, unit).ok());
    REQUIRE(write_text(scratch.path / unit.record_path(), to_json(record_of("s"))).empty());
    CHECK(result_of(scratch.path, unit).ok());

    const auto changed = [&](const std::function<void(Record&)>& change) {
        Record record = record_of("s");
        change(record);
        REQUIRE(write_text(scratch.path / unit.record_path(), to_json(record)).empty());
        return !result_of(scratch.path, unit).ok();
    };
    CHECK(changed([](Record& r) { r.source_hash = "t"; }));
    CHECK(changed([](Record& r) { r.seed = 4; }));
    CHECK(changed([](Record& r) { r.exercise_version = 2; }));
    CHECK(changed([](Record& r) { r.exercise_hash = "f"; }));
    CHECK(changed([](Record& r) { r.exercise = "memory"; }));
    CHECK(changed([](Record& r) { r.environment.compiler = "g++ 13"; }));
    CHECK(changed([](Record& r) { r.environment.flags = "-O3"; }));
    CHECK(changed([](Record& r) { r.environment.assay = "0.2"; }));
    CHECK(changed([](Record& r) { r.environment.isolation = "none"; }));
    CHECK(changed([](Record& r) { r.environment.device = "cuda"; }));
    CHECK_FALSE(changed([](Record& r) { r.times.judge_ms = 99; }));

    scratch.write(unit.record_path(), to_json(record_of("s")).substr(0, 200));
    CHECK_FALSE(result_of(scratch.path, unit).ok()); // half a file is none
}

TEST_CASE("the ledger counts states and tries, keeps what stays planned, and belongs to one grader") {
    const Scratch scratch;
    const auto file = scratch.path / "ledger.sqlite";
    const Plan plan = plan_of({"ada", "bob", "eve"});
    {
        Outcome<Ledger> ledger = Ledger::open(file);
        REQUIRE(ledger.ok());
        ledger->enter(plan);
        CHECK(ledger->count(UnitState::waiting) == 3);
        ledger->set(plan.units[0], UnitState::running);
        ledger->set(plan.units[0], UnitState::running);
        ledger->set(plan.units[1], UnitState::done, "AC", 1.5);
        CHECK(ledger->tries(plan.units[0]) == 2);
        CHECK(ledger->count(UnitState::done) == 1);

        const Outcome<Ledger> second = Ledger::open(file);
        REQUIRE_FALSE(second.ok());
        CHECK_THAT(second.failure().reason, Catch::Contains("another grading is at work"));
    }
    Outcome<Ledger> again = Ledger::open(file);
    REQUIRE(again.ok());
    Plan changed = plan_of({"ada", "bob"});
    changed.units[1].identity.source_hash = "other";
    again->enter(changed);
    CHECK(again->count(UnitState::waiting) == 2);
    CHECK(again->tries(changed.units[0]) == 2);
    CHECK(again->tries(changed.units[1]) == 0);
}

TEST_CASE("a ledger that is no database is told in one sentence") {
    const Scratch scratch;
    scratch.write("ledger.sqlite", std::string(5000, 'x'));
    const Outcome<Ledger> ledger = Ledger::open(scratch.path / "ledger.sqlite");
    REQUIRE_FALSE(ledger.ok());
    CHECK_THAT(ledger.failure().reason, Catch::Contains("delete it"));
}
