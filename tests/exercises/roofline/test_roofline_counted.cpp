// Runs small layers and all-reduces and counts; and the tests of that counting itself.
#include "exercises/roofline/counted.hpp"

#include "exercises/roofline/reader.hpp"

#include <algorithm>
#include <set>

namespace assay::roofline_test {

namespace {

using Tensor = std::vector<double>;

/// Memory of one GPU: each kernel fetches every element it touches once, and stores each of its results once.
class Kernel {
  public:
    void fetch(int tensor, int index) { touched_.insert({tensor, index}); }
    std::int64_t fetched(int tensor) const {
        return std::count_if(touched_.begin(), touched_.end(), [&](const auto& at) { return at.first == tensor; });
    }

  private:
    std::set<std::pair<int, int>> touched_;
};

enum Name { x, g, h, w };

/// c (rows, columns) = a (rows, inner) b (inner, columns); counts a multiplication and an addition each as one.
Tensor matmul(const Tensor& a, const Tensor& b, int rows, int inner, int columns, Name from, Kernel& kernel,
              std::int64_t& flops) {
    Tensor c(static_cast<std::size_t>(rows * columns), 0.0);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            for (int k = 0; k < inner; ++k) {
                kernel.fetch(from, i * inner + k);
                kernel.fetch(w, k * columns + j);
                const double term =
                    a[static_cast<std::size_t>(i * inner + k)] * b[static_cast<std::size_t>(k * columns + j)];
                ++flops;
                c[static_cast<std::size_t>(i * columns + j)] += term;
                ++flops;
            }
    return c;
}

} // namespace

Counted run_layer(int tokens, int d, int columns, bool gated, bool fused) {
    Counted counted;
    const Tensor in(static_cast<std::size_t>(tokens * d), 0.5), wide(static_cast<std::size_t>(d * columns), 0.25);
    Tensor gate;
    std::int64_t unread = 0; // what a fused kernel does not pass through memory
    if (gated) {
        Kernel kernel;
        gate = matmul(in, wide, tokens, d, columns, x, kernel, counted.flops);
        counted.weights += kernel.fetched(w);
        counted.edges += kernel.fetched(x);
        unread += kernel.fetched(x);
        counted.hiddens += static_cast<std::int64_t>(gate.size()); // stored
    }
    Kernel up;
    Tensor hidden = matmul(in, wide, tokens, d, columns, x, up, counted.flops);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        hidden[i] = std::max(hidden[i], 0.0);
        if (!gated) continue;
        up.fetch(g, static_cast<int>(i));
        hidden[i] *= gate[i];
    }
    counted.weights += up.fetched(w);
    counted.edges += up.fetched(x);
    counted.hiddens += up.fetched(g) + static_cast<std::int64_t>(hidden.size());
    Kernel down;
    const Tensor out = matmul(hidden, wide, tokens, columns, d, h, down, counted.flops);
    counted.weights += down.fetched(w);
    counted.hiddens += down.fetched(h);
    counted.edges += static_cast<std::int64_t>(out.size());
    if (fused) {
        counted.hiddens = 0;
        counted.edges -= unread; // x is at hand already
    }
    return counted;
}

namespace {

/// n tensors of n chunks, GPU r's filled with r + 1: each element of the sum is n (n + 1) / 2.
std::vector<std::vector<Tensor>> tensors(int n, int chunk) {
    std::vector<std::vector<Tensor>> all;
    for (int r = 0; r < n; ++r)
        all.emplace_back(static_cast<std::size_t>(n), Tensor(static_cast<std::size_t>(chunk), r + 1.0));
    return all;
}

bool all_are(const std::vector<std::vector<Tensor>>& all, double sum) {
    for (const auto& gpu : all)
        for (const Tensor& chunk : gpu)
            for (const double value : chunk)
                if (value != sum) return false;
    return true;
}

std::size_t round(int at, int n) { return static_cast<std::size_t>(((at % n) + n) % n); }

} // namespace

Sent run_ring(int n, int chunk) {
    auto all = tensors(n, chunk);
    std::vector<std::int64_t> sent(static_cast<std::size_t>(n), 0);
    Sent result;
    for (int step = 0; step < 2 * (n - 1); ++step) {
        const auto before = all; // all send at the same time
        for (int r = 0; r < n; ++r) {
            const std::size_t which = round(r - step + (step < n - 1 ? 0 : n), n), next = round(r + 1, n);
            for (std::size_t i = 0; i < static_cast<std::size_t>(chunk); ++i) {
                const double value = before[static_cast<std::size_t>(r)][which][i];
                double& there = all[next][which][i];
                there = step < n - 1 ? there + value : value;
                ++sent[static_cast<std::size_t>(r)];
            }
        }
        ++result.steps;
    }
    CHECK(std::count(sent.begin(), sent.end(), sent.front()) == n); // all send alike
    result.elements = sent.front();
    result.sums_right = all_are(all, n * (n + 1) / 2.0);
    return result;
}

Sent run_switch(int n, int chunk) {
    auto all = tensors(n, chunk);
    std::vector<std::int64_t> sent(static_cast<std::size_t>(n), 0);
    std::vector<Tensor> sums;
    for (int share = 0; share < n; ++share) { // up from all, added up on the way, down to the share's owner
        Tensor sum(static_cast<std::size_t>(chunk), 0.0);
        for (int r = 0; r < n; ++r)
            for (std::size_t i = 0; i < sum.size(); ++i) {
                sum[i] += all[static_cast<std::size_t>(r)][static_cast<std::size_t>(share)][i];
                ++sent[static_cast<std::size_t>(r)];
            }
        sums.push_back(sum);
    }
    for (int owner = 0; owner < n; ++owner) // up once from the owner, down to all
        for (std::size_t i = 0; i < static_cast<std::size_t>(chunk); ++i) {
            ++sent[static_cast<std::size_t>(owner)];
            for (auto& gpu : all) gpu[static_cast<std::size_t>(owner)][i] = sums[static_cast<std::size_t>(owner)][i];
        }
    CHECK(std::count(sent.begin(), sent.end(), sent.front()) == n);
    return {sent.front(), 2, all_are(all, n * (n + 1) / 2.0)};
}

} // namespace assay::roofline_test

using namespace assay;
using namespace assay::roofline_test;

TEST_CASE("counts of a layer that was run grow with each extent: any size follows from a small one") {
    for (const bool gated : {false, true})
        for (const bool fused : {false, true}) {
            const Counted one = run_layer(1, 1, 1, gated, fused);
            for (const int tokens : {1, 2, 5})
                for (const int d : {1, 3, 4})
                    for (const int columns : {1, 2, 7}) {
                        const Counted c = run_layer(tokens, d, columns, gated, fused);
                        CHECK(c.flops == one.flops * tokens * d * columns);
                        CHECK(c.weights == one.weights * d * columns);
                        CHECK(c.edges == one.edges * tokens * d);
                        CHECK(c.hiddens == one.hiddens * tokens * columns);
                    }
        }
}

TEST_CASE("what a GPU sends in a ring or to a switch grows with the chunk, and the sums come out right") {
    for (int n = 1; n <= 12; ++n)
        for (const int chunk : {1, 3}) {
            const Sent ring = run_ring(n, chunk);
            CHECK(ring.sums_right);
            CHECK(ring.elements == run_ring(n, 1).elements * chunk);
            if (n == 1) continue;
            const Sent inside = run_switch(n, chunk);
            CHECK(inside.sums_right);
            CHECK(inside.elements == run_switch(n, 1).elements * chunk);
        }
}
