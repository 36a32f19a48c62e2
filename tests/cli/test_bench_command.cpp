// assay bench as typed: short races of real programs, and how each wrong use of it is told.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "cli/bench_report.hpp"
#include "report/json_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace assay::tests;

namespace {

void require_error(const Ran& ran, const std::string& part) {
    CAPTURE(ran.out, ran.err, part);
    REQUIRE(ran.exit == 2);
    REQUIRE(ran.out.empty());
    REQUIRE(ran.err.rfind("assay: ", 0) == 0);
    REQUIRE(contains(ran.err, part));
}

} // namespace

TEST_CASE("what cannot be timed is told in a sentence") {
    const Place place;
    place.write("sdpa.cpp", attention(""));
    require_error(place.run("bench memory"), "memory has nothing to time");
    require_error(place.run("bench long_attention"), "assay check long_attention --speed measures how its time grows");
    require_error(place.run("bench sdpa --case 1x8x1024x46"), "did you mean 1x8x1024x64?");
    require_error(place.run("bench sdpa --seconds 0"), "--seconds must be a number from 0.1 to 3600");
    require_error(place.run("bench sdpa --threads 0"), "--threads must be a whole number");
    require_error(place.run("bench nosuch"), "nosuch");
    require_error(place.run("bench sdpa gone.cpp"), "gone.cpp");
}

TEST_CASE("a race has figures or reasons for everybody, and disqualifies a wrong program alone") {
    const Place place;
    place.write("right.cpp", checkout_file("solutions/sdpa/solution.cpp"));
    place.write("wrong.cpp", attention("    for (int b = 0; b < out.extent(0); ++b) for (int h = 0; h < out.extent(1); "
                                       "++h)\n    for (int i = 0; i < out.extent(2); ++i) for (int d = 0; d < "
                                       "out.extent(3); ++d)\n        out(b, h, i, d) = 0.5f;"));
    const Ran ran = place.run("bench sdpa right.cpp --with wrong.cpp --case 4x32x128x64 --seconds 2 --format json");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 1);
    CHECK(misfit_of(ran.out, "data/bench.schema.json") == "");
    const auto report = nlohmann::json::parse(ran.out);
    const auto wrong = contestant(report, "wrong.cpp");
    CHECK(wrong["disqualified"] == true);
    CHECK(contains(wrong["reason"].get<std::string>(), "answer is wrong: out["));
    for (const char* name : {"attempt", "solution", "naive"}) {
        const auto one = contestant(report, name);
        INFO(one.dump(2));
        CHECK(one["disqualified"] == false);
        CHECK(one["faster_than_floor"] == false);
        CHECK((!one["samples_s"].empty() || !one["reason"].get<std::string>().empty())); // a slow machine fits in none
        CHECK((one["measurable"] == true) == one["reason"].get<std::string>().empty());
    }
    // 128 x 128 scores of a head are 64 KiB; the solution holds a row of them.
    CHECK(contestant(report, "attempt")["peak_bytes"].get<double>() < 1 << 20);
    CHECK(report["limits"]["flops_per_s"].get<double>() > 0);
}

TEST_CASE("an exercise can be timed without an attempt, and a file that does not compile is left out") {
    const Place place;
    const Ran alone = place.run("bench sdpa --case 2x6x509x40 --seconds 0.5");
    CAPTURE(alone.out, alone.err);
    REQUIRE(alone.exit == 0);
    CHECK(contains(alone.out, "no attempt of yours takes part"));
    CHECK(contains(alone.out, "Other cases, by --case: 1x8x1024x64"));
    place.write("oops.cpp", attention("    oops"));
    const Ran broken = place.run("bench sdpa oops.cpp --case 2x6x509x40 --seconds 0.5");
    CAPTURE(broken.out, broken.err);
    REQUIRE(broken.exit == 1);
    CHECK(contains(broken.out, "attempt is left out: it does not compile"));
    CHECK(contains(broken.out, "oops"));
}

TEST_CASE("check --speed times what passes and nothing else, outside verdict and points") {
    const Place place;
    place.write("sdpa.cpp", attention("    out(0, 0, 0, 0) = 1;"));
    const auto failing = nlohmann::json::parse(place.run("check sdpa --speed --format json").out);
    CHECK(failing["verdict"] == "WA");
    CHECK(contains(failing["speed"][0]["reason"].get<std::string>(), "only an attempt that passes"));
    CHECK(failing["speed"][0]["points"] == 0);
}
