// The levels of `sdpa`: every mistake rejected where it belongs and named, every case earning its place, the level's
// own rules kept by its cases, and random problems that cover the contract.
#include "catch.hpp"
#include "core/registry.hpp"
#include "judge/verify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace assay;

namespace {

const Exercise& sdpa() {
    const Exercise* exercise = find_exercise("sdpa");
    REQUIRE(exercise != nullptr);
    return *exercise;
}

const Level& level(std::string_view id) {
    for (const Level& one : sdpa().levels)
        if (one.id == id) return one;
    FAIL("no level " << id);
    return sdpa().levels.front();
}

/// Keys that each row of the problem may attend, as the contract says.
std::int64_t emptiest_row(const Problem& problem) {
    const Array& q = problem.array("q");
    const std::int64_t B = q.extents[0], Hq = q.extents[1], Lq = q.extents[2], Lk = problem.array("k").extents[2];
    std::int64_t least = Lk;
    for_each_index({B, Hq, Lq}, [&](const Index& row) {
        std::int64_t count = 0;
        for (std::int64_t j = 0; j < Lk; ++j) {
            if (problem.flag("causal") && j > row[2] + Lk - Lq) continue;
            if (problem.has("mask")) {
                const Array& mask = problem.array("mask");
                const Index& e = mask.extents;
                if (mask.at({row[0] % e[0], row[1] % e[1], row[2] % e[2], j % e[3]}) == 0) continue;
            }
            ++count;
        }
        least = std::min(least, count);
    });
    return least;
}

bool same_bytes(const Problem& a, const Problem& b) {
    for (const char* name : {"q", "k", "v"})
        if (a.array(name).storage != b.array(name).storage) return false;
    return true;
}

/// Writes down the calls of a script, and answers an output with its own index in the order of the calls.
class Scribe final : public Caller {
  public:
    std::vector<std::string> calls;
    std::vector<double> given; // first element of each state that was passed in

    Outcome<std::vector<Array>> call(std::string_view function, std::span<const Argument> arguments) override {
        std::string line(function);
        std::vector<Array> outputs;
        for (const Argument& argument : arguments) {
            const Array* array = std::get_if<Array>(&argument.value);
            if (array == nullptr) continue;
            const bool is_state = array->extents.back() == 9; // Dv + 4
            if (is_state && argument.mode != Mode::out)
                line.append(" ").append(std::to_string(static_cast<int>(array->at({0, 0}))));
            if (argument.mode == Mode::in) continue;
            Array result = *array;
            result.set(Index{0, 0}, static_cast<double>(calls.size() + 1));
            outputs.push_back(std::move(result));
        }
        if (function == "absorb")
            line.append(" keys ").append(std::to_string(std::get<Array>(arguments[2].value).extents[0]));
        calls.push_back(std::move(line));
        return outputs;
    }
};

std::vector<std::string> script_of(std::string_view id) {
    for (const Case& one : level("streaming").cases)
        if (one.id == id) {
            Scribe scribe;
            const Outcome<Outputs> outputs = level("streaming").script(scribe, one.make(0));
            REQUIRE(outputs.ok());
            CHECK(outputs->find("out") != nullptr);
            return scribe.calls;
        }
    FAIL("no case " << id);
    return {};
}

} // namespace

