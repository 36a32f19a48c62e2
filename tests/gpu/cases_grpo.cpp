// GRPO's terms and loss, beside float64.
//
// Bounds (first order, worst case). A difference of log-probabilities x is rounded once, and exp adds at most 4 u (CUDA
// promises 1 ulp of expf and expm1f): the ratio is off by expm1(u (|x| + 4)) of itself. The objective is monotone in
// the ratio, so that its values at both ends of that interval tell how far it may be off; its product, and the edges of
// the clip, are rounded. k3 = expm1(d) - d: u |d| in d times its slope expm1(d), 2 u in expm1, one for the difference.
#include "guarded.hpp"

namespace assay::gpu {

namespace {

using kernels::Aggregation;

struct Trial {
    const char* name;
    int sequences, tokens;
    double spread; // of the log-ratios
    bool old = true, reference = false;
    Aggregation how = Aggregation::sequence_mean;
    double holes = 0.3; // share of masked positions; they hold NaN
    bool empty_sequences = false;
};
constexpr Trial trials[] = {
    {"one token", 1, 1, 1, true, true, Aggregation::sequence_mean, 0},
    {"sequence mean", 6, 33, 1},
    {"token mean", 6, 33, 1, true, true, Aggregation::token_mean},
    {"constant", 6, 33, 1, true, true, Aggregation::constant},
    {"first step: no old log-probabilities", 4, 50, 1, false, true},
    {"hardly any difference from the reference", 4, 50, 1e-4, true, true},
    {"differences beyond the limit", 8, 40, 60, true, true},
    {"sequences without tokens", 9, 20, 1, true, true, Aggregation::sequence_mean, 0.5, true},
    {"token mean without any token", 3, 20, 1, true, true, Aggregation::token_mean, 1},
    {"long sequences", 3, 1500, 1, true, true, Aggregation::token_mean},
    {"more sequences than threads", 300, 7, 1, true, true},
};

struct Data {
    std::vector<float> fresh, old, reference, advantage;
    std::vector<unsigned char> mask;

