// --tokens: ranges and lists, and what is neither.
#include "catch.hpp"
#include "roofline/tokens.hpp"

using namespace assay::roofline;

namespace {

std::vector<std::int64_t> tokens(const std::string& text) {
    const auto result = parse_tokens(text);
    if (!result) FAIL(result.failure().reason);
    return *result;
}

std::string fault(const std::string& text) {
    const auto result = parse_tokens(text);
    REQUIRE_FALSE(result.ok());
    return result.failure().reason;
}

} // namespace

TEST_CASE("a range is swept in equal ratios, ends included") {
    REQUIRE(tokens("1:16:5") == std::vector<std::int64_t>{1, 2, 4, 8, 16});
    const auto powers = tokens("1:65536");
    REQUIRE(powers.size() == 17);
    for (std::size_t i = 0; i < powers.size(); ++i) REQUIRE(powers[i] == std::int64_t{1} << i);
    REQUIRE(tokens("5:5") == std::vector<std::int64_t>{5});
    REQUIRE(tokens("1:3:100") == std::vector<std::int64_t>{1, 2, 3});
    const auto odd = tokens("3:1000:7");
    REQUIRE(odd.front() == 3);
    REQUIRE(odd.back() == 1000);
    REQUIRE(odd.size() == 7);
}

TEST_CASE("a list is sorted, each number once") {
    REQUIRE(tokens("300,1,16,16") == std::vector<std::int64_t>{1, 16, 300});
    REQUIRE(tokens("7") == std::vector<std::int64_t>{7});
    REQUIRE(tokens("1000000000000") == std::vector<std::int64_t>{most_tokens_asked});
}

TEST_CASE("what is no number of tokens is told in one sentence") {
    for (const char* text :
         {"", "0", "-1", "1.5", "1,,2", "1,", "a", "1e3", " 1", "1000000000001", "99999999999999999999", "1:", ":5",
          "0:5", "1:2:3:4", "1:5:1", "1:5:x", "1:5:1001", "nan"}) {
        CAPTURE(text);
        const std::string reason = fault(text);
        REQUIRE(reason.rfind("--tokens ", 0) == 0);
        REQUIRE(reason.find("1,16,300") != std::string::npos);
        REQUIRE(reason.find('\n') == std::string::npos);
    }
    REQUIRE(fault("8:2").find("runs from 8 down to 2") != std::string::npos);
    REQUIRE(fault(std::string(20'000, '1')).find("too long") != std::string::npos);
}
