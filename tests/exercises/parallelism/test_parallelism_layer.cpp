// Levels shard, forward and sequence of `parallelism`: parts that join to the whole, and a sharded layer that equals
// the unsharded one, with bytes that the ring really counts.
#include "exercises/parallelism/unsharded.hpp"
#include "worker/ranks.hpp"

#include <cmath>

using namespace assay;
using namespace assay::parallelism_test;

namespace {

/// The first random problem of `route` from `seed` on.
Problem random_of(std::string_view route, std::uint64_t& seed) {
    for (;; ++seed) {
        Problem problem = parallelism().random(seed);
        if (problem.route != route) continue;
        ++seed;
        return problem;
    }
}

tensor<float, 2> view(std::vector<float>& values, std::ptrdiff_t rows, std::ptrdiff_t columns) {
    values.resize(static_cast<std::size_t>(rows * columns));
    const std::ptrdiff_t extents[] = {rows, columns}, strides[] = {columns, 1};
    return {values.data(), extents, strides};
}

} // namespace

TEST_CASE("the statement's layer on two ranks, by hand") {
    const auto array = [](Index extents, std::vector<double> values) {
        return Array::of(Dtype::f32, std::move(extents), values);
    };
    const Problem whole{"shard",
                        {{"ranks", std::int64_t{2}, {}},
                         {"w1", array({2, 2, 3}, {1, 0, -1, 0, 1, 1, 1, 0, -1, 0, 1, 1}), {}},
                         {"b1", array({2, 3}, {0, -1, 1, 0, -1, 1}), {}},
                         {"w2", array({2, 3, 2}, {1, 0, 0, 1, 1, -1, 1, 0, 0, 1, 1, -1}), {}},
                         {"w1_part", Array::zeros(Dtype::f32, {2, 2, 2}), {}},
                         {"b1_part", Array::zeros(Dtype::f32, {2, 2}), {}},
                         {"w2_part", Array::zeros(Dtype::f32, {2, 2, 2}), {}}}};
    REQUIRE(parallelism().valid(whole));
    const Truths parts = truths_of(whole);
    CHECK(item(parts, "w1_part").value == std::vector<double>{1, 0, 0, 1, -1, 0, 1, 0});
    CHECK(item(parts, "b1_part").value == std::vector<double>{0, -1, 1, 0});
    CHECK(item(parts, "w2_part").value == std::vector<double>{1, 0, 0, 1, 1, -1, 0, 0});
    const auto part = [&](const char* name) { return array(item(parts, name).extents, item(parts, name).value); };
    const Problem layer{"forward",
                        {{"ranks", std::int64_t{2}, {}},
                         {"x", array({2, 1, 2}, {1, 2, 1, 2}), {}},
                         {"w1_part", part("w1_part"), {}},
                         {"b1_part", part("b1_part"), {}},
                         {"w2_part", part("w2_part"), {}},
                         {"b2", array({2, 2}, {0.5, 0.5, 0.5, 0.5}), {}},
                         {"y", Array::zeros(Dtype::f32, {2, 1, 2}), {}}}};
    REQUIRE(parallelism().valid(layer));
    const Truths truths = truths_of(layer);
    CHECK(item(truths, "y").value == std::vector<double>{5.5, -2.5, 5.5, -2.5});
    CHECK(item(truths, "sent_bytes").value == std::vector<double>{8, 8});
    const auto alone = parallelism().oracle(layer, "reduce-forgotten", 0); // a rank's partial sum and b2
    REQUIRE(alone);
    CHECK(item(*alone, "y").value == std::vector<double>{1.5, 1.5, 4.5, -3.5});
}

TEST_CASE("200 random layers: the parts joined along the hidden axis are the whole weights, then zeros") {
    std::uint64_t seed = 1000;
    for (int trial = 0; trial < 200; ++trial) {
        const Problem problem = random_of("shard", seed);
        const Array &w1 = problem.array("w1"), &b1 = problem.array("b1"), &w2 = problem.array("w2");
        const std::int64_t n = problem.integer("ranks"), d = w1.extents[1], f = w1.extents[2];
        const Truths truths = truths_of(problem);
        const Truth &w1_part = item(truths, "w1_part"), &b1_part = item(truths, "b1_part"),
                    &w2_part = item(truths, "w2_part");
        const std::int64_t width = b1_part.extents[1];
        INFO("n " << n << " d " << d << " f " << f << " width " << width);
        REQUIRE(width * n >= f);
        REQUIRE((width - 1) * n < f);
        std::int64_t unit = 0; // walks the ranks' places in order
        for (std::int64_t r = 0; r < n; ++r)
            for (std::int64_t j = 0; j < width; ++j, ++unit) {
                const bool exists = unit < f;
                CHECK(b1_part.value[static_cast<std::size_t>(r * width + j)] == (exists ? b1.at({0, unit}) : 0));
                for (std::int64_t i = 0; i < d; ++i) {
                    CHECK(w1_part.value[static_cast<std::size_t>((r * d + i) * width + j)] ==
                          (exists ? w1.at({0, i, unit}) : 0));
                    CHECK(w2_part.value[static_cast<std::size_t>((r * width + j) * d + i)] ==
                          (exists ? w2.at({0, unit, i}) : 0));
                }
            }
    }
}

