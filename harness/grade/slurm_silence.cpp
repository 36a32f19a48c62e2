#include "grade/slurm_silence.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace assay {

SlurmSilence::SlurmSilence(Time poll, Time patience, std::function<bool(Time)> pause,
                           std::function<void(const std::string&)> note)
    : poll_(poll), patience_(patience), next_(poll), pause_(std::move(pause)), note_(std::move(note)) {}

bool SlurmSilence::wait(const std::string& said) {
    said_ = said;
    if (!told_) {
        note_(fmt::format("Slurm does not answer ({}): waiting for it", said));
        begun_ = Clock::now();
        told_ = true;
    }
    if (Clock::now() - begun_ > patience_) return false;
    const Time now = next_;
    next_ = std::min<Time>(next_ * 2, std::max<Time>(poll_, std::chrono::minutes(1)));
    return pause_(now);
}

void SlurmSilence::broken() {
    if (told_) note_("Slurm answers again");
    told_ = false;
    next_ = poll_;
}

Failure SlurmSilence::failure() const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_).count();
    return {Verdict::SKIP,
            fmt::format("Slurm has not answered for {} s ({}): its tasks go on by themselves; grade again "
                        "with --resume once it is up",
                        seconds, said_)};
}

} // namespace assay
