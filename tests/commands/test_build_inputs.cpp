// What attempts are built from, the same for every command.
#include "catch.hpp"

#include "commands/build_inputs.hpp"

#include <filesystem>

using namespace assay;

TEST_CASE("an exercise's attempts get its flags, and the place of Eigen after them", "[commands]") {
    const Outcome<Settings> settings = settings_of("sdpa");
    REQUIRE(settings.ok());
    const BuildInputs inputs = build_inputs("sdpa", *settings);
    CHECK(std::filesystem::exists(inputs.contract / "contract.hpp"));
    CHECK(std::filesystem::exists(inputs.headers / "assay" / "tensor.hpp"));
    CHECK(std::filesystem::exists(inputs.entry_object));
    std::vector<std::string> flags = settings->flags;
    for (const std::string& flag : eigen_flags()) {
        CHECK(std::filesystem::exists(std::filesystem::path(flag.substr(8)) / "Eigen" / "Core")); // after "-isystem"
        flags.push_back(flag);
    }
    CHECK(inputs.flags == flags);
}
