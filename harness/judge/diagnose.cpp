// Keeps the mistakes whose wrong values the attempt's answers match.
#include "judge/diagnose.hpp"

#include "judge/elements.hpp"
#include "judge/patterns.hpp"

#include <algorithm>

namespace assay {

namespace {

struct Values {
    std::string name;
    Index extents;
    std::vector<double> value;
};

/// One entry a truth; empty where an output is missing or has other extents.
std::vector<Values> values_of(const Outputs& got, const Truths& truths) {
    std::vector<Values> all;
    for (const Truth& truth : truths) {
        const Array* array = got.find(truth.name);
        if (array == nullptr || array->extents != truth.extents) return {};
        all.push_back({truth.name, truth.extents, elements_of(*array)});
    }
    return all;
}

/// One element of one output.
struct Spot {
    std::size_t output = 0, element = 0;
};

/// The first element that is not right; where there is none, the first of all.
Spot first_wrong(const std::vector<Values>& got, const Truths& truth) {
    for (std::size_t k = 0; k < got.size(); ++k)
        for (std::size_t i = 0; i < got[k].value.size(); ++i)
            if (stand(got[k].value[i], truth[k].value[i], truth[k].bound[i]) != Standing::right) return {k, i};
    return {};
}

/// True where every value lies within the bound of `wrong`. `finite`: elements matched that are numbers. `spot` is held
/// against it first: where an answer is wrong, nearly every mistake but its own says something else.
bool matches(const std::vector<Values>& got, const Truths& wrong, Spot spot, bool& finite) {
    if (got.size() != wrong.size()) return false;
    const auto right = [&](std::size_t k, std::size_t i) {
        return stand(got[k].value[i], wrong[k].value[i], wrong[k].bound[i]) == Standing::right;
    };
    if (spot.output < got.size() && spot.element < got[spot.output].value.size() &&
        spot.element < wrong[spot.output].value.size() && !right(spot.output, spot.element))
        return false;
    // Numbers first: names and extents are the same but for answers of another kind.
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (got[k].value.size() != wrong[k].value.size()) return false;
        for (std::size_t i = 0; i < got[k].value.size(); ++i) {
            if (!right(k, i)) return false;
            finite = finite || std::isfinite(got[k].value[i]);
        }
    }
    for (std::size_t k = 0; k < got.size(); ++k)
        if (got[k].name != wrong[k].name || got[k].extents != wrong[k].extents) return false;
    return true;
}

constexpr auto larger = [](double a, double b) { return std::max(a, b); };
constexpr auto sum = [](double a, double b) { return a + b; };

/// True where the two differ somewhere by more than `allowed` makes of both bounds.
template <class Allowed> bool differ_somewhere(const Truths& a, const Truths& b, Allowed allowed) {
    if (a.size() != b.size()) return true;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (a[k].value.size() != b[k].value.size()) return true;
        for (std::size_t i = 0; i < a[k].value.size(); ++i)
            if (differ(a[k].value[i], b[k].value[i], allowed(a[k].bound[i], b[k].bound[i]))) return true;
    }
    for (std::size_t k = 0; k < a.size(); ++k)
        if (a[k].name != b[k].name || a[k].extents != b[k].extents) return true;
    return false;
}

std::string joined_sentences(const Exercise& exercise, const Candidate& candidate) {
    std::string sentence = exercise.mistakes[candidate.mistake].sentence;
    if (candidate.is_pair()) sentence += ", together with " + exercise.mistakes[candidate.second].sentence;
    return sentence;
}

} // namespace

std::vector<Candidate> single_candidates(const Exercise& exercise) {
    std::vector<Candidate> candidates;
    for (std::size_t mistake = 0; mistake < exercise.mistakes.size(); ++mistake)
        for (int form = 0; form < exercise.mistakes[mistake].forms(); ++form) candidates.push_back({mistake, form});
    return candidates;
}

std::vector<Candidate> pair_candidates(const Exercise& exercise) {
    std::vector<Candidate> pairs;
    if (!exercise.combined) return pairs;
    const std::vector<Candidate> singles = single_candidates(exercise);
    for (const Candidate& a : singles)
        for (const Candidate& b : singles)
            if (a.mistake < b.mistake) pairs.push_back({a.mistake, a.form, b.mistake, b.form});
    return pairs;
}

Slips slips_of(const Exercise& exercise, const Candidate& candidate) {
    std::vector<Slip> slips{{exercise.mistakes[candidate.mistake].id, candidate.form}};
    if (candidate.is_pair()) slips.push_back({exercise.mistakes[candidate.second].id, candidate.second_form});
    return Slips(std::move(slips));
}

std::optional<Truths> wrong_answer_of(const Exercise& exercise, const Problem& problem, const Candidate& candidate) {
    if (candidate.is_pair()) return exercise.combined(problem, slips_of(exercise, candidate));
    return exercise.oracle(problem, exercise.mistakes[candidate.mistake].id, candidate.form);
}

bool are_alike(const Exercise& exercise, const Candidate& a, const Candidate& b) {
    const auto& mistakes = exercise.mistakes;
    if (a.is_pair() != b.is_pair()) return false;
    if (!a.is_pair()) return are_twins(mistakes[a.mistake], mistakes[b.mistake]);
    const auto twins = [&](std::size_t x, std::size_t y) { return are_twins(mistakes[x], mistakes[y]); };
    return (twins(a.mistake, b.mistake) && twins(a.second, b.second)) ||
           (twins(a.mistake, b.second) && twins(a.second, b.mistake));
}

bool are_same(const Truths& a, const Truths& b) { return !differ_somewhere(a, b, sum); }

