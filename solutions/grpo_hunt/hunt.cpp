// The hunt `grpo`: its bugs, and the model that runs any of them.
#include "contract.hpp"

#include "core/tape.hpp"
#include "hunt/hunt.hpp"
#include "hunt_model.hpp"
#include "oracle.hpp"
#include "oracle_mistakes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace hunted {
void choose_grpo_hunt(const int* choices);
namespace grpo_hunt {
using namespace ::grpo_hunt;
Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms);
} // namespace grpo_hunt
} // namespace hunted

namespace assay::grpo_hunt_judge {

namespace {

template <std::size_t Rank, class T> tensor<T, Rank> view(T* data, const std::array<std::ptrdiff_t, Rank>& extents) {
    std::array<std::ptrdiff_t, Rank> strides{};
    std::ptrdiff_t stride = 1;
    for (std::size_t axis = Rank; axis-- > 0;) {
        strides[axis] = stride;
        stride *= extents[axis];
    }
    return tensor<T, Rank>(data, extents.data(), strides.data());
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values)
        if (std::isfinite(value)) most = std::max(most, std::fabs(value));
    return most;
}

/// The least number, but 0, that an advantage may have been divided by, rightly or not.
double least_divisor(const Inputs& in) {
    double least = 1;
    const auto take = [&](std::size_t first, std::size_t count, std::size_t step) {
        double mean = 0, squares = 0;
        for (std::size_t i = 0; i < count; ++i) mean += in.rewards[first + i * step] / static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i) squares += std::pow(in.rewards[first + i * step] - mean, 2);
        const double variance = squares / static_cast<double>(count);
        if (variance > 1e-12) least = std::min({least, std::sqrt(variance) + in.eps, variance + in.eps});
    };
    const std::size_t groups = in.N / in.group_size;
    for (std::size_t g = 0; g < groups; ++g) {
        take(g * in.group_size, in.group_size, 1);
        take(g, in.group_size, groups);
    }
    return least;
}

struct Run {
    std::vector<double> log_probs, advantage, terms, gradient;
    double loss = 0;
};

Run run(const Inputs& in) {
    static thread_local Tape tape; // keeps its memory from run to run
    tape.clear();
    std::vector<Var> leaves;
    for (const double logit : in.logits) leaves.push_back(tape.leaf(logit));
    const std::vector<std::int64_t> tokens(in.tokens.begin(), in.tokens.end());
    const std::unique_ptr<bool[]> mask(new bool[in.mask.size() + 1]());
    std::copy(in.mask.begin(), in.mask.end(), mask.get());
    const auto N = static_cast<std::ptrdiff_t>(in.N), T = static_cast<std::ptrdiff_t>(in.T),
               V = static_cast<std::ptrdiff_t>(in.V);
    const auto log_probs = [&](bool there, const std::vector<double>& values) {
        return there ? optional(view<2>(values.data(), {N, T})) : optional<tensor<const double, 2>>();
    };
    const ::grpo_hunt::loss_rule rule{static_cast<std::int64_t>(in.group_size),
                                      static_cast<std::int64_t>(in.ddof),
                                      in.eps,
                                      in.scale,
                                      in.temperature,
                                      in.clip_low,
                                      in.clip_high,
                                      in.limit,
                                      in.beta,
                                      static_cast<::grpo_hunt::aggregation>(in.how),
                                      static_cast<std::int64_t>(in.longest)};
    Run out;
    out.log_probs.assign(in.N * in.T, 0);
    out.terms = out.log_probs;
    out.advantage.assign(in.N, 0);
    const Var loss = hunted::grpo_hunt::loss(
        view<3>(static_cast<const Var*>(leaves.data()), {N, T, V}), view<2>(tokens.data(), {N, T}),
        view<2>(static_cast<const bool*>(mask.get()), {N, T}), log_probs(in.off_policy, in.lp_old),
        log_probs(in.has_ref, in.lp_ref), view<1>(in.rewards.data(), {N}), rule, view<2>(out.log_probs.data(), {N, T}),
        view<1>(out.advantage.data(), {N}), view<2>(out.terms.data(), {N, T}));
    tape.run_backward(loss);
    out.loss = loss.value();
    for (const Var& leaf : leaves) out.gradient.push_back(tape.gradient(leaf));
    return out;
}

} // namespace

Truths run_chosen(const Problem& problem) {
    const Inputs in = read_inputs(problem);
    const Run made = run(in);
    // One bound for all that follows from advantages, and two smaller ones before: u, times the steps that a sum may
    // have, times the largest number there is, times what divisors make of it. Measured: variants and decoys of one
    // behaviour lie within 1e-4 of it, any two behaviours at least 5e8 of it apart (the tests ask for 1e-2 and 1e6).
    constexpr double u = 0x1p-53;
    const double size = static_cast<double>(in.V + in.N * in.T + in.group_size) + 16;
    const double logits = largest(in.logits) * std::max(in.temperature, 1 / in.temperature) + 1;
    const double others = largest(in.lp_old) + largest(in.lp_ref);
    const double rewards = (1 + largest(in.rewards)) * (1 + largest(made.advantage)) / least_divisor(in);
    const double rest = 1 + std::max({largest(made.terms), largest(made.gradient), largest({made.loss})});
    const double of_log_probs = 4 * u * size * logits, of_advantages = 4 * u * size * rewards;
    const double of_rest = 4 * u * size * (logits + others) * rewards * rest * std::max(1.0, 1 / in.temperature);
    Truths truths;
    for (const std::string& name : outputs_of(problem.route)) {
        Truth truth;
        truth.name = name;
        truth.dtype = Dtype::f64;
        if (name != "loss") truth.extents = problem.array(name).extents;
        truth.value = name == "log_probs"   ? made.log_probs
                      : name == "advantage" ? made.advantage
                      : name == "terms"     ? made.terms
                      : name == "loss"      ? std::vector<double>{made.loss}
                                            : made.gradient;
        truth.bound.assign(truth.value.size(), name == "log_probs"   ? of_log_probs
                                               : name == "advantage" ? of_advantages
                                                                     : of_rest);
        truths.push_back(std::move(truth));
    }
    return truths;
}

Truths run_with(std::string_view bug, const Problem& problem) {
    static const Outcome<Template> whole = template_of(*find_hunt("grpo"), "cpp");
    if (!whole) throw std::logic_error(whole.failure().reason);
    std::vector<int> choices(whole->slots.size(), 0);
    for (std::size_t slot = 0; slot < choices.size(); ++slot)
        choices[slot] = std::max(0, whole->slots[slot].position(bug));
    hunted::choose_grpo_hunt(choices.data());
    return run_chosen(problem);
}

} // namespace assay::grpo_hunt_judge

namespace assay {

ASSAY_HUNT(grpo) {
    Hunt hunt;
    hunt.exercise = "grpo_hunt";
    hunt.title = "GRPO, from logits to the loss";
    hunt.levels = {"log-probs", "advantages", "ratio", "masking", "kl", "gradient"};
    for (const grpo_hunt_judge::KnownBug& bug : grpo_hunt_judge::known_bugs())
        hunt.bugs.push_back({bug.id, bug.sentence, {bug.probe}});
    hunt.choose = &hunted::choose_grpo_hunt;
    hunt.run = grpo_hunt_judge::run_chosen;
    return hunt;
}

} // namespace assay
