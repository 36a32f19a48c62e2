// The way back from the document to a record; json.cpp is the way there.
#include "report/json.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay {

namespace {

using Json = nlohmann::json;

struct Unreadable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Json& at(const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key))
        throw Unreadable("the record lacks the key '" + std::string(key) + "'");
    return object[key];
}

template <class T> T get(const Json& object, const char* key) {
    try {
        return at(object, key).get<T>();
    } catch (const Json::exception&) {
        throw Unreadable("the record's key '" + std::string(key) + "' has a value of the wrong type");
    }
}

double number(const Json& object, const char* key) {
    const Json& value = at(object, key);
    if (value.is_number()) return value.get<double>();
    if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (value == "Infinity") return std::numeric_limits<double>::infinity();
    if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
    throw Unreadable("the record's key '" + std::string(key) + "' is neither a number nor NaN nor an infinity");
}

Verdict verdict(const Json& object) {
    const auto text = get<std::string>(object, "verdict");
    const auto found = verdict_from(text);
    if (!found) throw Unreadable("the record's key 'verdict' has the unknown code '" + text + "'");
    return *found;
}

FindingKind kind(const Json& object) {
    const auto text = get<std::string>(object, "kind");
    for (int i = 0; i <= static_cast<int>(FindingKind::out_of_bounds); ++i)
        if (name_of(static_cast<FindingKind>(i)) == text) return static_cast<FindingKind>(i);
    throw Unreadable("the record's key 'kind' has the unknown value '" + text + "'");
}

Finding finding(const Json& j) {
    Finding f;
    f.kind = kind(j);
    f.tensor = get<std::string>(j, "tensor");
    f.where = get<Index>(j, "where");
    f.got = number(j, "got");
    f.expected = number(j, "expected");
    f.error = number(j, "error");
    f.bound = number(j, "bound");
    f.plain_error = at(j, "plain_error").is_null() ? -1 : number(j, "plain_error");
    f.wrong = get<std::int64_t>(j, "wrong");
    f.total = get<std::int64_t>(j, "total");
    f.unit = get<std::string>(j, "unit");
    f.place = get<std::string>(j, "place");
    f.map = get<std::vector<std::string>>(j, "map");
    f.note = get<std::string>(j, "note");
    return f;
}

CaseRecord one_case(const Json& j) {
    CaseRecord c;
    c.id = get<std::string>(j, "id");
    c.why = get<std::string>(j, "why");
    c.verdict = verdict(j);
    c.reason = get<std::string>(j, "reason");
    for (const Json& f : at(j, "findings")) c.findings.push_back(finding(f));
    c.printed = get<std::string>(j, "printed");
    return c;
}

LevelRecord level(const Json& j) {
    LevelRecord l;
    l.id = get<std::string>(j, "id");
    l.number = get<int>(j, "number");
    l.title = get<std::string>(j, "title");
    l.must = get<bool>(j, "must");
    l.verdict = verdict(j);
    l.earned = get<int>(j, "points");
    l.points = get<int>(j, "max_points");
    l.reason = get<std::string>(j, "reason");
    for (const Json& c : at(j, "cases")) l.cases.push_back(one_case(c));
    return l;
}

Smallest smallest(const Json& j) {
    Smallest s;
    s.level = get<std::string>(j, "level");
    s.spec = get<std::string>(j, "case");
    s.dimensions = get<std::string>(j, "dimensions");
    s.inputs = get<std::vector<std::string>>(j, "inputs");
    s.finding = finding(at(j, "finding"));
    s.story = get<std::vector<std::string>>(j, "story");
    s.replay = get<std::string>(j, "replay");
    s.calls = get<int>(j, "calls");
    return s;
}

Crash crash(const Json& j) {
    Crash c;
    c.kind = get<std::string>(j, "kind");
    c.where = get<std::string>(j, "where");
    c.summary = get<std::string>(j, "summary");
    c.frames = get<std::vector<std::string>>(j, "frames");
    return c;
}

HuntRecord hunt(const Json& j) {
    HuntRecord h;
    h.id = get<std::string>(j, "id");
    h.seed = get<std::uint64_t>(j, "seed");
    h.bugs = get<int>(j, "bugs");
    if (!at(j, "remaining").is_null()) h.remaining = get<int>(j, "remaining");
    h.found = get<std::vector<std::string>>(j, "found");
    return h;
}

std::optional<GrowthRecord::Measured> measured(const Json& j) {
    if (j.is_null()) return std::nullopt;
    GrowthRecord::Measured m;
    if (!at(j, "exponent").is_null())
        m.exponent =
            GrowthRecord::Exponent{number(j, "exponent"), number(j, "low"), number(j, "high"), number(j, "coverage")};
    m.beyond = get<bool>(j, "beyond");
    m.reason = get<std::string>(j, "reason");
    return m;
}

