// Records of real checks fit data/record.schema.json, and a broken one does not.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "report/json.hpp"
#include "report/json_schema.hpp"
#include "report/sample_record.hpp"

using namespace assay::tests;

namespace {

std::string misfit(const std::string& text) { return misfit_of(text, "data/record.schema.json"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("a record with something in every field fits the schema") {
    REQUIRE(misfit(assay::to_json(sample_record())) == "");
}

TEST_CASE("records of real checks fit the schema") {
    const Place place;
    const auto verdict_of = [&](const std::string& source) {
        place.write("sdpa.cpp", source);
        const Ran ran = place.run("check sdpa --format json");
        CAPTURE(ran.err, ran.out.substr(0, 2000));
        REQUIRE(misfit(ran.out) == "");
        const auto record = assay::record_from_json(ran.out);
        REQUIRE(record.ok());
        REQUIRE(assay::to_json(*record) == ran.out);
        return record->verdict;
    };
    REQUIRE(verdict_of(checkout_file("solutions/sdpa/solution.cpp")) == assay::Verdict::AC);
    REQUIRE(verdict_of(attention("    for (int b = 0; b < out.extent(0); ++b) for (int h = 0; h < out.extent(1); ++h)\n"
                                 "    for (int i = 0; i < out.extent(2); ++i) for (int d = 0; d < out.extent(3); ++d)\n"
                                 "        out(b, h, i, d) = __builtin_nanf(\"\");")) == assay::Verdict::WA);
    REQUIRE(verdict_of(attention("    oops")) == assay::Verdict::CE);
    REQUIRE(verdict_of(attention("    __builtin_trap();")) == assay::Verdict::RTE);
}

TEST_CASE("a broken record does not fit the schema") {
    const std::string good = assay::to_json(sample_record());
    REQUIRE(misfit(replaced(good, "\"verdict\": \"WA\"", "\"verdict\": \"OK\"")) != "");
    REQUIRE(misfit(replaced(good, "\"score\": 10", "\"score\": -1")) != "");
    REQUIRE(misfit(replaced(good, "\"exercise\": \"sdpa\",", "")) != "");
    REQUIRE(misfit(replaced(good, "\"got\": \"NaN\"", "\"got\": \"nan\"")) != "");
    REQUIRE(misfit(replaced(good, "\"kind\": \"nan\"", "\"kind\": \"wrong\"")) != "");
    REQUIRE(misfit(replaced(good, "\"schema\": 3", "\"schema\": 4")) != "");
    REQUIRE(misfit(replaced(good, "\"partial\"", "\"partly\"")) != "");
}
