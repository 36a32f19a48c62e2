// What a check says of memory and time on longer and longer problems: attempts that stream, and attempts that hold or
// compute every pair.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "report/json_schema.hpp"

#include <nlohmann/json.hpp>

using namespace assay::tests;

namespace {

nlohmann::json growth_of(const nlohmann::json& record, const std::string& function) {
    for (const auto& one : record.value("growth", nlohmann::json::array()))
        if (one["function"] == function) return one;
    FAIL("no growth of " << function << " in " << record.dump(1).substr(0, 3000));
    return {};
}

nlohmann::json checked(const Place& place, const std::string& arguments) {
    const Ran ran = place.run("check " + arguments + " --format json");
    CAPTURE(ran.err, ran.out.substr(0, 2000));
    REQUIRE(misfit_of(ran.out, "data/record.schema.json") == "");
    return nlohmann::json::parse(ran.out);
}

} // namespace

TEST_CASE("sdpa: a row of scores is told from a matrix of them by peak memory, which decides nothing") {
    const Place place;
    place.write("sdpa.cpp", checkout_file("solutions/sdpa/accepted/online-per-key.cpp"));
    const auto streams = checked(place, "sdpa");
    place.write("sdpa.cpp", checkout_file("solutions/sdpa/accepted/columns-and-log-sum-exp.cpp"));
    const auto holds = checked(place, "sdpa");
    CHECK(streams["verdict"] == "AC");
    CHECK(holds["verdict"] == "AC");
    CHECK(streams["score"] == holds["score"]);
    const auto row = growth_of(streams, "attention"), matrix = growth_of(holds, "attention");
    INFO(row.dump(1) << matrix.dump(1));
    CHECK(row["memory"]["beyond"] == false);
    CHECK(matrix["memory"]["beyond"] == true);
    REQUIRE(matrix["lengths"].size() == 3); // 256, 512, 1024: what every check can spend
    CHECK(matrix["lengths"][2]["peak_bytes"].get<double>() >= 3.5 * (1 << 20)); // 4 MiB of scores
    CHECK(row["lengths"][2]["peak_bytes"].get<double>() < 1 << 20);
    CHECK(row["time"].is_null()); // it is quadratic, and right so

    const Ran told = place.run("check sdpa");
    INFO(told.out);
    CHECK(contains(told.out, "attention: peak memory 4."));
    CHECK(contains(told.out, "at Lq = Lk = 1024, D = 8: more than O(L)"));
    CHECK(contains(told.out, "scores of all pairs are held at once"));
}

TEST_CASE("what answers wrong is not measured") {
    const Place place;
    place.write("sdpa.cpp", attention("    out(0, 0, 0, 0) = 1;"));
    CHECK_FALSE(checked(place, "sdpa").contains("growth"));
}

TEST_CASE("long_attention: memory of what is linear does not grow, and every check says so") {
    const Place place;
    place.write("long_attention.cpp", checkout_file("solutions/long_attention/solution.cpp"));
    const auto record = checked(place, "long_attention");
    CHECK(record["verdict"] == "AC");
    for (const char* function : {"sliding_window", "linear_attention", "window_with_globals"}) {
        const auto growth = growth_of(record, function);
        INFO(growth.dump(1));
        CHECK(growth["memory"]["beyond"] == false);
        CHECK(growth["lengths"].size() == 7);
        CHECK(growth["lengths"][6]["length"] == 65536);
        CHECK(growth["time"].is_null());
    }
}

TEST_CASE("long_attention: all pairs computed is told by the exponent of time, a matrix by that of memory") {
    const Place place;
    place.write("long_attention.cpp", checkout_file("solutions/long_attention/rejected/TLE/quadratic-mask.cpp"));
    const auto slow = checked(place, "long_attention --level window");
    CHECK(slow["verdict"] == "TLE");
    const auto time = growth_of(slow, "sliding_window");
    INFO(time.dump(1));
    CHECK(time["memory"]["beyond"] == false); // a row at a time
    CHECK(time["time"]["beyond"] == true);
    CHECK(time["time"]["exponent"].get<double>() > 1.7);
    CHECK(time["time"]["exponent"].get<double>() < 2.3);
    const Ran told = place.run("check long_attention --level window");
    CHECK(contains(told.out, "the window is not used"));

    place.write("long_attention.cpp", checkout_file("solutions/long_attention/rejected/MLE/score-matrix.cpp"));
    const auto large = checked(place, "long_attention --level window");
    CHECK(large["verdict"] == "MLE");
    const auto memory = growth_of(large, "sliding_window");
    INFO(memory.dump(1));
    CHECK(memory["memory"]["beyond"] == true);
    REQUIRE_FALSE(memory["memory"]["exponent"].is_null());
    CHECK(memory["memory"]["exponent"].get<double>() > 1.9);
    CHECK(memory["memory"]["exponent"].get<double>() < 2.1);
}