    explicit Data(const Trial& trial) {
        Numbers numbers(static_cast<std::uint64_t>(trial.tokens));
        constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
        for (int n = 0; n < trial.sequences; ++n) {
            advantage.push_back(numbers.number(2));
            for (int t = 0; t < trial.tokens; ++t) {
                const bool counts = !(trial.empty_sequences && n % 3 == 1) && (numbers.next() + 1) / 2 >= trial.holes;
                const double lp = 6 * (numbers.next() - 1); // at most 0
                mask.push_back(counts ? 1 : 0);
                fresh.push_back(counts ? static_cast<float>(lp) : nothing);
                old.push_back(counts ? static_cast<float>(std::min(0.0, lp + numbers.number(trial.spread))) : nothing);
                reference.push_back(counts ? static_cast<float>(std::min(0.0, lp + numbers.number(trial.spread)))
                                           : nothing);
            }
        }
    }
};

double clamped(double x, double low, double high) { return std::min(std::max(x, low), high); }

Bounded term_of(const Data& data, const Trial& trial, const kernels::GrpoRule& rule, std::size_t at, double advantage) {
    const auto limit = static_cast<double>(rule.log_ratio_limit), low = 1 - static_cast<double>(rule.clip_low),
               high = 1 + static_cast<double>(rule.clip_high), beta = static_cast<double>(rule.beta);
    const auto lp = static_cast<double>(data.fresh[at]);
    const auto objective = [&](double ratio) {
        return std::min(ratio * advantage, clamped(ratio, low, high) * advantage);
    };
    const double x = trial.old ? clamped(lp - static_cast<double>(data.old[at]), -limit, limit) : 0;
    const double ratio = std::exp(x), off = trial.old ? std::expm1(u * (std::fabs(x) + 4)) : 0;
    Bounded term{objective(ratio), 0};
    term.bound = std::max(std::fabs(objective(ratio * (1 + off)) - term.value),
                          std::fabs(objective(ratio * (1 - off)) - term.value)) +
                 2 * u * std::fabs(term.value) + u * std::fabs(advantage) * high;
    if (trial.reference && beta != 0) {
        const double d = clamped(static_cast<double>(data.reference[at]) - lp, -limit, limit);
        const double slope = std::expm1(d), k3 = slope - d;
        term.value -= beta * k3;
        term.bound += beta * (std::fabs(slope) * u * (std::fabs(d) + 2) + 2 * u * k3) + u * std::fabs(term.value);
    }
    return term;
}

Outcome run(const Trial& trial, int version, cudaStream_t stream) {
    const Data data(trial);
    kernels::GrpoRule rule;
    rule.clip_low = 0.2f, rule.clip_high = 0.28f, rule.log_ratio_limit = 20.0f, rule.how = trial.how, rule.longest = 40;
    rule.beta = trial.reference ? 0.1f : 0.0f;
    Guarded<float> fresh("lp_new", data.fresh), old("lp_old", data.old), reference("lp_ref", data.reference),
        advantage("advantage", data.advantage), terms("terms", data.fresh.size()), loss("loss", 1),
        room("room", 2 * data.advantage.size());
    Guarded<unsigned char> mask("mask", data.mask);
    kernels::GrpoInputs inputs;
    inputs.lp_new = fresh.data(), inputs.lp_old = trial.old ? old.data() : nullptr;
    inputs.lp_ref = trial.reference ? reference.data() : nullptr, inputs.advantage = advantage.data();
    inputs.mask = reinterpret_cast<const bool*>(mask.data());
    inputs.sequences = trial.sequences, inputs.tokens = trial.tokens;
    kernels::grpo_loss(version, inputs, rule, terms.data(), loss.data(), room.data(), stream);
    kernels::checked(cudaStreamSynchronize(stream), "grpo_loss");
    Outcome outcome;
    for (const Guarded<float>* input : {&fresh, &old, &reference, &advantage, &room}) input->read(outcome);
    mask.read(outcome);
    const std::vector<float> got = terms.read(outcome), got_loss = loss.read(outcome);
    outcome.digest_of(got);
    outcome.digest_of(got_loss);

    double all_tokens = 0;
    for (const unsigned char one : data.mask) all_tokens += one;
    const double N = trial.sequences, T = trial.tokens;
    double sum = 0, lost = 0, size = 0;
    for (std::size_t n = 0; n < data.advantage.size(); ++n) {
        const std::size_t first = n * static_cast<std::size_t>(trial.tokens);
        double length = 0;
        for (std::size_t t = 0; t < static_cast<std::size_t>(trial.tokens); ++t) length += data.mask[first + t];
        const double weight = trial.how == Aggregation::sequence_mean ? 1 / (length * N)
                              : trial.how == Aggregation::token_mean  ? 1 / all_tokens
                                                                      : 1 / (N * rule.longest);
        for (std::size_t at = first; at < first + static_cast<std::size_t>(trial.tokens); ++at) {
            Bounded term; // exactly 0 where the mask is false
            if (data.mask[at] != 0) {
                term = term_of(data, trial, rule, at, static_cast<double>(data.advantage[n]));
                sum += weight * term.value;
                lost += weight * term.bound;
                size += weight * std::fabs(term.value);
            }
            outcome.judge(static_cast<double>(got[at]), term);
        }
    }
    outcome.judge(static_cast<double>(got_loss[0]), {-sum, lost + u * (T + N + 8) * size});
    return outcome;
}

} // namespace

std::vector<Case> grpo_cases() {
    std::vector<Case> cases;
    for (const Trial& trial : trials)
        for (const int version : {1, 2})
            cases.push_back({"grpo_loss " + std::to_string(version) + ": " + trial.name, true,
                             [&trial, version](cudaStream_t stream) { return run(trial, version, stream); }});
    return cases;
}

} // namespace assay::gpu
