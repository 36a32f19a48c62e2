// What a race told, as `assay bench --format json` prints it.
#ifndef ASSAY_TESTS_CLI_BENCH_REPORT_HPP
#define ASSAY_TESTS_CLI_BENCH_REPORT_HPP

#include "catch.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace assay::tests {

/// Of the first case, by name.
inline nlohmann::json contestant(const nlohmann::json& report, const std::string& name) {
    for (const auto& one : report["cases"][0]["contestants"])
        if (one["name"] == name) return one;
    FAIL("no contestant " << name);
    return {};
}

} // namespace assay::tests

#endif
