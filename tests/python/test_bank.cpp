// Attempts in Python stand in an exercise's bank, and are left out where there is no Python.
#include "catalogue/files.hpp"
#include "catch.hpp"
#include "commands/bank.hpp"
#include "core/registry.hpp"

#include <algorithm>
#include <cstdlib>

using namespace assay;

namespace {

/// PATH as it was, at the end of the scope.
class Path {
  public:
    explicit Path(const char* value) : before_(std::getenv("PATH")) { ::setenv("PATH", value, 1); }
    ~Path() { ::setenv("PATH", before_.c_str(), 1); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

  private:
    std::string before_;
};

} // namespace

TEST_CASE("a bank holds Python beside C++, with the same expectations") {
    std::vector<std::string> faults;
    std::vector<BankAttempt> bank = bank_of(*find_exercise("sdpa"), source_checkout(), faults);
    CHECK(faults.empty());
    const auto named = [&](const std::string& name) {
        const auto found =
            std::find_if(bank.begin(), bank.end(), [&](const BankAttempt& one) { return one.name == name; });
        REQUIRE(found != bank.end());
        return *found;
    };
    CHECK(named("solution.cpp").verdict == Verdict::AC);
    CHECK(named("solution.py").verdict == Verdict::AC);
    CHECK(named("rejected/CE/colon-missing.py").verdict == Verdict::CE);
    CHECK(named("rejected/WA/scale-missing--python.py").mistake == "scale-missing");

    const std::size_t whole = bank.size();
    const Path nowhere("/nonexistent");
    std::string why;
    CHECK(leave_out_python(bank, why) == 3);
    CHECK(bank.size() == whole - 3);
    CHECK(why.find("python3, which is not on PATH") != std::string::npos);
}
