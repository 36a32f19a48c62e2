// Attention backward: every trial by every version. The log-sum-exps are those of the forward kernel.
#include "trials_sdpa.hpp"

namespace assay::gpu {

namespace {

/// The gradient of the output. Rows that may attend nothing have NaN: whatever it is, it counts for nothing.
Values dout_of(const Attention& problem) {
    const kernels::SdpaShape& s = problem.shape;
    Values dout(s.batch, s.q_heads, s.lq, s.dv);
    Numbers numbers(7);
    for (int b = 0; b < s.batch; ++b)
        for (int h = 0; h < s.q_heads; ++h)
            for (int i = 0; i < s.lq; ++i) {
                bool any = false;
                for (int j = 0; j < s.lk; ++j) any = any || problem.allowed(b, h, i, j);
                for (int c = 0; c < s.dv; ++c)
                    dout(b, h, i, c) = any ? static_cast<double>(numbers.number()) : std::nan("");
            }
    return dout;
}

void judge_all(Outcome& outcome, const Values& got, const Gradient& exact) {
    for (std::size_t e = 0; e < got.all.size(); ++e)
        outcome.judge(got.all[e], {exact.value.all[e], exact.bound.all[e]});
}

Outcome backward(const SdpaTrial& trial, int version, cudaStream_t stream) {
    const Attention problem = attention_of<AsFloat>(trial);
    const kernels::SdpaShape& s = trial.shape;
    const auto rows = static_cast<std::size_t>(s.batch * s.q_heads * s.lq);
    const Values dout = dout_of(problem);
    PlacedAttention<AsFloat> placed(problem, trial.lay);
    Placed<AsFloat> given("dout", dout, trial.lay), out("out", dout, Lay::contiguous, {});
    Placed<AsFloat> dq("dq", problem.q, trial.lay, {}), dk("dk", problem.k, trial.lay, {}),
        dv("dv", problem.v, trial.lay, {});
    Guarded<float> lse("lse", rows), delta("delta", rows);
    kernels::sdpa_forward(2, placed.given(), out.view(), lse.data(), stream);
    kernels::sdpa_backward(version, placed.given(), given.input(), lse.data(), delta.data(), dq.view(), dk.view(),
                           dv.view(), stream);
    kernels::checked(cudaStreamSynchronize(stream), "sdpa_backward");
    Outcome outcome;
    placed.check(outcome);
    given.check(outcome);
    lse.read(outcome);
    delta.read(outcome);
    const Gradients exact = gradients_of(problem, dout);
    judge_all(outcome, dq.read(outcome), exact.dq);
    judge_all(outcome, dk.read(outcome), exact.dk);
    judge_all(outcome, dv.read(outcome), exact.dv);
    return outcome;
}

} // namespace

std::vector<Case> sdpa_backward_cases() {
    std::vector<Case> cases;
    for (const SdpaTrial& trial : sdpa_trials())
        for (const int version : {1, 2})
            cases.push_back({"sdpa_backward " + std::to_string(version) + ": " + trial.name, version == 1,
                             [&trial, version](cudaStream_t stream) { return backward(trial, version, stream); }});
    return cases;
}

} // namespace assay::gpu
