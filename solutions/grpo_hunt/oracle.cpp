// The truth, by formulas: the derivative of each token's objective by its log-probability is written down, not
// recorded. Bounds are first order: u for each rounding on the way, multiplied by what the rest of the way makes of it.
#include "oracle.hpp"

#include <algorithm>
#include <cmath>

namespace assay::grpo_hunt_judge {

namespace {

constexpr double u = 0x1p-53;

/// The softmax of logits / temperature at the row before a token, and the token's log-probability.
struct Prediction {
    std::vector<Bounded> p;
    Bounded log_prob;
};

Prediction predict(const Inputs& in, std::size_t n, std::size_t t) {
    const std::size_t row = (n * in.T + t - 1) * in.V;
    std::vector<double> x;
    for (std::size_t v = 0; v < in.V; ++v) x.push_back(in.logits[row + v] / in.temperature);
    const double top = *std::max_element(x.begin(), x.end());
    double total = 0;
    for (const double one : x) total += std::exp(one - top);
    const double log_total = std::log(total), width = static_cast<double>(in.V);
    Prediction made;
    // x and top are rounded, and so is their difference; a library's exp errs by at most two units.
    const auto lost = [&](double one) { return u * (2 * std::fabs(one) + 2 * std::fabs(top) + (top - one) + 4); };
    double mean_lost = u * width;
    for (const double one : x) {
        made.p.push_back({std::exp(one - top) / total, 0});
        mean_lost += made.p.back().value * lost(one);
    }
    for (std::size_t v = 0; v < in.V; ++v)
        made.p[v].bound = made.p[v].value * (lost(x[v]) + mean_lost + 2 * u) + 0x1p-1000;
    const double own = x[in.tokens[in.at(n, t)]];
    made.log_prob.value = (own - top) - log_total;
    made.log_prob.bound =
        mean_lost + u * (3 * std::fabs(own) + 4 * std::fabs(top) + 3 * log_total + 2 * std::fabs(made.log_prob.value));
    return made;
}

std::vector<Bounded> group_advantages(const Inputs& in) {
    std::vector<Bounded> advantage(in.N);
    const auto size = static_cast<double>(in.group_size);
    for (std::size_t first = 0; first < in.N; first += in.group_size) {
        const double* r = in.rewards.data() + first;
        double low = r[0], high = r[0], largest = 0, sum = 0, squares = 0;
        for (std::size_t i = 0; i < in.group_size; ++i) {
            low = std::min(low, r[i]);
            high = std::max(high, r[i]);
            largest = std::max(largest, std::fabs(r[i]));
            sum += r[i] - r[0]; // rewards less the first: a mean that loses nothing where they lie close together
        }
        const double mean = sum / size, lost = u * (size + 4) * largest;
        for (std::size_t i = 0; i < in.group_size; ++i) squares += (r[i] - r[0] - mean) * (r[i] - r[0] - mean);
        for (std::size_t i = 0; i < in.group_size; ++i) {
            Bounded& a = advantage[first + i];
            if (low == high) { // exactly 0, or what a mean that is rounded leaves where nothing amplifies it
                a.bound = !in.scale ? lost : in.eps > 0 ? lost / in.eps : 0;
                continue;
            }
            a.value = r[i] - r[0] - mean;
            a.bound = lost + u * std::fabs(a.value);
            if (!in.scale) continue;
            const double deviation = std::sqrt(squares / (size - in.ddof)), divisor = deviation + in.eps;
            // Admits the mean of squares less the square of the mean.
            const double wide = 2 * lost + u * (size + 4) * (deviation + largest * largest / deviation);
            a.value /= divisor;
            a.bound = (a.bound + std::fabs(a.value) * wide) / divisor + 4 * u * std::fabs(a.value);
        }
    }
    return advantage;
}

/// What one token adds to the objective, and the derivative of that by its log-probability.
struct Token {
    Bounded term, slope;
    double size = 0; // of its parts together
};

Token judge_token(const Inputs& in, std::size_t at, const Bounded& lp, const Bounded& a) {
    double log_ratio = 0, lost = 2 * u;
    if (in.off_policy) {
        const double difference = lp.value - in.lp_old[at];
        log_ratio = std::clamp(difference, -in.limit, in.limit);
        lost = lp.bound + u * (std::fabs(lp.value) + std::fabs(in.lp_old[at]) + std::fabs(difference) + 4);
        if (log_ratio != difference) lost = 4 * u;
    }
    const double ratio = std::exp(log_ratio), low = 1 - in.clip_low, high = 1 + in.clip_high;
    Token token;
    // The minimum takes the clipped side only where the ratio has moved the way the advantage pulls.
    const bool clipped = a.value > 0 ? ratio > high : ratio < low;
    const double held = clipped ? std::clamp(ratio, low, high) : ratio;
    const double slope = clipped || std::fabs(log_ratio) == in.limit ? 0 : ratio;
    token.term.value = held * a.value;
    token.term.bound = held * (a.bound + std::fabs(a.value) * ((clipped ? 0 : lost) + 6 * u));
    token.slope.value = slope * a.value;
    token.slope.bound = slope * (a.bound + std::fabs(a.value) * (lost + 6 * u));
    if (std::fabs(a.value) <= a.bound) { // a reward at its group's mean: rounding says which side is taken
        token.term.bound = 2 * std::max(ratio, held) * (a.bound + std::fabs(a.value));
        token.slope.bound = 2 * ratio * (a.bound + std::fabs(a.value));
    }
    token.size = std::fabs(token.term.value);
    if (!in.has_kl()) return token;
    const double apart = in.lp_ref[at] - lp.value, d = std::clamp(apart, -in.limit, in.limit), e = std::exp(d);
    const double off = d != apart ? 4 * u : lp.bound + u * (std::fabs(in.lp_ref[at]) + std::fabs(lp.value) + 4);
    const double kl = in.beta * (e - d - 1), rounding = u * in.beta * (4 * e + 3 * std::fabs(d) + 4);
    token.size += kl;
    token.term.value -= kl;
    token.term.bound += in.beta * std::fabs(e - 1) * off + rounding + 2 * u * token.size;
    if (d != apart) return token;
    token.slope.value += in.beta * (e - 1);
    token.slope.bound += in.beta * e * off + rounding + 2 * u * std::fabs(token.slope.value);
    return token;
}

/// Each sequence's weight of a token.
std::vector<double> weights_of(const Inputs& in) {
    std::vector<double> counts(in.N, 0);
    double all = 0;
    for (std::size_t n = 0; n < in.N; ++n)
        for (std::size_t t = 1; t < in.T; ++t) counts[n] += in.mask[in.at(n, t)];
    for (const double count : counts) all += count;
    std::vector<double> weights;
    const auto sequences = static_cast<double>(in.N);
    for (const double count : counts)
        weights.push_back(count == 0    ? 0
                          : in.how == 0 ? 1 / (sequences * count)
                          : in.how == 1 ? 1 / all
                                        : 1 / (sequences * in.longest));
    return weights;
}

} // namespace

Stages run_right(const Inputs& in) {
    Stages out;
    out.log_probs.resize(in.N * in.T);
    out.terms.resize(in.N * in.T);
    out.logits_grad.resize(in.N * in.T * in.V);
    out.advantage = group_advantages(in);
    const std::vector<double> weights = weights_of(in);
    double objective = 0, size = 0;
    for (std::size_t n = 0; n < in.N; ++n)
        for (std::size_t t = 1; t < in.T; ++t) {
            const std::size_t at = in.at(n, t);
            const Prediction made = predict(in, n, t);
            out.log_probs[at] = made.log_prob;
            if (in.mask[at] == 0) continue;
            const Token token = judge_token(in, at, made.log_prob, out.advantage[n]);
            out.terms[at] = token.term;
            objective += weights[n] * token.term.value;
            out.loss.bound += weights[n] * token.term.bound;
            size += weights[n] * token.size;
            const double pull = -weights[n] / in.temperature;
            for (std::size_t v = 0; v < in.V; ++v) {
                const double whole = (v == in.tokens[at] ? 1 : 0), rest = whole - made.p[v].value;
                Bounded& gradient = out.logits_grad[at * in.V - in.V + v];
                gradient.value = pull * token.slope.value * rest;
                // The parts of a log-sum-exp's derivative are added one by one; through a maximum that is not taken
                // as a constant the whole flows once more, both ways.
                gradient.bound = std::fabs(pull) * (token.slope.bound * std::fabs(rest) +
                                                    std::fabs(token.slope.value) * (made.p[v].bound + 24 * u));
            }
        }
    out.loss.value = -objective;
    out.loss.bound += u * static_cast<double>(in.N * in.T + in.N + 8) * size;
    return out;
}

} // namespace assay::grpo_hunt_judge
