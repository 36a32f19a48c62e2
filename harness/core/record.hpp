// The result document of one attempt at one exercise: the record of truth from which every report is made.
#ifndef ASSAY_CORE_RECORD_HPP
#define ASSAY_CORE_RECORD_HPP

#include "core/finding.hpp"
#include "core/verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct CaseRecord {
    std::string id;
    std::string why;
    Verdict verdict = Verdict::SKIP;
    std::string reason; // one sentence where the verdict is neither AC nor WA (signal, exception, limit)
    std::vector<Finding> findings;
    std::string printed; // what the attempt wrote to stdout/stderr during it, capped
};

struct LevelRecord {
    std::string id;
    int number = 0; // 1, 2, ... among must levels; bonus levels go on counting
    std::string title;
    bool must = true;
    int points = 0; // what it is worth
    int earned = 0;
    Verdict verdict = Verdict::SKIP;
    std::string reason;
    std::vector<CaseRecord> cases;
};

/// The smallest failing case that was found, and how to ask for it again.
struct Smallest {
    std::string level;               // id
    std::string spec;                // what follows --case
    std::vector<std::string> inputs; // "q (1, 1, 1, 3) float32 = 1 0 2", a line a field
    std::string dimensions;          // "Lq = 1, Lk = 1"
    Finding finding;                 // on that case
    std::vector<std::string> story;  // what happened in it, a line an event; may be empty
    std::string replay;              // "assay check sdpa --case ..."
    int calls = 0;                   // attempts it took
};

/// Where a crash happened, from the sanitised rebuild.
struct Crash {
    std::string kind;                // "heap-buffer-overflow"
    std::string where;               // "sdpa.cpp:31", or ""
    std::string summary;             // one sentence
    std::vector<std::string> frames; // innermost first, attempt's own frames
};

/// Of a bug hunt's attempt, in place of diagnoses.
struct HuntRecord {
    std::string id;                 // "grpo"
    std::uint64_t seed = 0;         // that the bugs were drawn from
    int bugs = 0;                   // planted
    std::optional<int> remaining;   // nothing: the attempt behaves like no subset of the planted bugs
    std::vector<std::string> found; // once it is right: what each bug was, "the ratio built from ..."
};

/// How memory and time of one function grow with its problems. Outside verdict, score and byte equality.
struct GrowthRecord {
    struct Length {
        std::int64_t length = 0;
        std::optional<std::int64_t> peak; // bytes of memory of its own, at most
        double matrix = 0;                // bytes of what need not be held
        std::optional<double> seconds;    // the least of its calls
    };
    /// x^value, with its interval. coverage 0: too few lengths for an interval; low and high are the least and the
    /// largest slope between two of them.
    struct Exponent {
        double value = 0, low = 0, high = 0, coverage = 0;
    };
    struct Measured {
        std::optional<Exponent> exponent; // nothing: too little to tell, or `reason`
        bool beyond = false;              // it grows faster than wanted, which is as x^1
        std::string reason;               // why there is no exponent; may be ""
    };
    std::string id; // the contract's function
    std::string dimension, beside, matrix;
    std::string otherwise; // what it shows where `beyond`
    std::vector<Length> lengths;
    std::optional<Measured> memory, time;
};

/// A timed level: how fast the attempt is beside the readable solution, or with which exponent its time grows (then the
/// figures stand in the record's growth). Outside verdict, score and byte equality.
struct SpeedRecord {
    struct Case {
        std::string id;                   // of the bench
        std::string refused;              // why there is no figure; "" = there is one
        double ratio = 0;                 // the solution's time by the attempt's: 1 = as fast, 2 = twice as fast
        double low = 0, high = 0;         // its interval
        double seconds = 0;               // median of the attempt's calls
        double share = 0;                 // of the floor, 0 where that is not known
        int rounds = 0;                   // calls of each
        double control = 0;               // the solution's time by its twin's
        bool faster_than_floor = false;   // a finding: nobody's work takes less
        std::optional<std::int64_t> peak; // bytes of memory of its own, at most
    };
    std::string id;
    std::string title;
    int points = 0;
    int earned = 0;
    bool by_exponent = false;
    std::vector<double> thresholds; // ratios, or exponents
    int reached = 0;                // how many of them, on every case
    std::string reason;             // why nothing was timed; may be ""
    std::vector<Case> cases;
};

struct Environment {
    std::string assay;                 // version
    std::string compiler;              // "g++ 12.2.0"
    std::string flags;                 // "-std=c++20 -O2"
    std::string linker;                // "mold"
    std::string device = "cpu";        // or "cuda"; "cuda-emulated": its kernels ran on the CPU, and no time counts
    std::string isolation;             // the level that was reached: "limits", "filtered", "contained" or "bounded"
    std::vector<std::string> layers;   // that it was made of: "landlock", "seccomp", ...
    std::vector<std::string> withheld; // layers that were left out on demand
    std::string system;                // "Linux x86_64"
};

struct Record {
    static constexpr int schema = 3; // 2 added speed; 3 growth and the attempt's share of the time
    std::string exercise;
    std::string title;
    int exercise_version = 0;
    std::string exercise_hash; // of contract, levels, oracle and tolerance
    std::string source;        // the attempt's file name, no folder
    std::string source_hash;   // of all its sources
    std::uint64_t seed = 0;
    Verdict verdict = Verdict::SKIP;
    std::string reason; // one sentence; "" where the levels say it all
    int score = 0, max_score = 0;
    int bonus = 0, max_bonus = 0;
    bool solution_revealed = false;
    bool partial = false; // only some levels or a single case ran (--level, --case)
    std::vector<LevelRecord> levels;
    std::vector<Diagnosis> diagnoses; // of the first failure; several = alternatives that fit alike
    std::optional<Smallest> smallest;
    std::optional<Crash> crash;
    std::optional<HuntRecord> hunt;
    std::vector<GrowthRecord> growth; // of what answers right, or runs out of time or memory
    std::vector<SpeedRecord> speed;   // only where it was asked for
    std::string compiler_output;      // diagnostics of a CE, plain text
    std::vector<std::string> notes;   // warnings that do not change the verdict
    Environment environment;
    struct Times {
        double compile_ms = 0, judge_ms = 0;
        double attempt_ms = 0; // of judge_ms: what the levels' calls took
        bool cached = false;
    } times; // outside byte equality
};

/// The level and case that `check` explains: the first level that is neither AC nor SKIP, its first such case.
struct FirstFailure {
    const LevelRecord* level = nullptr;
    const CaseRecord* failing = nullptr; // null where the level failed as a whole
};
std::optional<FirstFailure> first_failure(const Record& record);

} // namespace assay

#endif
