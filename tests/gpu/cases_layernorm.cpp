// Layer normalisation, forward and backward, beside float64 and TOLERANCES' bounds.
#include "guarded.hpp"

namespace assay::gpu {

namespace {

struct Rows {
    const char* name;
    int rows, columns;
    double size, mean; // of the data
    double epsilon;
};
constexpr Rows shapes[] = {
    {"one number", 3, 1, 1, 0, 1e-5},         {"rows of 2", 33, 2, 1, 0, 1e-5},
    {"a warp and one", 33, 33, 1, 0, 1e-5},   {"rows of 127", 130, 127, 1, 0, 1e-5}, // three chunks of rows
    {"longer than a block", 5, 600, 1, 0, 0}, {"far from 0", 9, 127, 1, 1e4, 1e-5},
    {"small numbers", 9, 64, 1e-6, 0, 1e-12}, {"equal numbers", 4, 100, 0, 3, 1e-5},
};

struct Data {
    std::vector<float> x, gamma, beta, dy;
    std::size_t n; // columns
    float epsilon;
    explicit Data(const Rows& shape)
        : n(static_cast<std::size_t>(shape.columns)), epsilon(static_cast<float>(shape.epsilon)) {
        Numbers numbers(n);
        x = numbers.numbers(static_cast<std::size_t>(shape.rows) * n, shape.size);
        for (float& one : x) one += static_cast<float>(shape.mean);
        gamma = numbers.numbers(n, 2), beta = numbers.numbers(n), dy = numbers.numbers(x.size());
    }
};

/// What TOLERANCES calls d, r, E and rho, of one row.
struct Moments {
    std::vector<double> d, E;
    double r = 0, rho = 0;

