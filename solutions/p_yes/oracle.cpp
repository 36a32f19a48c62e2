// Levels formula, extremes and errors: from a problem to rows, and what is wrong with a question.
#include "contract.hpp"

#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>

namespace assay::p_yes_judge {

namespace {

using ::p_yes::status;

std::vector<std::int64_t> ids_of(const Array& array) {
    std::vector<std::int64_t> ids;
    for (const double id : array.values()) ids.push_back(static_cast<std::int64_t>(id));
    return ids;
}

/// The storage element of logit (b, v).
std::int64_t place_of(const Array& logits, std::int64_t b, std::int64_t v, bool packed) {
    return logits.offset + (packed ? b * logits.extents[1] + v : b * logits.strides[0] + v * logits.strides[1]);
}

/// Of each row.
std::vector<Vocabulary> survey_rows(const Array& logits) {
    std::vector<Vocabulary> surveys;
    for (std::int64_t b = 0; b < logits.extents[0]; ++b)
        surveys.push_back(
            survey(logits.extents[1], [&](std::int64_t v) { return logits.stored(place_of(logits, b, v, false)); }));
    return surveys;
}

/// Every mistake and every two of them ask for the same rows: those of large vocabularies, up to 10 ms, are kept.
std::vector<Vocabulary> surveys_of(const Array& logits) {
    constexpr std::int64_t large = 4096;
    constexpr std::size_t most = 4;
    if (logits.size() < large) return survey_rows(logits);
    thread_local std::vector<std::pair<Array, std::vector<Vocabulary>>> known;
    for (const auto& [array, surveys] : known)
        if (identical(array, logits)) return surveys;
    if (known.size() == most) known.erase(known.begin());
    known.emplace_back(logits, survey_rows(logits));
    return known.back().second;
}

/// The checks of level 3, without the last. `last_wins`: a later fault replaces an earlier one.
status fault_of(std::vector<std::int64_t>& yes, std::vector<std::int64_t>& no, std::int64_t V, const Slips& on) {
    status found = status::ok;
    const auto enter = [&](status fault) {
        if (found == status::ok || on("last-fault-reported")) found = fault;
    };
    if ((yes.empty() || no.empty()) && !on("empty-group-accepted")) enter(status::empty_group);
    bool outside = false;
    for (auto* group : {&yes, &no}) {
        if (on("negative-id-from-the-end"))
            for (std::int64_t& id : *group)
                if (id < 0 && id >= -V) id += V;
        const auto is_outside = [&](std::int64_t id) { return id < 0 || id >= V; };
        if (on("bad-id-skipped")) std::erase_if(*group, is_outside);
        outside = outside || std::any_of(group->begin(), group->end(), is_outside);
    }
    if (outside) enter(status::id_out_of_range);
    const auto in_yes = [&](std::int64_t id) { return std::find(yes.begin(), yes.end(), id) != yes.end(); };
    if (on("shared-id-for-yes")) std::erase_if(no, in_yes);
    if (std::any_of(no.begin(), no.end(), in_yes) && !on("shared-id-accepted")) enter(status::id_in_both);
    return found;
}

void drop_repeats(std::vector<std::int64_t>& ids) {
    std::vector<std::int64_t> kept;
    for (const std::int64_t id : ids)
        if (std::find(kept.begin(), kept.end(), id) == kept.end()) kept.push_back(id);
    ids = std::move(kept);
}

bool is_bad(const std::vector<double>& logits, const Slips& on) {
    const int accepted = on.form("bad-logit-accepted"); // 0 any, 1 +infinity, 2 NaN
    for (const double x : logits) {
        if (std::isnan(x) && accepted != 0 && accepted != 2) return true;
        if (x == infinity && accepted != 0 && accepted != 1) return true;
        if (x == -infinity && on("banned-refused")) return true;
    }
    return false;
}

Truths checked_truths(status state, const Reading& r) {
    Items items;
    items.choice("state", static_cast<std::int64_t>(state),
                 "0 ok, 1 empty_group, 2 id_out_of_range, 3 id_in_both, 4 bad_logit, 5 no_mass");
    items.number("log_yes", r.log_yes.value).number("log_no", r.log_no.value);
    Truths truths = items.number("p", r.p.value).number("mass", r.mass.value).take();
    truths[1].bound = {r.log_yes.bound};
    truths[2].bound = {r.log_no.bound};
    truths[3].bound = {r.p.bound};
    truths[4].bound = {r.mass.bound};
    return truths;
}

constexpr Reading unanswered{{nan, 0}, {nan, 0}, {nan, 0}, {nan, 0}};

} // namespace

Truths score_level(const Problem& problem, const Slips& on) {
    const Array& logits = problem.array("logits");
    const std::vector<std::int64_t> yes = ids_of(problem.array("yes")), no = ids_of(problem.array("no"));
    const std::int64_t B = logits.extents[0], V = logits.extents[1];
    const bool packed = on("strides-ignored") && logits.offset + B * V <= logits.storage_elements();
    const std::vector<Vocabulary> surveys = surveys_of(logits);
    std::vector<double> values[4], bounds[4];
    for (std::int64_t b = 0; b < B; ++b) {
        const auto logit = [&](std::int64_t v) { return logits.stored(place_of(logits, b, v, packed)); };
        std::vector<real> x[2];
        for (const std::int64_t id : yes) x[0].push_back(logit(id));
        for (const std::int64_t id : no) x[1].push_back(logit(id));
        const Vocabulary vocabulary = packed ? survey(V, logit) : surveys[static_cast<std::size_t>(b)];
        const Reading r = read_row(x[0], x[1], vocabulary, V, float32, on);
        const Bounded all[] = {r.log_yes, r.log_no, r.p, r.mass};
        for (std::size_t i = 0; i < 4; ++i) {
            values[i].push_back(all[i].value);
            bounds[i].push_back(all[i].bound);
        }
    }
    Items items;
    const char* const names[] = {"log_yes", "log_no", "p", "mass"};
    for (std::size_t i = 0; i < 4; ++i)
        items.tensor(names[i], {B}, std::move(values[i]), std::move(bounds[i]), Dtype::f32);
    return items.take();
}

Truths checked_level(const Problem& problem, const Slips& on) {
    const std::vector<double> logits = problem.array("logits").values();
    const auto V = static_cast<std::int64_t>(logits.size());
    std::vector<std::int64_t> yes = ids_of(problem.array("yes")), no = ids_of(problem.array("no"));
    status state = fault_of(yes, no, V, on);
    if ((state == status::ok || on("last-fault-reported")) && is_bad(logits, on)) state = status::bad_logit;
    if (state != status::ok) return checked_truths(state, unanswered);
    if (!on("repeated-id-twice")) {
        drop_repeats(yes);
        drop_repeats(no);
    }
    const Vocabulary vocabulary = survey(V, [&](std::int64_t v) { return logits[static_cast<std::size_t>(v)]; });
    std::vector<real> x[2];
    for (const std::int64_t id : yes) x[0].push_back(logits[static_cast<std::size_t>(id)]);
    for (const std::int64_t id : no) x[1].push_back(logits[static_cast<std::size_t>(id)]);
    Reading r = vocabulary.bad ? unanswered // computed on, everything is NaN
                               : read_row(x[0], x[1], vocabulary, V, float64, on);

    const auto banned = [](const std::vector<real>& group) {
        return std::all_of(group.begin(), group.end(), [](real one) { return one == -infinity; });
    };
    const bool underflows = on("no-mass-by-underflow") && r.mass.value < float64.subnormal;
    const bool one_sided = on("one-banned-group-refused") && (banned(x[0]) || banned(x[1]));
    if (!(banned(x[0]) && banned(x[1])) && !underflows && !one_sided) return checked_truths(state, r);
    if (on("no-mass-half")) {
        r.p = {0.5, 0};
        return checked_truths(state, r);
    }
    if (on("no-mass-nan")) return checked_truths(state, r);
    return checked_truths(status::no_mass, unanswered);
}

Truths oracle(const Problem& problem, const Slips& on) {
    if (problem.route == "score" || problem.route == "score_f16") return score_level(problem, on);
    if (problem.route == "checked") return checked_level(problem, on);
    if (problem.route == "label_tokens") return tokens_level(problem, on);
    if (problem.route == "calibrate") return calibrate_level(problem, on);
    return assess_level(problem, on);
}

} // namespace assay::p_yes_judge
