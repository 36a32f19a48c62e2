#include "timing/race.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay::timing {

namespace {

constexpr int empty_calls = 15;
constexpr double patience = 6; // times the seconds given, for the fewest rounds

/// An entrant, or the twin, while the race is on.
struct Runner {
    Contestant* contestant = nullptr;
    Timing timing;
    double spent = 0;
    bool always = false; // asked in every round

    bool runs() const { return timing.refused.empty(); }
    void disqualify(const std::string& why) {
        timing.refused = why;
        timing.disqualified = true;
    }
};

/// The quotients of two runners' times, of the rounds in which both were called.
std::vector<double> quotients(const Timing& above, const Timing& below) {
    std::vector<double> list;
    for (std::size_t i = 0, j = 0; i < above.rounds.size() && j < below.rounds.size();) {
        if (above.rounds[i] == below.rounds[j])
            list.push_back(above.samples[i++] / below.samples[j++]);
        else if (above.rounds[i] < below.rounds[j])
            ++i;
        else
            ++j;
    }
    return list;
}

class Running {
  public:
    Running(const std::vector<Entrant>& entrants, Contestant& twin, const Course& course, const Rules& rules)
        : course_(course), rules_(rules) {
        for (const Entrant& one : entrants) {
            Runner runner;
            runner.contestant = one.contestant;
            runner.timing.name = one.name;
            runners_.push_back(runner);
        }
        runners_.front().always = true;
        if (rules.reference < runners_.size()) runners_[rules.reference].always = true;
        Runner runner;
        runner.contestant = &twin;
        runner.timing.name = runners_.front().timing.name + " again";
        runner.always = true;
        runners_.push_back(runner);
    }

    Race run() {
        start_ = course_.now();
        warm_up();
        if (const double needed = seconds_needed(); needed > patience * rules_.seconds)
            refuse_all(fmt::format("a round takes {:.0f} s here, and {} are needed: time a smaller case, or give "
                                   "--seconds {:.0f}",
                                   needed / (rules_.fewest + 1), rules_.fewest, std::ceil(needed / patience)));
        else
            while (goes_on()) round();
        return judged();
    }

  private:
    const Course& course_;
    const Rules& rules_;
    std::vector<Runner> runners_; // the twin last
    Race race_;
    double start_ = 0;

    double past() const { return course_.now() - start_; }
    Runner& twin() { return runners_.back(); }

    bool goes_on() const {
        if (!runners_.front().runs() || !runners_.back().runs()) return false; // no control without them
        if (race_.rounds >= rules_.most) return false;
        if (race_.rounds < rules_.fewest) return past() < patience * rules_.seconds;
        return past() < rules_.seconds;
    }

    /// For the untimed calls and the fewest rounds, of those that no round does without.
    double seconds_needed() const {
        double round = 0;
        for (const Runner& runner : runners_)
            if (runner.always && runner.runs()) round += runner.spent;
        return round * (rules_.fewest + 1);
    }

    void refuse_all(const std::string& why) {
        for (Runner& runner : runners_)
            if (runner.runs()) runner.timing.refused = why;
    }

    /// Asks, looks at the answer and gives the seconds; < 0 where the runner is out.
    double ask(Runner& runner, const Problem& problem) {
        const double before = course_.now();
        const Outcome<Answer> answer = runner.contestant->ask(problem);
        runner.spent += course_.now() - before;
        if (!answer) {
            runner.disqualify(answer.failure().reason);
            return -1;
        }
        if (const std::string wrong = course_.wrong(problem, *answer); !wrong.empty()) {
            runner.disqualify(wrong);
            return -1;
        }
        return answer->seconds;
    }

    void warm_up() {
        const Problem problem = course_.make(-1);
        for (Runner& runner : runners_) {
            if (ask(runner, problem) < 0) continue;
            std::vector<double> times;
            for (int i = 0; i < empty_calls; ++i)
                if (const Outcome<double> time = runner.contestant->empty_call(); time) times.push_back(*time);
            runner.timing.empty = median(times);
        }
    }

