// By the formulas, key by key.
#include "reference_sdpa.hpp"

namespace assay::gpu {

namespace {

int kv_head(const Attention& problem, int h) { return h / (problem.shape.q_heads / problem.shape.kv_heads); }

} // namespace

Query query_of(const Attention& problem, int b, int h, int i, const Arithmetic& in) {
    const kernels::SdpaShape& s = problem.shape;
    Query query;
    std::vector<double> sizes; // |scale| sum |q k|
    for (int j = 0; j < s.lk; ++j) {
        if (!problem.allowed(b, h, i, j)) continue;
        double score = 0, size = 0;
        for (int c = 0; c < s.d; ++c) {
            const double product = problem.scale * problem.q(b, h, i, c) * problem.k(b, kv_head(problem, h), j, c);
            score += product;
            size += std::fabs(product);
        }
        query.keys.push_back({j, score, 0, 0});
        sizes.push_back(size);
    }
    if (query.keys.empty()) {
        query.lse = -std::numeric_limits<double>::infinity();
        return query;
    }
    query.most = query.keys.front().s;
    for (const Query::Key& key : query.keys) query.most = std::max(query.most, key.s);
    for (const Query::Key& key : query.keys) query.sum += std::exp(key.s - query.most);
    query.lse = query.most + std::log(query.sum);
    for (std::size_t n = 0; n < query.keys.size(); ++n) {
        Query::Key& key = query.keys[n];
        key.p = std::exp(key.s - query.lse);
        key.theta = std::expm1((in.addition * s.d + 4 * u) * sizes[n] + u * (3 * std::fabs(key.s - query.most) + 8)) +
                    in.weight;
        query.theta += key.p * key.theta;
    }
    return query;
}

std::vector<Bounded> row_of(const Attention& problem, const Query& query, int b, int h, const Arithmetic& in) {
    std::vector<Bounded> row(static_cast<std::size_t>(problem.shape.dv));
    const int kv = kv_head(problem, h);
    for (int c = 0; c < problem.shape.dv; ++c) {
        double o = 0, size = 0, largest = 0, lost = 0;
        for (const Query::Key& key : query.keys) {
            const double v = problem.v(b, kv, key.j, c);
            o += key.p * v;
            size += key.p * std::fabs(v);
            largest = std::max(largest, std::fabs(v));
        }
        for (const Query::Key& key : query.keys)
            lost += (key.p * key.theta + in.least / query.sum) * std::fabs(problem.v(b, kv, key.j, c) - o);
        Bounded& one = row[static_cast<std::size_t>(c)];
        one.value = o;
        if (!query.keys.empty())
            one.bound = lost + in.addition * (query.n() + 2) * (size + std::fabs(o)) + u * query.logs() * size +
                        (query.n() + 2) * 0x1p-126 * (1 + largest) + in.out * std::fabs(o) + in.out_least;
    }
    return row;
}

/// exp's arguments are off by theta on average, the sum by n additions, and the two logarithms by their own rounding.
Bounded log_sum_exp_of(const Query& query) {
    return {query.lse, query.keys.empty() ? 0 : query.theta + u * (query.n() + 4 + query.logs())};
}

Gradients gradients_of(const Attention& problem, const Values& dout) {
    const kernels::SdpaShape& s = problem.shape;
    const int group = s.q_heads / s.kv_heads;
    const double scale = std::fabs(problem.scale), contributions = static_cast<double>(s.lq) * group;
    Gradients all{{problem.q, problem.q}, {problem.k, problem.k}, {problem.v, problem.v}};
    for (Gradient* gradient : {&all.dq, &all.dk, &all.dv}) {
        std::fill(gradient->value.all.begin(), gradient->value.all.end(), 0.0);
        std::fill(gradient->bound.all.begin(), gradient->bound.all.end(), 1e-36);
    }
    const Arithmetic float32;
    for (int b = 0; b < s.batch; ++b)
        for (int h = 0; h < s.q_heads; ++h)
            for (int i = 0; i < s.lq; ++i) {
                const int kv = kv_head(problem, h);
                const Query query = query_of(problem, b, h, i, float32);
                const double n = query.n(), kappa = query.keys.empty() ? 0 : u * (n + 4 + query.logs());
                std::vector<double> dp(query.keys.size()), size(query.keys.size()); // dout v, and of absolute values
                double delta = 0, mean_size = 0, lost = 0;
                for (std::size_t e = 0; e < dp.size(); ++e) {
                    for (int c = 0; c < s.dv; ++c) {
                        const double product = dout(b, h, i, c) * problem.v(b, kv, query.keys[e].j, c);
                        dp[e] += product;
                        size[e] += std::fabs(product);
                    }
                    delta += query.keys[e].p * dp[e];
                    mean_size += query.keys[e].p * size[e];
                }
                for (std::size_t e = 0; e < dp.size(); ++e)
                    lost += query.keys[e].p * (query.keys[e].theta + query.theta) * std::fabs(dp[e] - delta);
                lost += (u * (s.dv + n + 4) + kappa) * mean_size; // of delta
                for (std::size_t e = 0; e < dp.size(); ++e) {
                    const auto [j, score, p, theta] = query.keys[e];
                    static_cast<void>(score);
                    const double ds = p * (dp[e] - delta);
                    const double off = p * (theta + query.theta + kappa + 3 * u) * std::fabs(dp[e] - delta) +
                                       p * (u * (s.dv + 1) * size[e] + lost);
                    for (int c = 0; c < s.d; ++c) {
                        const double q = problem.q(b, h, i, c), k = problem.k(b, kv, j, c);
                        all.dq.value(b, h, i, c) += problem.scale * ds * k;
                        all.dq.bound(b, h, i, c) += scale * std::fabs(k) * (off + u * (n + 4) * std::fabs(ds));
                        all.dk.value(b, kv, j, c) += problem.scale * ds * q;
                        all.dk.bound(b, kv, j, c) +=
                            scale * std::fabs(q) * (off + u * (contributions + 4) * std::fabs(ds));
                    }
                    for (int c = 0; c < s.dv; ++c) {
                        const double one = dout(b, h, i, c);
                        all.dv.value(b, kv, j, c) += p * one;
                        all.dv.bound(b, kv, j, c) +=
                            p * std::fabs(one) * (theta + query.theta + kappa + u * (contributions + 2));
                    }
                }
            }
    return all;
}

} // namespace assay::gpu