    Moments(const float* x, std::size_t columns, double epsilon) {
        const auto n = static_cast<double>(columns);
        double mean = 0, size = 0, variance = 0;
        for (std::size_t j = 0; j < columns; ++j) mean += static_cast<double>(x[j]) / n;
        for (std::size_t j = 0; j < columns; ++j) {
            d.push_back(static_cast<double>(x[j]) - mean);
            size += std::fabs(static_cast<double>(x[j])) / n;
            variance += d[j] * d[j] / n;
        }
        r = 1 / std::sqrt(variance + epsilon);
        const double off = u * (n + 1) * size;
        // sigma^2 sqrt(1 + mu^2 / sigma^2), also where sigma is 0
        rho = std::min(1.0, (u * (n + 4) * std::sqrt(variance * (variance + mean * mean)) + off * off) / 2 /
                                    (variance + epsilon) +
                                3 * u);
        for (const double one : d) E.push_back(r * (off + 2 * u * std::fabs(one) + rho * std::fabs(one)) * (1 + rho));
    }
};

Outcome forward(const Rows& shape, int version, cudaStream_t stream) {
    const Data data(shape);
    Guarded<float> in("in", data.x), gamma("gamma", data.gamma), beta("beta", data.beta), out("out", data.x.size());
    kernels::layernorm_forward(version, in.data(), gamma.data(), beta.data(), out.data(), shape.rows, shape.columns,
                               data.epsilon, stream);
    kernels::checked(cudaStreamSynchronize(stream), "layernorm_forward");
    Outcome outcome;
    for (Guarded<float>* input : {&in, &gamma, &beta}) input->read(outcome);
    const std::vector<float> got = out.read(outcome);
    outcome.digest_of(got);
    for (std::size_t first = 0; first < data.x.size(); first += data.n) {
        const Moments row(data.x.data() + first, data.n, static_cast<double>(data.epsilon));
        for (std::size_t j = 0; j < data.n; ++j) {
            const auto g = static_cast<double>(data.gamma[j]), b = static_cast<double>(data.beta[j]);
            const double scaled = g * row.d[j] * row.r, y = scaled + b;
            outcome.judge(static_cast<double>(got[first + j]),
                          {y, std::fabs(g) * row.E[j] + u * (3 * std::fabs(scaled) + std::fabs(b) + std::fabs(y))});
        }
    }
    return outcome;
}

Outcome backward(const Rows& shape, int version, cudaStream_t stream) {
    const Data data(shape);
    const auto n = static_cast<double>(data.n), count = static_cast<double>(shape.rows);
    Guarded<float> in("in", data.x), gamma("gamma", data.gamma), slope("dy", data.dy);
    Guarded<float> dx("dx", data.x.size()), dgamma("dgamma", data.n), dbeta("dbeta", data.n);
    Guarded<float> room("room", kernels::layernorm_backward_room(shape.rows, shape.columns));
    kernels::layernorm_backward(version, in.data(), gamma.data(), slope.data(), dx.data(), dgamma.data(), dbeta.data(),
                                room.data(), shape.rows, shape.columns, data.epsilon, stream);
    kernels::checked(cudaStreamSynchronize(stream), "layernorm_backward");
    Outcome outcome;
    for (Guarded<float>* input : {&in, &gamma, &slope, &room}) input->read(outcome);
    const std::vector<float> got = dx.read(outcome), got_gamma = dgamma.read(outcome), got_beta = dbeta.read(outcome);
    for (const std::vector<float>* values : {&got, &got_gamma, &got_beta}) outcome.digest_of(*values);

    // dgamma: each summand is off by |dy| Ex, their sum by a rounding a row. dbeta: the sum alone.
    std::vector<Bounded> exact_gamma(data.n), exact_beta(data.n);
    for (std::size_t first = 0; first < data.x.size(); first += data.n) {
        const Moments row(data.x.data() + first, data.n, static_cast<double>(data.epsilon));
        double a = 0, c = 0, size_g = 0, size_c = 0, off_c = 0;
        const auto g = [&](std::size_t j) {
            return static_cast<double>(data.gamma[j]) * static_cast<double>(data.dy[first + j]);
        };
        const auto normal = [&](std::size_t j) { return row.d[j] * row.r; };
        const auto off = [&](std::size_t j) { return row.E[j] + u * std::fabs(normal(j)); };
        for (std::size_t j = 0; j < data.n; ++j) {
            a += g(j) / n;
            c += g(j) * normal(j) / n;
            size_g += std::fabs(g(j)) / n;
            size_c += std::fabs(g(j) * normal(j)) / n;
            off_c += std::fabs(g(j)) * off(j) / n;
        }
        const double Ec = u * (n + 3) * size_c + off_c;
        for (std::size_t j = 0; j < data.n; ++j) {
            const double value = row.r * (g(j) - a - normal(j) * c), x = std::fabs(normal(j));
            const double bound = std::fabs(value) * (row.rho + 2 * u) +
                                 row.r * (1 + row.rho) *
                                     (4 * u * (std::fabs(g(j)) + std::fabs(a) + std::fabs(normal(j) * c)) +
                                      u * (n + 2) * size_g + x * Ec + off(j) * (std::fabs(c) + Ec));
            outcome.judge(static_cast<double>(got[first + j]), {value, bound});
            const auto one = static_cast<double>(data.dy[first + j]);
            exact_gamma[j].value += one * normal(j);
            exact_gamma[j].bound += std::fabs(one) * off(j) + u * (count + 2) * std::fabs(one * normal(j));
            exact_beta[j].value += one;
            exact_beta[j].bound += u * (count + 1) * std::fabs(one);
        }
    }
    for (std::size_t j = 0; j < data.n; ++j) {
        outcome.judge(static_cast<double>(got_gamma[j]), exact_gamma[j]);
        outcome.judge(static_cast<double>(got_beta[j]), exact_beta[j]);
    }
    return outcome;
}

} // namespace

std::vector<Case> layernorm_cases() {
    std::vector<Case> cases;
    for (const Rows& shape : shapes)
        for (const int version : {1, 2}) {
            const std::string which = " " + std::to_string(version) + ": " + shape.name;
            cases.push_back({"layernorm_forward" + which, true,
                             [&shape, version](cudaStream_t stream) { return forward(shape, version, stream); }});
            cases.push_back({"layernorm_backward" + which, true,
                             [&shape, version](cudaStream_t stream) { return backward(shape, version, stream); }});
        }
    return cases;
}

} // namespace assay::gpu