TEST_CASE("every mistake is rejected where it belongs and named alone; every case earns its place") {
    for (const std::uint64_t seed : std::array<std::uint64_t, 2>{0, 20}) {
        const SelfTest test = verify_oracle(sdpa(), seed);
        for (const std::string& fault : test.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(test.right_oracle_passes);
        CHECK(test.mistakes.size() > 100);
        for (const MistakeTrial& trial : test.mistakes) {
            INFO(trial.mistake << ", form " << trial.form << ", seed " << seed);
            CHECK(trial.rejected_at == trial.belongs);
            CHECK(trial.named_right);
        }
        for (const CaseWorth& worth : test.cases) {
            INFO("case " << worth.id);
            CHECK(worth.earns_place);
        }
    }
}

TEST_CASE("levels stand in order, and the bonuses decide nothing") {
    std::vector<std::string> must, bonus;
    for (const Level& one : sdpa().levels) (one.must ? must : bonus).push_back(one.id);
    CHECK(must == std::vector<std::string>{"formula", "stability", "masks", "empty-rows", "heads-and-views",
                                           "half-storage", "streaming", "gradients"});
    CHECK(bonus == std::vector<std::string>{"hygiene", "alibi"});
    for (const Level& one : sdpa().levels)
        for (const std::string& function : one.functions)
            CHECK(std::any_of(sdpa().signatures.begin(), sdpa().signatures.end(),
                              [&](const Signature& signature) { return signature.name == function; }));
}

TEST_CASE("case ids are short names, and each case says in one line why it is there") {
    std::set<std::string> ids;
    for (const Level& one : sdpa().levels)
        for (const Case& c : one.cases) {
            INFO(c.id);
            CHECK(ids.insert(c.id).second);
            CHECK(std::all_of(c.id.begin(), c.id.end(),
                              [](char x) { return (x >= 'a' && x <= 'z') || (x >= '0' && x <= '9') || x == '-'; }));
            CHECK_FALSE(c.why.empty());
            CHECK(c.why.find('\n') == std::string::npos);
            CHECK(c.why.size() < 120);
        }
}

TEST_CASE("levels 1 to 4 ask nothing that a later level introduces") {
    for (const char* id : {"formula", "stability", "masks", "empty-rows"})
        for (const Case& one : level(id).cases) {
            INFO(id << ", case " << one.id);
            const Problem problem = one.make(5);
            const Array& q = problem.array("q");
            const Array& k = problem.array("k");
            CHECK(q.extents[1] == k.extents[1]);
            CHECK(q.extents[1] >= 2);
            CHECK(q.extents[3] == problem.array("v").extents[3]);
            for (const char* name : {"q", "k", "v", "out"}) CHECK(problem.array(name).is_contiguous());
            if (problem.has("mask")) CHECK(problem.array("mask").is_contiguous());
            if (std::string_view(id) != "empty-rows") CHECK(emptiest_row(problem) > 0);
            if (std::string_view(id) == "empty-rows") CHECK(emptiest_row(problem) == 0);
            if (std::string_view(id) == "formula" || std::string_view(id) == "stability") {
                CHECK_FALSE(problem.has("mask"));
                CHECK_FALSE(problem.flag("causal"));
            }
        }
}

TEST_CASE("masks of all sixteen broadcast shapes are asked") {
    std::set<std::vector<bool>> shapes;
    for (const char* id : {"masks", "empty-rows"})
        for (const Case& one : level(id).cases) {
            const Problem problem = one.make(0);
            if (!problem.has("mask") || problem.array("mask").size() == 0) continue;
            std::vector<bool> full;
            for (const std::int64_t extent : problem.array("mask").extents) full.push_back(extent > 1);
            shapes.insert(full);
        }
    CHECK(shapes.size() == 16);
}

TEST_CASE("a case is made of its seed: the same bytes again, others from another seed") {
    int differ = 0;
    for (const Level& one : sdpa().levels)
        for (const Case& c : one.cases) {
            INFO(c.id);
            CHECK(same_bytes(c.make(7), c.make(7)));
            CHECK(sdpa().valid(c.make(7)));
            differ += same_bytes(c.make(7), c.make(8)) ? 0 : 1;
        }
    CHECK(differ > 100); // all but the empty ones and those made of exact numbers
}

TEST_CASE("the streaming script begins, absorbs, merges and finishes as the problem says") {
    // each state is known by the number of the call that gave it
    CHECK(script_of("three-blocks") ==
          std::vector<std::string>{"begin", "absorb 1 keys 4", "absorb 2 keys 5", "absorb 3 keys 2", "finish 4"});
    CHECK(script_of("merge") == std::vector<std::string>{"begin", "begin", "absorb 1 keys 4", "absorb 2 keys 3",
                                                         "absorb 4 keys 4", "merge 3 5", "finish 6"});
    CHECK(script_of("merge-into-second") == std::vector<std::string>{"begin", "begin", "absorb 1 keys 4",
                                                                     "absorb 3 keys 3", "absorb 2 keys 4", "merge 5 4",
                                                                     "finish 6"});
    CHECK(script_of("merge-nothing-then-absorb") ==
          std::vector<std::string>{"begin", "begin", "merge 1 2", "absorb 3 keys 6", "absorb 4 keys 5", "finish 5"});
    CHECK(script_of("merge-into-nothing") ==
          std::vector<std::string>{"begin", "begin", "absorb 2 keys 5", "absorb 3 keys 6", "merge 1 4", "finish 5"});
}

TEST_CASE("3000 random problems are valid and reach the corners of the contract") {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = sdpa().random(seed);
        if (!sdpa().valid(problem)) FAIL_CHECK("random problem " << seed << " is not valid");
        const std::string id = sdpa().level_of(problem);
        CHECK(std::any_of(sdpa().levels.begin(), sdpa().levels.end(), [&](const Level& one) { return one.id == id; }));
        ++seen[problem.route];
        const Array& q = problem.array("q");
        const Array& k = problem.array("k");
        seen["no keys"] += k.size() == 0 ? 1 : 0;
        for (const std::string_view name : {"q", "k", "v", "dout", "out", "dq", "dk", "dv"}) {
            if (problem.find(name) == nullptr) continue;
            const Array& array = problem.array(name);
            const bool repeats = array.size() > array.storage_elements();
            const bool output = name == "out" || name == "dq" || name == "dk" || name == "dv";
            seen["strided"] += array.is_contiguous() ? 0 : 1;
            seen["repeated"] += repeats ? 1 : 0;
            if (name == "dout") seen["strided dout"] += array.is_contiguous() ? 0 : 1;
            if (output && repeats) FAIL_CHECK("random problem " << seed << " has an output that overlaps itself");
        }
        if (problem.route == "stream") {
            seen["merge"] += problem.integer("split") >= 0 ? 1 : 0;
            continue;
        }
        seen["grouped"] += q.extents[1] != k.extents[1] ? 1 : 0;
        seen["tall causal"] += problem.flag("causal") && q.extents[2] > k.extents[2] ? 1 : 0;
        seen["long"] += k.extents[2] > 64 ? 1 : 0;
        seen["scale given"] += problem.has("scale") ? 1 : 0;
        seen["negative scale"] += problem.number_or("scale", 1) < 0 ? 1 : 0;
        seen["no mask"] += problem.has("mask") ? 0 : 1;
        seen["empty row"] += emptiest_row(problem) == 0 ? 1 : 0;
        if (problem.route == "attention_biased") seen["window"] += problem.integer("window") > 0 ? 1 : 0;
    }
    for (const char* what : {"attention",
                             "attention_f16",
                             "attention_bf16",
                             "attention_f16_stored",
                             "attention_bf16_stored",
                             "stream",
                             "attention_biased",
                             "attention_backward",
                             "strided dout",
                             "no keys",
                             "strided",
                             "repeated",
                             "merge",
                             "grouped",
                             "tall causal",
                             "long",
                             "scale given",
                             "negative scale",
                             "no mask",
                             "empty row",
                             "window"}) {
        INFO(what);
        CHECK(seen[what] >= 30);
    }
}
