// What a careful first version gives in float32: the error beside which an attempt's own is shown.
#include "oracle.hpp"
#include "oracle_inputs.hpp"
#include "oracle_pattern.hpp"

#include <algorithm>

namespace assay::long_attention_judge {

namespace {

using Floats = Inputs<float>;

/// Softmax of q's logits on n keys, times their values.
template <class Key, class Value>
void attend(const float* q, std::size_t D, std::size_t Dv, std::size_t n, Key key, Value value, float* out) {
    std::vector<float> s(n);
    float m = -std::numeric_limits<float>::infinity(), sum = 0;
    const float scale = 1 / std::sqrt(static_cast<float>(D));
    for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t d = 0; d < D; ++d) s[t] += q[d] * key(t)[d];
        m = std::max(m, s[t] *= scale);
    }
    for (float& one : s) sum += one = std::exp(one - m);
    for (std::size_t d = 0; d < Dv; ++d) {
        float o = 0;
        for (std::size_t t = 0; t < n; ++t) o += s[t] * value(t)[d];
        out[d] = o / sum;
    }
}

void slide(const Problem& problem, const Floats& in, std::vector<float>& out) {
    const std::int64_t globals = problem.has("globals") ? problem.integer("globals") : 0;
    const Pattern pattern(static_cast<std::int64_t>(in.L), problem.integer("window"), globals, {});
    for (std::size_t h = 0; h < in.H; ++h)
        for (std::size_t i = 0; i < in.L; ++i) {
            const std::vector<std::int64_t> keys = pattern.keys(static_cast<std::int64_t>(i));
            const auto at = [&](std::size_t t) { return static_cast<std::size_t>(keys[t]); };
            attend(
                in.query(h, i), in.D, in.Dv, keys.size(), [&](std::size_t t) { return in.key(h, at(t)); },
                [&](std::size_t t) { return in.value(h, at(t)); }, out.data() + (h * in.L + i) * in.Dv);
        }
}

std::vector<float> projected(const Problem& problem, const char* name, const float* x, std::size_t width) {
    const std::vector<float> matrix = dense<float>(problem.array(name));
    const auto R = static_cast<std::size_t>(problem.array(name).extents[0]), L = matrix.size() / R;
    std::vector<float> y(R * width);
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t j = 0; j < L; ++j)
            for (std::size_t d = 0; d < width; ++d) y[r * width + d] += matrix[r * L + j] * x[j * width + d];
    return y;
}

void compress(const Problem& problem, const Floats& in, std::vector<float>& out) {
    for (std::size_t h = 0; h < in.H; ++h) {
        const std::vector<float> k = projected(problem, "e", in.key(h, 0), in.D);
        const std::vector<float> v = projected(problem, "f", in.value(h, 0), in.Dv);
        for (std::size_t i = 0; i < in.L; ++i)
            attend(
                in.query(h, i), in.D, in.Dv, k.size() / in.D, [&](std::size_t r) { return k.data() + r * in.D; },
                [&](std::size_t r) { return v.data() + r * in.Dv; }, out.data() + (h * in.L + i) * in.Dv);
    }
}

/// Exponents of an element's random features, or the elu's own features.
std::vector<float> exponents(const float* x, std::size_t D, const std::vector<float>& omega) {
    const float temperature = std::sqrt(std::sqrt(static_cast<float>(D)));
    float norm = 0;
    for (std::size_t d = 0; d < D; ++d) norm += x[d] / temperature * (x[d] / temperature);
    std::vector<float> l(omega.size() / D);
    for (std::size_t m = 0; m < l.size(); ++m) {
        for (std::size_t d = 0; d < D; ++d) l[m] += omega[m * D + d] * (x[d] / temperature);
        l[m] -= norm / 2;
    }
    return l;
}

void accumulate(const Problem& problem, const Floats& in, std::vector<float>& out) {
    const bool random = problem.has("omega");
    const std::vector<float> omega = random ? dense<float>(problem.array("omega")) : std::vector<float>();
    const auto eps = static_cast<float>(problem.number_or("eps", 0));
    const auto features = [&](const float* x, float centre) {
        std::vector<float> f = random ? exponents(x, in.D, omega) : std::vector<float>(x, x + in.D);
        for (float& one : f) one = random ? std::exp(one - centre) : one > 0 ? one + 1 : std::exp(one);
        return f;
    };
    const auto top = [&](const float* x) {
        const std::vector<float> l = exponents(x, in.D, omega);
        return *std::max_element(l.begin(), l.end());
    };
    for (std::size_t h = 0; h < in.H; ++h) {
        float centre = -std::numeric_limits<float>::infinity();
        for (std::size_t j = 0; random && j < in.L; ++j) centre = std::max(centre, top(in.key(h, j)));
        std::vector<float> S, z;
        for (std::size_t i = 0; i < in.L; ++i) {
            const std::vector<float> k = features(in.key(h, i), centre);
            const std::vector<float> q = features(in.query(h, i), random ? top(in.query(h, i)) : 0);
            S.resize(k.size() * in.Dv), z.resize(k.size());
            float sum = eps;
            std::vector<float> o(in.Dv);
            for (std::size_t m = 0; m < k.size(); ++m) {
                sum += q[m] * (z[m] += k[m]);
                for (std::size_t d = 0; d < in.Dv; ++d) o[d] += q[m] * (S[m * in.Dv + d] += k[m] * in.value(h, i)[d]);
            }
            for (std::size_t d = 0; d < in.Dv; ++d) out[(h * in.L + i) * in.Dv + d] = o[d] / sum;
        }
    }
}

} // namespace

Outputs plain(const Problem& problem) {
    if (!problem.has("out")) return {};
    const Floats in(problem);
    std::vector<float> out(in.v.size());
    if (problem.has("window"))
        slide(problem, in, out);
    else if (problem.route == "low_rank")
        compress(problem, in, out);
    else
        accumulate(problem, in, out);
    Outputs outputs;
    outputs.arrays.emplace_back(
        "out", Array::of(Dtype::f32, problem.array("out").extents, std::vector<double>(out.begin(), out.end())));
    return outputs;
}

} // namespace assay::long_attention_judge