    void round() {
        const Problem problem = course_.make(race_.rounds);
        const double share = rules_.seconds / static_cast<double>(runners_.size());
        for (std::size_t i = 0; i < runners_.size(); ++i) {
            Runner& runner = runners_[race_.rounds % 2 == 0 ? i : runners_.size() - 1 - i];
            const bool had_its_share = !runner.always && !runner.timing.samples.empty() && runner.spent > share;
            if (!runner.runs() || had_its_share) continue;
            const double seconds = ask(runner, problem);
            if (seconds < 0) continue;
            runner.timing.samples.push_back(seconds - runner.timing.empty);
            runner.timing.rounds.push_back(race_.rounds);
        }
        ++race_.rounds;
    }

    Race judged() {
        // They are one program: what one of its processes did, it did.
        if (!twin().runs() && runners_.front().runs()) runners_.front().disqualify(twin().timing.refused);
        for (Runner& runner : runners_) {
            Timing& timing = runner.timing;
            timing.median = median(timing.samples);
            timing.interval = median_interval(timing.samples);
            if (!runner.runs()) continue;
            timing.refused = runner.contestant->doubt();
            timing.remark = runner.contestant->remark();
            if (!runner.runs()) continue;
            if (timing.samples.empty())
                timing.refused = "not a single call of it fitted into the time: give more --seconds";
            else if (!(timing.median > timing.empty))
                timing.refused = fmt::format("a call takes no longer than the {:.0f} us of the way to it and back: "
                                             "time a larger case",
                                             timing.empty * 1e6);
        }
        if (!twin().runs() && runners_.front().runs()) runners_.front().timing.refused = twin().timing.refused;
        control();
        const Runner* reference = rules_.reference < runners_.size() - 1 ? &runners_[rules_.reference] : nullptr;
        for (Runner& runner : runners_) {
            if (reference == nullptr || reference->timing.samples.empty() || reference->timing.disqualified) continue;
            const std::vector<double> ratios = quotients(reference->timing, runner.timing);
            runner.timing.ratio = median(ratios);
            runner.timing.ratios = median_interval(ratios);
        }
        for (std::size_t i = 0; i + 1 < runners_.size(); ++i) race_.timings.push_back(runners_[i].timing);
        race_.seconds = past();
        return std::move(race_);
    }

    /// Two processes of one program: what parts their times is noise, and nobody's figure is better than that.
    void control() {
        std::string why;
        const Timing &first = runners_.front().timing, &again = twin().timing;
        const std::vector<double> ratios = quotients(again, first);
        race_.control = median(ratios);
        if (first.disqualified)
            why = fmt::format("{} was disqualified, and with it went the control", first.name);
        else if (ratios.empty())
            why = "there was no control: no round was run to its end";
        else if (!(std::fabs(race_.control - 1) <= rules_.allowed))
            why = fmt::format("two processes of the same program ({}) differ by {:.1f} %, more than {:.0f} %: "
                              "end what else runs here, or give more --seconds",
                              first.name, 100 * std::fabs(race_.control - 1), 100 * rules_.allowed);
        else if (race_.rounds < 6)
            why = fmt::format("only {} fitted into the time, too few for an interval: give --seconds {:.0f}",
                              race_.rounds == 1 ? "one round" : fmt::format("{} rounds", race_.rounds),
                              std::ceil(past() / std::max(1, race_.rounds) * rules_.fewest));
        if (!why.empty()) refuse_all(why);
    }
};

} // namespace

void refuse_below(double floor, Race& race, std::string_view or_else) {
    for (Timing& timing : race.timings) {
        if (timing.disqualified || timing.interval.coverage == 0 || !(timing.interval.high < floor)) continue;
        timing.faster_than_floor = true;
        timing.refused = fmt::format("{:.3g} ms is less than the {:.3g} ms that this machine needs for the least work "
                                     "there is: it was not done in the call, or {}",
                                     timing.median * 1e3, floor * 1e3, or_else);
    }
}

Race race(const std::vector<Entrant>& entrants, Contestant& twin, const Course& course, const Rules& rules) {
    if (entrants.empty()) return {};
    return Running(entrants, twin, course, rules).run();
}

} // namespace assay::timing
