// The fast solution of `sdpa` as an attempt: built for this machine, asked in a process of its own.
#ifndef ASSAY_TESTS_SDPA_FAST_HPP
#define ASSAY_TESTS_SDPA_FAST_HPP

#include "catalogue/settings.hpp"
#include "commands/contestants.hpp"
#include "exercises/sdpa/reader.hpp"

#include <optional>

namespace assay::sdpa_test {

class Fast {
  public:
    explicit Fast(int threads = 2) : settings_(*settings_of("sdpa")) {
        BuildFor with{sdpa(), settings_};
        with.threads = threads;
        program_ = make_program("fast", *lay_own(sdpa(), "fast", folder_.path()), with);
        INFO(program_.diagnostics);
        REQUIRE(program_.refused == "");
    }

    /// Its answer, in which nothing was left unwritten and nothing else changed.
    Outputs answer(const Problem& problem) {
        const std::string id = sdpa().level_of(problem);
        if (id != asked_) {
            asked_ = id;
            for (const Level& level : sdpa().levels)
                if (level.id == id) contestant_.emplace(sdpa(), level, program_.setup);
        }
        REQUIRE(contestant_);
        const Outcome<Answer> answer = contestant_->ask(problem);
        if (!answer) FAIL(answer.failure().reason);
        CHECK(answer->findings.empty());
        return answer->outputs;
    }

  private:
    Settings settings_;
    ScratchFolder folder_;
    Program program_;
    std::string asked_;
    std::optional<WorkerContestant> contestant_;
};

} // namespace assay::sdpa_test

#endif