GrowthRecord growth(const Json& j) {
    GrowthRecord g;
    g.id = get<std::string>(j, "function");
    g.dimension = get<std::string>(j, "dimension");
    g.beside = get<std::string>(j, "beside");
    g.matrix = get<std::string>(j, "matrix");
    g.otherwise = get<std::string>(j, "otherwise");
    for (const Json& one : at(j, "lengths")) {
        GrowthRecord::Length length;
        length.length = get<std::int64_t>(one, "length");
        if (!at(one, "peak_bytes").is_null()) length.peak = get<std::int64_t>(one, "peak_bytes");
        length.matrix = number(one, "matrix_bytes");
        if (!at(one, "seconds").is_null()) length.seconds = number(one, "seconds");
        g.lengths.push_back(length);
    }
    g.memory = measured(at(j, "memory"));
    g.time = measured(at(j, "time"));
    return g;
}

SpeedRecord::Case speed_case(const Json& j) {
    SpeedRecord::Case c;
    c.id = get<std::string>(j, "id");
    c.refused = get<std::string>(j, "refused");
    c.ratio = number(j, "ratio");
    c.low = number(j, "low");
    c.high = number(j, "high");
    c.seconds = number(j, "seconds");
    c.share = number(j, "share_of_floor");
    c.rounds = get<int>(j, "rounds");
    c.control = number(j, "control");
    c.faster_than_floor = get<bool>(j, "faster_than_floor");
    if (!at(j, "peak_bytes").is_null()) c.peak = get<std::int64_t>(j, "peak_bytes");
    return c;
}

SpeedRecord speed(const Json& j) {
    SpeedRecord s;
    s.id = get<std::string>(j, "id");
    s.title = get<std::string>(j, "title");
    s.earned = get<int>(j, "points");
    s.points = get<int>(j, "max_points");
    s.by_exponent = j.contains("measures") && get<std::string>(j, "measures") == "exponent"; // since schema 3
    s.thresholds = get<std::vector<double>>(j, "thresholds");
    s.reached = get<int>(j, "reached");
    s.reason = get<std::string>(j, "reason");
    for (const Json& c : at(j, "cases")) s.cases.push_back(speed_case(c));
    return s;
}

Environment environment(const Json& j) {
    Environment e;
    e.assay = get<std::string>(j, "assay");
    e.compiler = get<std::string>(j, "compiler");
    e.flags = get<std::string>(j, "flags");
    e.linker = get<std::string>(j, "linker");
    e.device = get<std::string>(j, "device");
    e.isolation = get<std::string>(j, "isolation");
    e.layers = get<std::vector<std::string>>(j, "layers");
    e.withheld = get<std::vector<std::string>>(j, "withheld");
    e.system = get<std::string>(j, "system");
    return e;
}

Record record_of(const Json& j) {
    if (const int schema = get<int>(j, "schema"); schema < 1 || schema > Record::schema)
        throw Unreadable("the record has schema " + std::to_string(schema) + "; this Assay reads schemas up to " +
                         std::to_string(Record::schema));
    Record r;
    r.exercise = get<std::string>(j, "exercise");
    r.title = get<std::string>(j, "title");
    r.exercise_version = get<int>(j, "exercise_version");
    r.exercise_hash = get<std::string>(j, "exercise_hash");
    r.source = get<std::string>(j, "source");
    r.source_hash = get<std::string>(j, "source_hash");
    r.seed = get<std::uint64_t>(j, "seed");
    r.verdict = verdict(j);
    r.reason = get<std::string>(j, "reason");
    r.score = get<int>(j, "score");
    r.max_score = get<int>(j, "max_score");
    r.bonus = get<int>(j, "bonus");
    r.max_bonus = get<int>(j, "max_bonus");
    r.partial = get<bool>(j, "partial");
    r.solution_revealed = get<bool>(j, "solution_revealed");
    for (const Json& l : at(j, "levels")) r.levels.push_back(level(l));
    for (const Json& d : at(j, "diagnoses"))
        r.diagnoses.push_back({get<std::string>(d, "mistake"), get<std::string>(d, "sentence")});
    if (!at(j, "smallest").is_null()) r.smallest = smallest(at(j, "smallest"));
    if (!at(j, "crash").is_null()) r.crash = crash(at(j, "crash"));
    if (j.contains("hunt")) r.hunt = hunt(at(j, "hunt"));
    if (j.contains("growth"))
        for (const Json& g : at(j, "growth")) r.growth.push_back(growth(g));
    if (j.contains("speed"))
        for (const Json& s : at(j, "speed")) r.speed.push_back(speed(s));
    r.compiler_output = get<std::string>(j, "compiler_output");
    r.notes = get<std::vector<std::string>>(j, "notes");
    r.environment = environment(at(j, "environment"));
    const Json& timings = at(j, "timings");
    r.times.compile_ms = number(timings, "compile_ms");
    r.times.judge_ms = number(timings, "judge_ms");
    if (timings.contains("attempt_ms")) r.times.attempt_ms = number(timings, "attempt_ms"); // since schema 3
    r.times.cached = get<bool>(timings, "cached");
    return r;
}

} // namespace

Outcome<Record> record_from_json(std::string_view text) {
    try {
        return record_of(Json::parse(text.begin(), text.end()));
    } catch (const Json::parse_error& error) {
        return Failure{Verdict::SKIP, "the record is not well-formed JSON at byte " + std::to_string(error.byte)};
    } catch (const Json::exception&) { // a number beyond every type
        return Failure{Verdict::SKIP, "the record holds a value that nothing can"};
    } catch (const Unreadable& error) {
        return Failure{Verdict::SKIP, error.what()};
    }
}

} // namespace assay