TEST_CASE("200 random layers on ranks equal the unsharded layer") {
    std::uint64_t seed = 5000;
    for (int trial = 0; trial < 200; ++trial) {
        const Problem problem = random_of(trial % 2 == 0 ? "forward" : "sequence", seed);
        const Unsharded whole(problem);
        const std::vector<long double> exact = whole.exact();
        const Truths truths = truths_of(problem);
        const Truth& y = truths.front();
        INFO(problem.route << " n " << whole.n << " T " << whole.tokens << " d " << whole.d << " f " << whole.f);
        std::size_t k = 0;
        for_each_index(y.extents, [&](const Index& at) {
            const auto right = static_cast<double>(exact[place_in_whole(problem, at, whole.d)]);
            CHECK(std::fabs(y.value[k] - right) <= 1e-4 * y.bound[k]); // far inside of what float32 may lose
            ++k;
        });
    }
}

TEST_CASE("bytes and calls are those that a group of ranks counts") {
    std::uint64_t seed = 9000;
    for (int trial = 0; trial < 60; ++trial) {
        const bool split = trial % 2 == 1;
        const Problem problem = random_of(split ? "sequence" : "forward", seed);
        const Unsharded whole(problem);
        const std::int64_t n = whole.n, rows = whole.tokens / n;
        const std::vector<Traffic> traffic = run_ranks(static_cast<int>(n), [&](communicator& group) {
            std::vector<float> a, b;
            const auto all = view(a, whole.tokens, whole.d);
            if (split) {
                const auto part = view(b, rows, whole.d);
                group.all_gather(part, all, 0);
                group.reduce_scatter(all, part, 0);
            } else {
                group.all_reduce(all);
            }
        });
        const Truths truths = truths_of(problem);
        const Truth& sent = item(truths, "sent_bytes");
        REQUIRE(sent.value.size() == static_cast<std::size_t>(n));
        for (std::size_t r = 0; r < sent.value.size(); ++r)
            CHECK(std::fabs(sent.value[r] - traffic[r].sent_bytes) <= sent.bound[r]);
        const double formula =
            2.0 * static_cast<double>(n - 1) * static_cast<double>(whole.tokens * whole.d * 4) / static_cast<double>(n);
        CHECK(sent.value.front() == Approx(formula).epsilon(1e-14));
        if (n == 1) {
            for (const Truth& truth : truths) CHECK(truth.name != "collectives"); // alone, a rank need not call
        } else {
            const Truth& calls = item(truths, "collectives");
            for (std::size_t r = 0; r < sent.value.size(); ++r)
                CHECK(calls.value[r] == static_cast<double>(traffic[r].collectives));
        }
    }
}

TEST_CASE("level traffic counts what levels forward and sequence send, and a layer split by rows first") {
    for (const std::int64_t n : {2, 3, 5}) {
        const std::int64_t T = n * 2, d = 7, f = 11;
        const auto sent = [&](const std::function<void(communicator&)>& body) {
            return run_ranks(static_cast<int>(n), body).front().sent_bytes;
        };
        const Truths bytes = truths_of(traffic_of(T, d, f, n, 4));
        CHECK(value(bytes, "all_reduce") == Approx(sent([&](communicator& group) {
                                                std::vector<float> a;
                                                group.all_reduce(view(a, T, d));
                                            })).epsilon(1e-14));
        CHECK(value(bytes, "sequence") == Approx(sent([&](communicator& group) {
                                              std::vector<float> a, b;
                                              group.all_gather(view(a, T / n, d), view(b, T, d), 0);
                                              group.reduce_scatter(view(b, T, d), view(a, T / n, d), 0);
                                          })).epsilon(1e-14));
        CHECK(value(bytes, "gathered_sums") == Approx(sent([&](communicator& group) {
                                                   std::vector<float> a, b;
                                                   group.all_gather(view(a, T, d), view(b, n * T, d), 0);
                                               })).epsilon(1e-14));
        CHECK(value(bytes, "rows_first") == Approx(sent([&](communicator& group) {
                                                std::vector<float> a, b, c;
                                                group.all_reduce(view(a, T, f));
                                                group.all_gather(view(b, T / n, d), view(c, T, d), 0);
                                            })).epsilon(1e-14));
    }
}

TEST_CASE("cases are what their names say") {
    const auto extents = [](const char* id, const char* tensor) { return problem_of(id).array(tensor).extents; };
    CHECK(extents("padded", "b1_part") == Index{3, 4});
    CHECK(extents("padded", "b1") == Index{3, 10});
    CHECK(extents("rank-without-units", "b1_part") == Index{4, 2});
    CHECK(extents("more-ranks-than-units", "b1_part") == Index{5, 1});
    CHECK(problem_of("bias").integer("ranks") == 3);
    for (const double b : problem_of("bias").array("b2").values()) CHECK(b != 0);
    for (const double b : problem_of("two-ranks").array("b2").values()) CHECK(b == 0);
    CHECK_FALSE(problem_of("strided").array("w1_part").is_contiguous());
    CHECK_FALSE(problem_of("strided-views").array("y").is_contiguous());
    CHECK_FALSE(problem_of("strided-tokens").array("x_part").is_contiguous());
    const Problem padded = problem_of("padded-parts"); // the last rank's places behind the tenth unit
    for (const std::int64_t place : {2, 3}) {
        CHECK(padded.array("b1_part").at({2, place}) == 0);
        for (std::int64_t i = 0; i < 5; ++i) {
            CHECK(padded.array("w1_part").at({2, i, place}) == 0);
            CHECK(padded.array("w2_part").at({2, place, i}) == 0);
        }
    }
}