bool are_twins(const Mistake& a, const Mistake& b) {
    const auto lists = [](const Mistake& one, const Mistake& other) {
        return std::find(one.twins.begin(), one.twins.end(), other.id) != one.twins.end();
    };
    return a.id == b.id || lists(a, b) || lists(b, a);
}

struct Diagnoser::State {
    const Exercise& exercise;
    WrongAnswers wrong;
    std::vector<Candidate> alive;
    std::vector<char> made, numbers; // for each of `alive`: on some failing case; some finite element matched
    std::vector<Candidate> fitting;
    bool failed = false;
    Patterns patterns;

    /// Drops the candidates for which `keep` (given the position in `alive`) is false.
    template <class Keep> void filter(Keep keep) {
        std::size_t to = 0;
        for (std::size_t at = 0; at < alive.size(); ++at) {
            if (!keep(at)) continue;
            alive[to] = alive[at];
            made[to] = made[at];
            numbers[to] = numbers[at];
            ++to;
        }
        alive.resize(to);
        made.resize(to);
        numbers.resize(to);
        fitting.clear();
        for (std::size_t at = 0; failed && at < to; ++at)
            if (made[at] != 0 && numbers[at] != 0) fitting.push_back(alive[at]);
    }
};

Diagnoser::Diagnoser(const Exercise& exercise, WrongAnswers wrong_answers)
    : Diagnoser(exercise, single_candidates(exercise), std::move(wrong_answers)) {}

Diagnoser::Diagnoser(const Exercise& exercise, std::vector<Candidate> candidates, WrongAnswers wrong_answers)
    : state_(new State{exercise, std::move(wrong_answers), std::move(candidates), {}, {}, {}, false, {}}) {
    if (!state_->wrong)
        state_->wrong = [&exercise, last = std::optional<Truths>()](
                            const Problem& problem,
                            const Candidate& candidate) mutable -> const std::optional<Truths>& {
            last = wrong_answer_of(exercise, problem, candidate);
            return last;
        };
    state_->made.assign(state_->alive.size(), 0);
    state_->numbers.assign(state_->alive.size(), 0);
}

Diagnoser::~Diagnoser() = default;

void Diagnoser::add_failing(const Problem& problem, const Outputs& got, const Truths& truth, const Outputs* previous) {
    State& state = *state_;
    state.failed = true;
    const std::vector<Values> values = values_of(got, truth);
    if (values.empty()) {
        state.patterns.add_unreadable();
        state.filter([](std::size_t) { return false; });
        return;
    }
    state.patterns.add(problem, got, truth, previous);
    const Spot spot = first_wrong(values, truth);
    state.filter([&](std::size_t at) {
        const std::optional<Truths>& wrong = state.wrong(problem, state.alive[at]);
        if (!wrong) return true;
        bool finite = false;
        if (!matches(values, *wrong, spot, finite) || !differ_somewhere(*wrong, truth, larger)) return false;
        state.made[at] = 1;
        if (finite) state.numbers[at] = 1;
        return true;
    });
}

void Diagnoser::add_passing(const Problem& problem, const Truths& truth) {
    State& state = *state_;
    state.filter([&](std::size_t at) {
        const std::optional<Truths>& wrong = state.wrong(problem, state.alive[at]);
        return !wrong || !differ_somewhere(*wrong, truth, sum);
    });
}

const std::vector<Candidate>& Diagnoser::fitting() const { return state_->fitting; }

bool Diagnoser::ambiguous() const {
    for (const Candidate& a : state_->fitting)
        for (const Candidate& b : state_->fitting)
            if (!are_alike(state_->exercise, a, b)) return true;
    return false;
}

bool Diagnoser::parts(const Problem& problem) const {
    const State& state = *state_;
    std::vector<std::pair<Candidate, Truths>> answers;
    for (const Candidate& candidate : state.fitting) {
        const std::optional<Truths>& wrong = state.wrong(problem, candidate);
        if (!wrong) continue;
        for (const auto& [other, value] : answers)
            if (!are_alike(state.exercise, candidate, other) && !are_same(*wrong, value)) return true;
        answers.emplace_back(candidate, *wrong);
    }
    return false;
}

void Diagnoser::narrow(const Problem& problem, const Outputs& got) {
    State& state = *state_;
    std::vector<char> out(state.alive.size(), 0);
    bool some = false;
    for (std::size_t at = 0; at < state.alive.size(); ++at) {
        const std::optional<Truths>& wrong = state.wrong(problem, state.alive[at]);
        if (!wrong) continue;
        bool finite = false;
        out[at] = matches(values_of(got, *wrong), *wrong, {}, finite) ? 0 : 1;
        some = some || out[at] == 0;
    }
    if (some) state.filter([&](std::size_t at) { return out[at] == 0; });
}

std::vector<Diagnosis> Diagnoser::result() const {
    std::vector<Diagnosis> diagnoses;
    for (const Candidate& candidate : state_->fitting) {
        const std::vector<Mistake>& mistakes = state_->exercise.mistakes;
        std::string id = mistakes[candidate.mistake].id;
        if (candidate.is_pair()) id += "+" + mistakes[candidate.second].id;
        const auto told = [&](const Diagnosis& one) { return one.mistake == id; };
        if (std::none_of(diagnoses.begin(), diagnoses.end(), told))
            diagnoses.push_back(
                {std::move(id), "your output matches " + joined_sentences(state_->exercise, candidate)});
    }
    std::optional<Diagnosis> pattern = state_->patterns.result();
    // Nothing but zeros may be that mistake, or just as well nobody's attempt yet.
    if (pattern && (diagnoses.empty() || pattern->mistake == "pattern:zero")) diagnoses.push_back(std::move(*pattern));
    return diagnoses;
}

} // namespace assay
