// A stand-in for the judge: a shell script that behaves as the file is called that it is to judge.
#ifndef ASSAY_TESTS_GRADE_STAND_IN_HPP
#define ASSAY_TESTS_GRADE_STAND_IN_HPP

#include "core/record.hpp"
#include "grade/plan.hpp"
#include "grade/scratch.hpp"
#include "report/json.hpp"

#include <map>
#include <string>
#include <vector>

inline assay::Record record_for(const assay::Unit& unit, assay::Verdict verdict, const std::string& reason) {
    assay::Record record;
    record.exercise = unit.exercise;
    record.title = "Attention";
    record.exercise_version = 1;
    record.exercise_hash = "e";
    record.source = "sdpa.cpp";
    record.source_hash = unit.problem.empty() ? "s" : "";
    record.verdict = verdict;
    record.reason = reason;
    record.environment = {"0.1", "g++ 12", "-O2", "mold", "cpu", "limits", {}, {}, "Linux"};
    return record;
}

/// A unit whose stand-in behaves as its candidate is called.
inline assay::Unit unit_of(const Scratch& scratch, const std::string& behaviour, int number) {
    assay::Unit unit{behaviour + std::to_string(number), "sdpa", scratch.path / behaviour, "", {}};
    unit.identity = assay::Identity::of(record_for(unit, assay::Verdict::AC, ""));
    return unit;
}

inline assay::Plan plan_with(const Scratch& scratch, const std::vector<std::string>& behaviours) {
    assay::Plan plan;
    for (const std::string& behaviour : behaviours)
        plan.units.push_back(unit_of(scratch, behaviour, static_cast<int>(plan.units.size())));
    return plan;
}

/// The records that the stand-in gives: right.json, and other.json of an isolation that was not planned.
inline void write_records(const Scratch& scratch) {
    assay::Record record = record_for(unit_of(scratch, "right", 0), assay::Verdict::AC, "");
    scratch.write("right.json", assay::to_json(record));
    record.environment.isolation = "bounded";
    scratch.write("other.json", assay::to_json(record));
}

/// The command that grades one unit, without the unit's own arguments.
inline std::vector<std::string> stand_in_judge(const Scratch& scratch) {
    write_records(scratch);
    // $1 record, $2 exercise, $3 source (whose name says how to behave), $4 seed
    scratch.write("judge.sh", "set -e\nhere=" + scratch.path.native() +
                                  "\nmkdir -p \"$(dirname \"$1\")\"\necho \"$1\" >> $here/calls\n"
                                  "case \"$(basename \"$3\")\" in\n"
                                  "right) cp $here/right.json \"$1.tmp\"; mv \"$1.tmp\" \"$1\";;\n"
                                  "elsewhere) cp $here/other.json \"$1.tmp\"; mv \"$1.tmp\" \"$1\";;\n"
                                  "crash) kill -SEGV $$;;\n"
                                  "fails) echo 'assay: something is missing' >&2; exit 3;;\n"
                                  "hangs) sleep 100;;\n"
                                  "half) echo '{\"schema\": 1' > \"$1\";;\n"
                                  "once) if [ -e $here/tried ]; then cp $here/right.json \"$1\"; else touch "
                                  "$here/tried; kill -KILL $$; fi;;\n"
                                  "slow) sleep 0.2; cp $here/right.json \"$1.tmp\"; mv \"$1.tmp\" \"$1\";;\n"
                                  "esac\n");
    return {"/bin/sh", (scratch.path / "judge.sh").native()};
}

/// By candidate: the verdict's code and the reason, or "none".
inline std::map<std::string, std::string> verdicts_in(const std::filesystem::path& out, const assay::Plan& plan) {
    std::map<std::string, std::string> all;
    for (const assay::Unit& unit : plan.units) {
        const assay::Outcome<assay::Record> record = result_of(out, unit);
        all[unit.candidate] = record ? std::string(code(record->verdict)) + " " + record->reason : "none";
    }
    return all;
}

#endif
