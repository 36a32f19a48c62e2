#include "commands/device_contestant.hpp"

#include "commands/stop.hpp"

namespace assay {

Outcome<Answer> DeviceContestant::ask(const Problem& problem) {
    Outcome<Answer> answer = attempt_.answer(level_, problem);
    // Later on, an attempt's own doing may look the same.
    if (!answer && !answered_ && answer.failure().verdict == Verdict::JE)
        throw Stop(Exit::environment, answer.failure().reason);
    if (!answer) return answer;
    answered_ = true;
    double seconds = 0;
    for (const DeviceTimes& call : answer->device) {
        const Outcome<double> taken = time_.take(call, answer->seconds);
        if (!taken) return taken.failure();
        seconds += *taken;
    }
    answer->seconds = seconds;
    return answer;
}

} // namespace assay
