// The share of two labels, beside float64.
//
// Bounds are those of solutions/p_yes (first order, worst case): with L a label's raw log-sum, m the row's largest
// logit, lse = m + ln S, l = L - lse and n ids,
//   l: u (4|l| + 2(|L - m| + |L| + |lse| + ln S) + n + 2 ln n + N + 2 ln V + 16)
//   p: p (1 - p) expm1(u (4(|l_y| + |l_n|) + 2(|L_y - m| + |L_n - m| + |L_y| + |L_n|) + n + 16 + 2 ln V)) + 4 u p +
//   2^-126
// where N, V additions there, are here four roundings (exp, product, sum) for each of the V / 256 + 16 steps that a
// thread and the tree above it take.
#include "guarded.hpp"

namespace assay::gpu {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

enum class Banned { nothing, third, yes, whole_part };

struct Trial {
    const char* name;
    int rows, vocabulary, yes, no;
    double size = 8; // of the logits
    Banned banned = Banned::nothing;
};
constexpr Trial trials[] = {
    {"two tokens", 3, 2, 1, 1},
    {"five tokens", 3, 5, 2, 3},
    {"one part to the last token", 2, 8192, 3, 4},
    {"one token more than a part", 2, 8193, 3, 4},
    {"50257 tokens", 2, 50257, 5, 6},
    {"262144 tokens", 2, 262144, 7, 9},
    {"labels of hundreds of ids", 2, 9000, 300, 700},
    {"logits of 1e4", 5, 3000, 3, 4, 1e4},
    {"banned tokens", 5, 3000, 6, 6, 8, Banned::third},
    {"yes is banned", 3, 3000, 3, 4, 8, Banned::yes},
    {"a part without any token", 2, 20000, 3, 4, 8, Banned::whole_part},
};

struct LogSum {
    double most = never, sum = 0;
    void add(double x) {
        if (x == never) return;
        if (x > most) sum = most == never ? 0 : sum * std::exp(most - x), most = x;
        sum += std::exp(x - most);
    }
    double log() const { return sum > 0 ? most + std::log(sum) : never; }
};

struct Label {
    std::vector<std::int32_t> ids;
    double raw = never, log = never, bound = 0; // L, l, and how far l may be off
};

void judge_row(Outcome& outcome, const float* row, int vocabulary, Label yes, Label no, const float got[4]) {
    const auto V = static_cast<double>(vocabulary);
    LogSum all;
    for (int t = 0; t < vocabulary; ++t) all.add(static_cast<double>(row[t]));
    const double lse = all.log();
    for (Label* label : {&yes, &no}) {
        LogSum sum;
        for (const std::int32_t id : label->ids) sum.add(static_cast<double>(row[id]));
        label->raw = sum.log();
        label->log = label->raw - lse;
        const auto n = static_cast<double>(label->ids.size());
        if (label->raw != never)
            label->bound =
                u *
                (4 * std::fabs(label->log) +
                 2 * (std::fabs(label->raw - all.most) + std::fabs(label->raw) + std::fabs(lse) + std::log(all.sum)) +
                 n + 2 * std::log(n) + 4 * (V / 256 + 16) + 2 * std::log(V) + 16);
    }
    outcome.judge(static_cast<double>(got[0]), {yes.log, yes.bound});
    outcome.judge(static_cast<double>(got[1]), {no.log, no.bound});

    Bounded p{yes.raw == never ? 0.0 : 1.0, 0};
    if (yes.raw != never && no.raw != never) {
        const double z = yes.raw - no.raw, rest = 1 / (1 + std::exp(z)); // 1 - p, also where it is small
        const double off = u * (4 * (std::fabs(yes.log) + std::fabs(no.log)) +
                                2 * (std::fabs(yes.raw - all.most) + std::fabs(no.raw - all.most) + std::fabs(yes.raw) +
                                     std::fabs(no.raw)) +
                                static_cast<double>(yes.ids.size() + no.ids.size()) + 16 + 2 * std::log(V));
        p.value = 1 / (1 + std::exp(-z));
        p.bound = p.value * rest * std::expm1(off) + 4 * u * p.value + 0x1p-126;
    }
    outcome.judge(static_cast<double>(got[2]), p);

    const double mass = std::exp(yes.log) + std::exp(no.log);
    const double off = std::exp(yes.log) * std::expm1(yes.bound) + std::exp(no.log) * std::expm1(no.bound);
    outcome.judge(static_cast<double>(got[3]),
                  {mass, off + u * (6 + (mass > 0 ? std::fabs(std::log(mass)) : 0)) * mass + 2 * 0x1p-126});
}

std::vector<float> logits_of(const Trial& trial, const std::vector<std::int32_t>& yes) {
    const auto V = static_cast<std::size_t>(trial.vocabulary);
    std::vector<float> logits = Numbers(V).numbers(static_cast<std::size_t>(trial.rows) * V, trial.size);
    constexpr float banned = -std::numeric_limits<float>::infinity();
    for (std::size_t e = 0; e < logits.size(); ++e) {
        if (trial.banned == Banned::third && e % 3 == 0) logits[e] = banned;
        if (trial.banned == Banned::whole_part && e % V < 8192) logits[e] = banned;
    }
    for (std::size_t first = 0; trial.banned == Banned::yes && first < logits.size(); first += V)
        for (const std::int32_t id : yes) logits[first + static_cast<std::size_t>(id)] = banned;
    return logits;
}

Outcome run(const Trial& trial, int version, cudaStream_t stream) {
    Label yes, no;
    for (int n = 0; n < trial.yes + trial.no; ++n) { // spread over the vocabulary, the last token among them
        const int id = trial.vocabulary - 1 - n * (trial.vocabulary / (trial.yes + trial.no));
        (n % 2 == 0 && static_cast<int>(yes.ids.size()) < trial.yes ? yes
         : static_cast<int>(no.ids.size()) < trial.no               ? no
                                                                    : yes)
            .ids.push_back(id);
    }
    const std::vector<float> logits = logits_of(trial, yes.ids);
    const auto rows = static_cast<std::size_t>(trial.rows);
    Guarded<float> in("logits", logits), log_yes("log_yes", rows), log_no("log_no", rows), p("p", rows),
        mass("mass", rows), room("room", kernels::p_yes_room(trial.rows, trial.vocabulary));
    Guarded<std::int32_t> yes_ids("yes", yes.ids), no_ids("no", no.ids);
    kernels::p_yes(version, in.data(), trial.rows, trial.vocabulary, {yes_ids.data(), trial.yes},
                   {no_ids.data(), trial.no}, {log_yes.data(), log_no.data(), p.data(), mass.data()}, room.data(),
                   stream);
    kernels::checked(cudaStreamSynchronize(stream), "p_yes");
    Outcome outcome;
    in.read(outcome);
    room.read(outcome);
    yes_ids.read(outcome);
    no_ids.read(outcome);
    std::vector<std::vector<float>> got;
    for (const Guarded<float>* output : {&log_yes, &log_no, &p, &mass}) {
        got.push_back(output->read(outcome));
        outcome.digest_of(got.back());
    }
    for (std::size_t r = 0; r < rows; ++r) {
        const float row[] = {got[0][r], got[1][r], got[2][r], got[3][r]};
        judge_row(outcome, logits.data() + r * static_cast<std::size_t>(trial.vocabulary), trial.vocabulary, yes, no,
                  row);
    }
    return outcome;
}

} // namespace

std::vector<Case> p_yes_cases() {
    std::vector<Case> cases;
    for (const Trial& trial : trials)
        for (const int version : {1, 2})
            cases.push_back({"p_yes " + std::to_string(version) + ": " + trial.name, true,
                             [&trial, version](cudaStream_t stream) { return run(trial, version, stream); }});
    return cases;
}

} // namespace assay::gpu
