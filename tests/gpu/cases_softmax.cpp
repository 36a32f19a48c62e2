// Softmax by rows, forward and backward, beside float64 and TOLERANCES' bounds.
#include "guarded.hpp"

namespace assay::gpu {

namespace {

constexpr float banned = -std::numeric_limits<float>::infinity();

struct Rows {
    const char* name;
    int rows, columns;
    double size;         // of the logits
    bool masked = false; // every third logit is -infinity
};
constexpr Rows shapes[] = {
    {"one number", 3, 1, 4},      {"rows of 5", 33, 5, 4},        {"a warp", 6, 32, 4},
    {"one more", 6, 33, 4},       {"rows of 127", 32, 127, 4},    {"longer than a block", 5, 700, 4},
    {"no rows", 0, 8, 4},         {"logits of 1e4", 9, 300, 1e4}, {"banned tokens", 9, 300, 4, true},
    {"equal logits", 2, 4097, 0}, {"beyond exp", 9, 64, 3e38},
};

struct Softmax {
    std::vector<double> y, bound;
};

/// t_j = u (3 |x_j - m| + 8); E_y = y_j (t_j + sum of y t + u (n + 3 + ln n)) + 2^-126.
Softmax softmax_of(const float* x, int columns) {
    Softmax all;
    double most = -std::numeric_limits<double>::infinity(), sum = 0, mean = 0;
    const auto n = static_cast<double>(columns);
    for (int j = 0; j < columns; ++j) most = std::max(most, static_cast<double>(x[j]));
    for (int j = 0; j < columns; ++j) sum += std::exp(static_cast<double>(x[j]) - most);
    for (int j = 0; j < columns; ++j) all.y.push_back(std::exp(static_cast<double>(x[j]) - most) / sum);
    // A weight of 0 is off by nothing, however far its logit lies.
    const auto t = [&](int j) {
        return all.y[static_cast<std::size_t>(j)] > 0 ? u * (3 * std::fabs(static_cast<double>(x[j]) - most) + 8) : 0;
    };
    for (int j = 0; j < columns; ++j) mean += all.y[static_cast<std::size_t>(j)] * t(j);
    for (int j = 0; j < columns; ++j)
        all.bound.push_back(all.y[static_cast<std::size_t>(j)] * (t(j) + mean + u * (n + 3 + std::log(n))) + 0x1p-126);
    return all;
}

std::vector<float> logits_of(const Rows& shape) {
    Numbers numbers(static_cast<std::uint64_t>(shape.columns));
    std::vector<float> x = numbers.numbers(static_cast<std::size_t>(shape.rows * shape.columns), shape.size);
    for (std::size_t e = 0; shape.masked && e < x.size(); e += 3) x[e] = banned;
    return x;
}

Outcome forward(const Rows& shape, int version, cudaStream_t stream) {
    const std::vector<float> x = logits_of(shape);
    Guarded<float> in("in", x), out("out", x.size());
    kernels::softmax_forward(version, in.data(), out.data(), shape.rows, shape.columns, stream);
    kernels::checked(cudaStreamSynchronize(stream), "softmax_forward");
    Outcome outcome;
    in.read(outcome);
    const std::vector<float> got = out.read(outcome);
    outcome.digest_of(got);
    std::size_t e = 0;
    for (int r = 0; r < shape.rows; ++r) {
        const Softmax exact = softmax_of(x.data() + static_cast<std::ptrdiff_t>(r) * shape.columns, shape.columns);
        for (std::size_t j = 0; j < exact.y.size(); ++j, ++e)
            outcome.judge(static_cast<double>(got[e]), {exact.y[j], exact.bound[j]});
    }
    return outcome;
}

/// y is given as float32, so that only the backward's own arithmetic counts: with s the sum of y dy,
/// |y_j| (u (n + 1) sum |y dy| + 3 u (|dy_j| + |s|)) + 2^-126.
Outcome backward(const Rows& shape, int version, cudaStream_t stream) {
    const std::vector<float> x = logits_of(shape);
    std::vector<float> y, dy = Numbers(11).numbers(x.size(), 3);
    for (int r = 0; r < shape.rows; ++r)
        for (const double one : softmax_of(x.data() + static_cast<std::ptrdiff_t>(r) * shape.columns, shape.columns).y)
            y.push_back(static_cast<float>(one));
    Guarded<float> given("y", y), slope("dy", dy), out("dx", x.size());
    kernels::softmax_backward(version, given.data(), slope.data(), out.data(), shape.rows, shape.columns, stream);
    kernels::checked(cudaStreamSynchronize(stream), "softmax_backward");
    Outcome outcome;
    given.read(outcome);
    slope.read(outcome);
    const std::vector<float> got = out.read(outcome);
    outcome.digest_of(got);
    const auto n = static_cast<std::size_t>(shape.columns);
    for (std::size_t first = 0; first < y.size(); first += n) {
        double sum = 0, size = 0;
        for (std::size_t e = first; e < first + n; ++e) {
            sum += static_cast<double>(y[e]) * static_cast<double>(dy[e]);
            size += std::fabs(static_cast<double>(y[e]) * static_cast<double>(dy[e]));
        }
        for (std::size_t e = first; e < first + n; ++e) {
            const auto weight = static_cast<double>(y[e]), one = static_cast<double>(dy[e]);
            outcome.judge(static_cast<double>(got[e]),
                          {weight * (one - sum), weight * (u * static_cast<double>(n + 1) * size +
                                                           3 * u * (std::fabs(one) + std::fabs(sum))) +
                                                     0x1p-126});
        }
    }
    return outcome;
}

} // namespace

std::vector<Case> softmax_cases() {
    std::vector<Case> cases;
    for (const Rows& shape : shapes)
        for (const int version : {1, 2}) {
            const std::string which = " " + std::to_string(version) + ": " + shape.name;
            cases.push_back({"softmax_forward" + which, true,
                             [&shape, version](cudaStream_t stream) { return forward(shape, version, stream); }});
            cases.push_back({"softmax_backward" + which, true,
                             [&shape, version](cudaStream_t stream) { return backward(shape, version, stream); }});
        }
    return cases;
}

} // namespace assay::gpu
