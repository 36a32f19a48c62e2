// A pasted program built for real, in C++ or Python, as an attempt that a worker runs.
#ifndef ASSAY_TESTS_HUNT_REAL_HPP
#define ASSAY_TESTS_HUNT_REAL_HPP

#include "attempt/build.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "hunt/hunting.hpp"
#include "hunt/scratch.hpp"
#include "python/build.hpp"

#include <memory>

namespace hunting {

/// Builds texts of one exercise in a folder that goes away.
class Workshop {
  public:
    explicit Workshop(std::string exercise) : exercise_(std::move(exercise)) {}

    std::unique_ptr<WorkerAttempt> attempt(const std::string& text, const std::string& language) {
        const std::string name = exercise_ + (language == "python" ? ".py" : ".cpp");
        scratch_.put(name, text);
        BuildOptions options;
        options.cache = scratch_.file("cache");
        options.make_precompiled = false;
        WorkerSetup setup;
        setup.worker = layout().worker(exercise_);
        setup.cpu_seconds = 20;
        if (language == "python") {
            const Outcome<Interpreter> python = find_interpreter();
            REQUIRE(python);
            const Built built = required(build_python(scratch_.file(name), contract_of(exercise_), *python, options));
            setup.library = built.library;
            start_in_python(setup, *python, built);
        } else {
            const Outcome<Toolchain> toolchain = find_toolchain("", options.cache);
            REQUIRE(toolchain);
            const BuildInputs inputs{layout().contract(exercise_),
                                     layout().headers(),
                                     layout().entry_object(exercise_),
                                     {"-std=c++20", "-O2"}};
            setup.library = required(build(scratch_.file(name), inputs, *toolchain, options)).library;
        }
        return std::make_unique<WorkerAttempt>(*find_exercise(exercise_), setup);
    }

  private:
    std::string exercise_;
    Scratch scratch_;

    static Built required(const Outcome<Built>& built) {
        INFO((built ? "" : built.failure().reason + "\n" + built.failure().detail));
        REQUIRE(built);
        return *built;
    }
};

/// Whether the exercise accepts the attempt on all of the hunt's cases.
inline bool accepted(const Hunting& hunting, Attempt& attempt) {
    const Level* level = nullptr;
    for (const HuntCase& one : hunting.cases) {
        if (one.level != level) attempt.fresh();
        level = one.level;
        const Outcome<Answer> answer = attempt.answer(*one.level, one.problem);
        if (!answer || !answer->findings.empty() || !agrees(answer->outputs, hunting.truth(one))) return false;
    }
    return true;
}

} // namespace hunting

#endif
