// Texts that are the same but for names, numbers and spacing are found; different ones are not.
#include "catch.hpp"

#include "grade/fingerprint.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace assay;

namespace {

std::string source(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(std::filesystem::path(ASSAY_SOURCE_DIR) / path).rdbuf();
    REQUIRE(text.str().size() > 500);
    return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

} // namespace

TEST_CASE("renamed, reformatted and commented, a source keeps its fingerprint") {
    const std::string own = source("solutions/sdpa/solution.cpp");
    std::string other = replaced(replaced(own, "scale", "factor_of_mine"), "    ", "\t\t");
    other = replaced(other, ";\n", "; // and so on\n");
    CHECK(fingerprint_of(other) == fingerprint_of(own));
    CHECK(fingerprint_of("").empty());
    CHECK(fingerprint_of("int").empty());
    CHECK(fingerprint_of("\"never closed") == fingerprint_of("\"never closed"));
}

TEST_CASE("copies are paired, independent answers are not") {
    const std::string starter = source("exercises/memory/starter.cpp");
    const std::string own = source("solutions/memory/solution.cpp");
    std::vector<Fingerprinted> all;
    const auto add = [&](const std::string& who, const std::string& text) {
        all.push_back({who, "memory", fingerprint_of(text)});
    };
    add("ada", own);
    add("bob", replaced(own, "double", "real") + "\nstatic int more(int x) { return x * 2 + 1; }\n");
    add("eve", starter);
    add("zoe", starter);
    all.push_back({"ada", "sdpa", fingerprint_of(source("solutions/sdpa/solution.cpp"))});
    all.push_back({"bob", "sdpa", fingerprint_of(source("solutions/sdpa/demo/right.cpp"))});
    const std::vector<Similar> pairs = near_identical(all, {starter});
    REQUIRE(pairs.size() == 1); // the starters hold nothing of their own
    CHECK(pairs[0].a == 0);
    CHECK(pairs[0].b == 1);
    CHECK(pairs[0].share > 0.8);
}

TEST_CASE("what most submissions hold does not count") {
    const std::string own = source("solutions/memory/solution.cpp");
    std::vector<Fingerprinted> all;
    for (int i = 0; i < 12; ++i) all.push_back({"c" + std::to_string(i), "memory", fingerprint_of(own)});
    CHECK(near_identical(all, {}).empty());
}

TEST_CASE("fingerprints come back from their file") {
    const std::vector<Fingerprinted> all{{"-rf x\n", "sdpa", {1, 2, 0xffffffffffffffffu}}, {"ada", "memory", {}}};
    const std::vector<Fingerprinted> back = fingerprints_from(to_text(all));
    REQUIRE(back.size() == 2);
    CHECK(back[0].candidate == all[0].candidate);
    CHECK(back[0].hashes == all[0].hashes);
    CHECK(back[1].hashes.empty());
    CHECK(fingerprints_from("nonsense\n\n a\n").empty());
}
