// The one way from a source file to a record, which every command takes: toolchain, build, worker, judge, and after a
// crash a second look with sanitisers.
#ifndef ASSAY_COMMANDS_RUN_CHECK_HPP
#define ASSAY_COMMANDS_RUN_CHECK_HPP

#include "commands/device_at_hand.hpp"
#include "commands/stop.hpp"
#include "core/record.hpp"
#include "judge/check.hpp"
#include "sandbox/layers.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct CheckRequest {
    std::string exercise; // id of a registered exercise
    std::filesystem::path source;
    CheckOptions options;
    std::string compiler;                         // name or path; "" = the first found
    WantedDevice device = WantedDevice::emulated; // of an attempt in CUDA
    std::vector<std::string> more_flags = {};     // after the exercise's own
    bool coloured_diagnostics = false;
    bool solution_revealed = false;
    bool second_look = true;               // after a crash: build with sanitisers for the line where it happened
    bool make_precompiled = true;          // as in BuildOptions
    bool growth = true;                    // measure peak memory as problems grow (commands/growth.hpp)
    const Layers* layers = &layers_here(); // of isolation
    double cpu_seconds = 0;                // a call may take; 0 = what the exercise allows
    std::chrono::seconds compile_time{30}; // as BuildOptions' time_limit
};

struct Checked {
    Record record;
    std::string diagnostics; // the compiler's, with its colours where asked for; "" unless CE
};

/// Throws Stop where there can be no record: a level or case that does not exist, a source that is missing or empty
/// (usage), no compiler, a broken installation (environment), an exercise whose settings are at fault (fault). May run
/// in several threads at once, for exercises that find_exercise has built before.
Checked run_check(const CheckRequest& request);

/// Makes, and waits for, the precompiled headers that checking these sources without `make_precompiled`, with these
/// `more_flags`, can share. What hinders it is left to the checks to tell.
void precompile_for(const std::string& exercise, const std::vector<std::filesystem::path>& sources,
                    const std::string& compiler, const std::vector<std::string>& more_flags = {});

/// 0 for AC, 4 for JE, else 1.
Exit exit_of(const Record& record);

} // namespace assay

#endif
