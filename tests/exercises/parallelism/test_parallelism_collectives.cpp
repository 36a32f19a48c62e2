// What `parallelism` leans on in the virtual ranks, beyond tests/worker: random collectives, rounding, failures late in
// a run, many ranks.
#include "catch.hpp"
#include "core/random.hpp"
#include "worker/ranks.hpp"

#include <cstring>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Matrix {
    std::ptrdiff_t rows, columns;
    std::vector<float> values;
    Matrix(std::ptrdiff_t r, std::ptrdiff_t c) : rows(r), columns(c), values(static_cast<std::size_t>(r * c), -1.0f) {}
    float& operator()(std::ptrdiff_t i, std::ptrdiff_t j) { return values[static_cast<std::size_t>(i * columns + j)]; }
    tensor<float, 2> view() {
        const std::ptrdiff_t extents[] = {rows, columns}, strides[] = {columns, 1};
        return {values.data(), extents, strides};
    }
};

tensor<float, 1> view(std::vector<float>& values, std::ptrdiff_t stride = 1) {
    const std::ptrdiff_t extents[] = {static_cast<std::ptrdiff_t>(values.size()) / stride}, strides[] = {stride};
    return {values.data(), extents, strides};
}

/// What run_ranks throws, as text.
std::string refused(int ranks, const std::function<void(communicator&)>& body) {
    try {
        run_ranks(ranks, body);
    } catch (const collective_error& error) {
        return error.what();
    }
    return "nothing";
}

} // namespace

TEST_CASE("random collectives: sums, joins and pieces, and bytes by the formula") {
    Random random(1, "collectives");
    for (int trial = 0; trial < 100; ++trial) {
        const auto n = static_cast<int>(random.integer(1, 7));
        const std::ptrdiff_t rows = random.integer(1, 4), columns = random.integer(1, 4);
        const int axis = static_cast<int>(random.integer(0, 1));
        const auto content = [&](int rank, std::ptrdiff_t i, std::ptrdiff_t j) {
            return static_cast<float>(100 * rank + 10 * i + j + trial);
        };
        const std::ptrdiff_t all_rows = axis == 0 ? n * rows : rows, all_columns = axis == 1 ? n * columns : columns;
        const std::vector<Traffic> traffic = run_ranks(n, [&](communicator& group) {
            const int rank = group.rank();
            Matrix part(rows, columns), whole(all_rows, all_columns);
            for (std::ptrdiff_t i = 0; i < rows; ++i)
                for (std::ptrdiff_t j = 0; j < columns; ++j) part(i, j) = content(rank, i, j);
            group.all_gather(part.view(), whole.view(), axis);
            for (std::ptrdiff_t i = 0; i < all_rows; ++i)
                for (std::ptrdiff_t j = 0; j < all_columns; ++j) {
                    const auto from = static_cast<int>(axis == 0 ? i / rows : j / columns);
                    REQUIRE(whole(i, j) == content(from, i % rows, j % columns));
                    whole(i, j) = content(rank, i, j);
                }
            const auto sum = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
                float total = 0;
                for (int r = 0; r < n; ++r) total += content(r, i, j);
                return total;
            };
            group.reduce_scatter(whole.view(), part.view(), axis);
            for (std::ptrdiff_t i = 0; i < rows; ++i)
                for (std::ptrdiff_t j = 0; j < columns; ++j)
                    REQUIRE(part(i, j) == sum(axis == 0 ? rank * rows + i : i, axis == 1 ? rank * columns + j : j));
            group.all_reduce(whole.view());
            for (std::ptrdiff_t i = 0; i < all_rows; ++i)
                for (std::ptrdiff_t j = 0; j < all_columns; ++j) REQUIRE(whole(i, j) == sum(i, j));
        });
        // (n - 1) / n of the whole for a gather and for a scatter, twice that for an all_reduce: in whole parts.
        const double part_bytes = static_cast<double>(rows * columns) * 4;
        for (const Traffic& one : traffic) {
            CHECK(one.sent_bytes == Approx(4 * (n - 1) * part_bytes).epsilon(1e-14));
            CHECK(one.collectives == 3);
        }
    }
}

