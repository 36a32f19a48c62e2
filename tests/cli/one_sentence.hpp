// What every refusal on the command line is: one sentence on stderr, and nothing on stdout.
#ifndef ASSAY_TESTS_CLI_ONE_SENTENCE_HPP
#define ASSAY_TESTS_CLI_ONE_SENTENCE_HPP

#include "catch.hpp"
#include "cli/assay.hpp"

#include <algorithm>
#include <string>

namespace assay::tests {

inline void require_error(const Ran& ran, const std::string& part, int exit = 2) {
    CAPTURE(ran.out, ran.err, part);
    REQUIRE(ran.exit == exit);
    REQUIRE(ran.out.empty());
    REQUIRE(ran.err.rfind("assay: ", 0) == 0);
    REQUIRE(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    REQUIRE(contains(ran.err, part));
}

} // namespace assay::tests

#endif
