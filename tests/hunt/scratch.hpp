// A folder that goes away, and the compiler in it.
#ifndef ASSAY_TESTS_HUNT_SCRATCH_HPP
#define ASSAY_TESTS_HUNT_SCRATCH_HPP

#include "attempt/build_cache.hpp"
#include "sandbox/process.hpp"
#include "attempt/toolchain.hpp"
#include "catch.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hunting {

using namespace assay;
namespace fs = std::filesystem;

class Scratch {
  public:
    Scratch() : folder_(make()) {}

    fs::path file(const std::string& name) const { return folder_.path() / name; }
    void put(const std::string& name, std::string_view text) const { REQUIRE(write_file(file(name), text)); }

    Outcome<Ended> run(std::vector<std::string> arguments) const {
        return assay::run(Command{std::move(arguments), clean_environment(), folder_.path(), {}, {}},
                          std::chrono::seconds(120));
    }

    /// The compiler that attempts are built with, and C++20.
    Outcome<Ended> compile(const std::vector<std::string>& arguments) const {
        const Outcome<Toolchain> found = find_toolchain("", file("cache"));
        if (!found) return found.failure();
        std::vector<std::string> all{found->compiler.string(), "-std=c++20", "-O1"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return run(all);
    }

  private:
    TemporaryFolder folder_;

    static TemporaryFolder make() {
        Outcome<TemporaryFolder> made = TemporaryFolder::make(fs::temp_directory_path());
        REQUIRE(made);
        return std::move(*made);
    }
};

} // namespace hunting

#endif