TEST_CASE("vectors, steps between elements, and a gather into the buffer that holds the part") {
    run_ranks(3, [](communicator& group) {
        std::vector<float> stepped{1.0f * static_cast<float>(group.rank()), 50, 2,
                                   60}; // elements 0 and 2; 1 and 3 are gaps
        group.all_reduce(view(stepped, 2));
        REQUIRE(stepped == std::vector<float>{3, 50, 6, 60});
        std::vector<float> whole(6, 7.0f + static_cast<float>(group.rank()));
        const std::ptrdiff_t extents[] = {2}, strides[] = {1};
        const tensor<float, 1> own(whole.data() + 2 * group.rank(), extents, strides);
        group.all_gather(own, view(whole));
        REQUIRE(whole == std::vector<float>{7, 7, 8, 8, 9, 9});
        std::vector<float> piece(2);
        group.reduce_scatter(view(whole), view(piece));
        REQUIRE(piece == std::vector<float>(2, 3.0f * (7.0f + static_cast<float>(group.rank()))));
    });
}

TEST_CASE("a reduction is rounded once, whatever the order of ranks") {
    // In float32 from the left 2^24 + 1 + 1 + ... stays where it is.
    run_ranks(9, [](communicator& group) {
        std::vector<float> value{group.rank() == 0 ? 0x1p24f : 1.0f};
        group.all_reduce(view(value));
        REQUIRE(value[0] == 0x1p24f + 8.0f);
    });
}

TEST_CASE("alone, a rank sends nothing and gets its own") {
    const std::vector<Traffic> traffic = run_ranks(1, [](communicator& group) {
        std::vector<float> a{1, 2}, b(2);
        group.all_reduce(view(a));
        group.all_gather(view(a), view(b));
        group.reduce_scatter(view(b), view(a));
        REQUIRE(a == std::vector<float>{1, 2});
    });
    CHECK(traffic.front().sent_bytes == 0);
    CHECK(traffic.front().collectives == 3);
}

TEST_CASE("collectives that do not fit together name both ranks and end all of them") {
    const auto reduce = [](communicator& group, std::size_t length) {
        std::vector<float> a(length);
        group.all_reduce(view(a));
    };
    CHECK(refused(3, [&](communicator& group) {
              if (group.rank() != 1) reduce(group, 2);
          }) == "rank 0 waits in all_reduce, but rank 1 has returned: every rank makes the same collective calls");
    CHECK(refused(3, [&](communicator& group) {
              if (group.rank() == 2) reduce(group, 2);
          }) == "rank 2 waits in all_reduce, but rank 0 has returned: every rank makes the same collective calls");
    CHECK(
        refused(2, [&](communicator& group) {
            std::vector<float> a(2), b(4);
            if (group.rank() == 0)
                group.all_gather(view(a), view(b));
            else
                reduce(group, 2);
        }) == "rank 0 waits in all_gather, but rank 1 waits in all_reduce: every rank makes the same collective calls");
    CHECK(refused(4, [&](communicator& group) { reduce(group, group.rank() == 3 ? 3 : 2); }) ==
          "all_reduce has extents (1, 2) on rank 0 and (1, 3) on rank 3: they must be equal");
    CHECK(refused(2, [&](communicator& group) {
              Matrix a(2, 2), b(4, 2), c(2, 4);
              if (group.rank() == 0)
                  group.all_gather(a.view(), b.view(), 0);
              else
                  group.all_gather(a.view(), c.view(), 1);
          }).find("all_gather has") == 0);
    CHECK(refused(3, [&](communicator& group) {
              std::vector<float> a(2), b(5);
              group.all_gather(view(a), view(b));
          }).find("which do not make") != std::string::npos);
    CHECK(refused(2, [&](communicator& group) {
              Matrix a(2, 2), b(4, 2);
              group.all_gather(a.view(), b.view(), 2);
          }) == "a collective's axis is 0 or 1 for a matrix");
}

TEST_CASE("what a rank throws is what comes out, while the others wait") {
    for (const int thrower : {0, 1, 2}) try {
            run_ranks(3, [&](communicator& group) {
                std::vector<float> a(2);
                group.all_reduce(view(a));
                if (group.rank() == thrower) throw std::runtime_error("rank " + std::to_string(thrower));
                group.all_reduce(view(a));
            });
            FAIL("nothing was thrown");
        } catch (const std::runtime_error& error) {
            CHECK(error.what() == "rank " + std::to_string(thrower));
        }
}

TEST_CASE("sixty-four ranks, a hundred collectives") {
    const std::vector<Traffic> traffic = run_ranks(64, [](communicator& group) {
        std::vector<float> a{1};
        for (int turn = 0; turn < 100; ++turn) {
            group.all_reduce(view(a));
            REQUIRE(a[0] == 64);
            a[0] = 1;
        }
    });
    for (const Traffic& one : traffic) CHECK(one.collectives == 100);
}
