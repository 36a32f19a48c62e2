#include "oracle_state.hpp"

#include <algorithm>

namespace assay::long_attention_judge {

namespace {

constexpr double u = float32_unit;

/// Running sums over tokens: of f(k) v, f(k) |v|, E(k) |v| (M x Dv), and of f(k), |f(k)|, E(k) (M).
class State {
  public:
    State(std::size_t M, std::size_t Dv)
        : M_(M), Dv_(Dv), fv(M * Dv), size_v(M * Dv), Ev(M * Dv), f(M), size(M), E(M) {}

    void add(const Features& key, const double* v) {
        for (std::size_t m = 0; m < M_; ++m) {
            f[m] += key.f[m];
            size[m] += std::fabs(key.f[m]);
            E[m] += key.E[m];
            for (std::size_t d = 0; d < Dv_; ++d) {
                fv[m * Dv_ + d] += key.f[m] * v[d];
                size_v[m * Dv_ + d] += std::fabs(key.f[m] * v[d]);
                Ev[m * Dv_ + d] += key.E[m] * std::fabs(v[d]);
                largest = std::max(largest, std::fabs(v[d]));
            }
        }
        ++n;
    }

  private:
    std::size_t M_, Dv_;

  public:
    std::vector<double> fv, size_v, Ev, f, size, E;
    double largest = 0; // |v|
    double n = 0;
};

struct Sum {
    double value = 0, error = 0;
};

class Reader {
  public:
    Reader(const Inputs<double>& in, double eps, const Slips& on) : Dv_(in.Dv), eps_(eps), on_(on) {}

    /// Row of out from one query's features; `above` for the numerator, `below` for the denominator.
    bool read(const Features& q, const State& above, const State& below, double* out, double* bound) const {
        const Sum d = denominator(q, below);
        const bool divides = !on_("normaliser-missing") && !on_("normaliser-multiplied") && !on_("divided-by-count");
        if (divides && d.value != 0 && std::fabs(d.value) <= 8 * d.error) return false;
        for (std::size_t e = 0; e < Dv_; ++e) {
            const Sum n = numerator(q, above, e);
            if (on_("normaliser-missing")) {
                out[e] = n.value;
                bound[e] = n.error;
            } else if (on_("normaliser-multiplied")) {
                out[e] = n.value * d.value;
                bound[e] = n.error * std::fabs(d.value) + std::fabs(n.value) * d.error + u * std::fabs(out[e]);
            } else if (on_("divided-by-count")) {
                out[e] = n.value / above.n;
                bound[e] = n.error / above.n + 2 * u * std::fabs(out[e]);
            } else {
                out[e] = n.value / d.value;
                bound[e] = (n.error + std::fabs(out[e]) * d.error) / std::fabs(d.value) + 2 * u * std::fabs(out[e]);
            }
            if (!std::isfinite(out[e])) bound[e] = 0;
        }
        return true;
    }

  private:
    std::size_t Dv_;
    double eps_;
    const Slips& on_;

    static double sums(const Features& q, const State& state) {
        return u * (state.n + static_cast<double>(q.f.size()) + 3);
    }
    static double flushed(const Features& q, const State& state) {
        return (state.n + 2) * static_cast<double>(q.f.size()) * float32_least * (1 + state.largest);
    }

    Sum numerator(const Features& q, const State& state, std::size_t e) const {
        Sum sum;
        double size = 0;
        for (std::size_t m = 0; m < q.f.size(); ++m) {
            const std::size_t at = on_("state-transposed") ? e * Dv_ + m : m * Dv_ + e;
            sum.value += q.f[m] * state.fv[at];
            size += std::fabs(q.f[m]) * state.size_v[at];
            sum.error += q.E[m] * state.size_v[at] + std::fabs(q.f[m]) * state.Ev[at];
        }
        sum.error += sums(q, state) * size + flushed(q, state);
        return sum;
    }

    Sum denominator(const Features& q, const State& state) const {
        Sum sum;
        double size = 0;
        const double each = on_("eps-in-every-feature") ? eps_ : 0;
        for (std::size_t m = 0; m < q.f.size(); ++m) {
            sum.value += q.f[m] * (state.f[m] + each);
            size += std::fabs(q.f[m]) * (state.size[m] + each);
            sum.error += q.E[m] * (state.size[m] + each) + std::fabs(q.f[m]) * state.E[m];
        }
        sum.error += sums(q, state) * size + flushed(q, state);
        if (on_("eps-as-floor"))
            sum.value = std::max(sum.value, eps_);
        else if (each == 0)
            sum.value += on_("eps-missing", 0) ? 0 : on_("eps-missing", 1) ? 1e-6 : eps_;
        sum.error += u * eps_;
        return sum;
    }
};

} // namespace

std::optional<Truths> through_state(const Problem& problem, const Inputs<double>& in, const Mapped& features,
                                    double eps, const Slips& on) {
    const std::size_t M = features.q.empty() ? 0 : features.q[0].f.size();
    if (on("state-transposed") && M != in.Dv) return std::nullopt;
    Truths truths{blank(problem, "out")};
    const Reader reader(in, eps, on);
    const bool over_heads = on("summed-over-heads"), carried = on("heads-share-state");
    State state(M, in.Dv), all(M, in.Dv);
    const auto add = [&](State& to, std::size_t h, std::size_t i) { to.add(features.k[h * in.L + i], in.value(h, i)); };
    bool clear = true;
    const auto visit = [&](std::size_t h, std::size_t i) {
        if (!on("self-excluded")) add(state, h, i);
        const State& above = on("future-leaks") ? all : state;
        const State& below = on("future-leaks") || on("normaliser-of-all") ? all : state;
        const std::size_t at = (h * in.L + i) * in.Dv;
        clear = clear && reader.read(features.q[h * in.L + i], above, below, truths[0].value.data() + at,
                                     truths[0].bound.data() + at);
        if (on("self-excluded")) add(state, h, i);
    };
    const std::size_t outer = over_heads ? in.L : in.H, inner = over_heads ? in.H : in.L;
    for (std::size_t a = 0; a < outer; ++a) {
        if (!carried) state = all = State(M, in.Dv);
        for (std::size_t b = 0; b < inner; ++b) over_heads ? add(all, b, a) : add(all, a, b);
        for (std::size_t b = 0; b < inner && clear; ++b) over_heads ? visit(b, a) : visit(a, b);
    }
    if (!clear) return std::nullopt;
    return truths;
}

} // namespace assay::long_attention_judge
