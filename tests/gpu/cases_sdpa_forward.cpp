// Attention forward: every trial by every version and storage.
#include "trials_sdpa.hpp"

namespace assay::gpu {

namespace {

/// out and, of float32, the log-sum-exps, beside the reference.
void judge_rows(Outcome& outcome, const Attention& problem, const Values& out, const std::vector<float>* lse,
                const Arithmetic& in) {
    const kernels::SdpaShape& s = problem.shape;
    std::size_t row = 0;
    for (int b = 0; b < s.batch; ++b)
        for (int h = 0; h < s.q_heads; ++h)
            for (int i = 0; i < s.lq; ++i, ++row) {
                const Query query = query_of(problem, b, h, i, in);
                const std::vector<Bounded> exact = row_of(problem, query, b, h, in);
                for (int c = 0; c < s.dv; ++c) outcome.judge(out(b, h, i, c), exact[static_cast<std::size_t>(c)]);
                if (lse != nullptr) outcome.judge(static_cast<double>((*lse)[row]), log_sum_exp_of(query));
            }
}

Values shape_of_out(const kernels::SdpaShape& s) { return {s.batch, s.q_heads, s.lq, s.dv}; }

/// From storage `As` to results stored as `Out`.
template <class As, class Out>
Outcome forward_16(const SdpaTrial& trial, kernels::Format format, const Arithmetic& in, cudaStream_t stream) {
    const Attention problem = attention_of<As>(trial);
    PlacedAttention<As> placed(problem, trial.lay);
    Placed<Out> out("out", shape_of_out(trial.shape), trial.lay, {});
    kernels::sdpa_forward_16(1, format, placed.given(), out.view(), stream);
    kernels::checked(cudaStreamSynchronize(stream), "sdpa_forward_16");
    Outcome outcome;
    placed.check(outcome);
    judge_rows(outcome, problem, out.read(outcome), nullptr, in);
    return outcome;
}

// Weights meet v in the storage type, and tensor cores cut sums off.
constexpr Arithmetic half_in{2 * u, 0x1p-11, 0x1p-25, 0, 0}, bfloat16_in{2 * u, 0x1p-8, 0, 0, 0};
constexpr Arithmetic half_stored{2 * u, 0x1p-11, 0x1p-25, 0x1p-11, 0x1p-25},
    bfloat16_stored{2 * u, 0x1p-8, 0, 0x1p-8, 0};

} // namespace

Outcome forward_outcome(const SdpaTrial& trial, int version, cudaStream_t stream,
                        const std::function<void(kernels::Sdpa<float>&)>& distort) {
    const Attention problem = attention_of<AsFloat>(trial);
    const kernels::SdpaShape& s = trial.shape;
    PlacedAttention<AsFloat> placed(problem, trial.lay);
    Placed<AsFloat> out("out", shape_of_out(s), trial.lay, {});
    Guarded<float> lse("lse", static_cast<std::size_t>(s.batch * s.q_heads * s.lq));
    kernels::Sdpa<float> given = placed.given();
    if (distort) distort(given);
    kernels::sdpa_forward(version, given, out.view(), lse.data(), stream);
    kernels::checked(cudaStreamSynchronize(stream), "sdpa_forward");
    Outcome outcome;
    placed.check(outcome);
    const std::vector<float> logs = lse.read(outcome);
    outcome.digest_of(logs);
    judge_rows(outcome, problem, out.read(outcome), &logs, {});
    return outcome;
}

std::vector<Case> sdpa_forward_cases() {
    std::vector<Case> cases;
    for (const SdpaTrial& trial : sdpa_trials())
        for (const int version : {1, 2})
            cases.push_back(
                {"sdpa_forward " + std::to_string(version) + ": " + trial.name, true,
                 [&trial, version](cudaStream_t stream) { return forward_outcome(trial, version, stream); }});
    return cases;
}

std::vector<Case> sdpa_forward_16_cases() {
    std::vector<Case> cases;
    for (const SdpaTrial& trial : sdpa_trials()) {
        if (trial.content == Content::hidden) continue; // a product with 0 keeps NaN: the kernel says so
        const auto add = [&](const char* how, auto run) {
            cases.push_back({"sdpa_forward_16 1, " + std::string(how) + ": " + trial.name, true, run});
        };
        add("half", [&trial](cudaStream_t stream) {
            return forward_16<AsHalf, AsFloat>(trial, kernels::Format::half, half_in, stream);
        });
        add("bfloat16", [&trial](cudaStream_t stream) {
            return forward_16<AsBfloat16, AsFloat>(trial, kernels::Format::bfloat16, bfloat16_in, stream);
        });
        add("half, stored", [&trial](cudaStream_t stream) {
            return forward_16<AsHalf, AsHalf>(trial, kernels::Format::half, half_stored, stream);
        });
        add("bfloat16, stored", [&trial](cudaStream_t stream) {
            return forward_16<AsBfloat16, AsBfloat16>(trial, kernels::Format::bfloat16, bfloat16_stored, stream);
        });
    }
    return cases;
}

} // namespace assay::gpu
