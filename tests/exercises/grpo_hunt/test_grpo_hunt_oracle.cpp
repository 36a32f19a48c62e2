// The oracle held against others: its gradient against central differences of its own loss, and everything from the
// log-probs on against the exercise `grpo`, whose oracle was written apart from it, in long double.
#include "../../../solutions/grpo/oracle_core.hpp"
#include "exercises/grpo_hunt/grpo_hunt.hpp"

#include <cmath>

using namespace assay;
using namespace assay::grpo_hunt_test;

namespace {

grpo_judge::Tokens tokens_of(const Inputs& in, const Stages& out) {
    grpo_judge::Tokens tokens;
    tokens.N = in.N;
    tokens.T = in.T;
    for (const Bounded& one : out.log_probs) tokens.lp_new.push_back(one.value);
    for (const Bounded& one : out.advantage) tokens.advantage.push_back(one.value);
    tokens.lp_old = in.lp_old;
    tokens.lp_ref = in.lp_ref;
    tokens.mask = in.mask;
    return tokens;
}

bool near(double a, double b, double bound) { return std::fabs(a - b) <= bound; }

} // namespace

TEST_CASE("grpo_hunt: the analytic gradient is the slope of the loss, by central differences") {
    int problems = 0, moved = 0;
    for (std::uint64_t seed = 0; problems < 60; ++seed) {
        const Problem problem = exercise().random(seed);
        if (problem.route != "gradient") continue;
        ++problems;
        const Inputs in = read_inputs(problem);
        const Stages out = run_right(in);
        // On-policy lp_old is a copy of lp that stays where it is.
        Inputs frozen = in;
        if (!in.off_policy) {
            frozen.off_policy = true;
            frozen.lp_old.clear();
            for (const Bounded& one : out.log_probs) frozen.lp_old.push_back(one.value);
        }
        for (std::size_t i = 0; i < in.logits.size(); ++i) {
            constexpr double h = 1e-5; // far from the edges, which are 1e-3 away
            Inputs up = frozen, down = frozen;
            up.logits[i] += h;
            down.logits[i] -= h;
            const double slope = (run_right(up).loss.value - run_right(down).loss.value) / (2 * h);
            INFO("seed " << seed << ", logit " << i << ": " << out.logits_grad[i].value << ", by differences "
                         << slope);
            CHECK(near(out.logits_grad[i].value, slope, 1e-6 * (1 + std::fabs(slope))));
            moved += slope != 0 ? 1 : 0;
        }
    }
    CHECK(moved > 500);
}

TEST_CASE("grpo_hunt: advantages, terms, loss and slopes are those of the exercise grpo") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Inputs in = read_inputs(exercise().random(seed));
        const Stages out = run_right(in);
        INFO("seed " << seed);
        const auto group = static_cast<std::int64_t>(in.group_size);
        const grpo_judge::Bounded advantages =
            grpo_judge::advantages(in.rewards, {group, static_cast<std::int64_t>(in.ddof), in.eps, in.scale});
        for (std::size_t n = 0; n < in.N; ++n)
            CHECK(near(out.advantage[n].value, advantages.value[n], out.advantage[n].bound + advantages.bound[n]));

        const grpo_judge::LossRule rule{in.clip_low,
                                        in.clip_high,
                                        in.limit,
                                        in.beta,
                                        static_cast<grpo_judge::Aggregation>(in.how),
                                        static_cast<std::int64_t>(in.longest)};
        const grpo_judge::LossAnswer other = grpo_judge::loss(tokens_of(in, out), rule);
        CHECK(near(out.loss.value, other.loss, out.loss.bound + other.loss_bound));
        for (std::size_t at = 0; at < in.N * in.T; ++at) {
            CHECK(near(out.terms[at].value, other.terms.value[at], out.terms[at].bound + other.terms.bound[at]));
            if (at % in.T == 0) continue;
            // d loss / d logit of id v = d loss / d lp (1[v is the token] - p_v) / temperature, and the p_v sum to 1.
            const std::size_t row = (at - 1) * in.V;
            for (std::size_t v = 0; v < in.V; ++v) {
                double total = 0;
                for (std::size_t w = 0; w < in.V; ++w)
                    total += std::exp((in.logits[row + w] - in.logits[row + v]) / in.temperature);
                const double expected =
                    other.gradient.value[at] * ((v == in.tokens[at] ? 1 : 0) - 1 / total) / in.temperature;
                CHECK(near(out.logits_grad[row + v].value, expected,
                           out.logits_grad[row + v].bound + 1e-14 * std::fabs(expected) +
                               other.gradient.bound[at] / in.temperature));
            }
        }
    }
}

TEST_CASE("grpo_hunt: log-probs are those of a softmax in long double, far from 0 too") {
    for (const double offset : {0.0, -1000.0, 1000.0, 9000.0})
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Inputs in = read_inputs(exercise().random(seed));
            for (double& logit : in.logits) logit += offset;
            const Stages out = run_right(in);
            for (std::size_t at = 0; at < in.N * in.T; ++at) {
                if (at % in.T == 0) {
                    CHECK(out.log_probs[at].value == 0);
                    continue;
                }
                const std::size_t row = (at - 1) * in.V;
                long double total = 0;
                for (std::size_t v = 0; v < in.V; ++v)
                    total += std::exp((static_cast<long double>(in.logits[row + v]) - in.logits[row + in.tokens[at]]) /
                                      static_cast<long double>(in.temperature));
                CHECK(near(out.log_probs[at].value, static_cast<double>(-std::log(total)), out.log_probs[at].bound));
            }
        }
}
