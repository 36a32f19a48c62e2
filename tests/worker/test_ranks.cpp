// Virtual ranks: what a collective does, what it costs, and what is said where the ranks do not agree.
#include "catch.hpp"

#include "worker/ranks.hpp"

#include <algorithm>
#include <numeric>

using namespace assay;

namespace {

/// A dense matrix of its own.
struct Owned {
    std::ptrdiff_t rows, columns;
    std::vector<float> values;
    Owned(std::ptrdiff_t r, std::ptrdiff_t c, float first = 0)
        : rows(r), columns(c), values(static_cast<std::size_t>(r * c)) {
        std::iota(values.begin(), values.end(), first);
    }
    tensor<float, 2> view() {
        const std::ptrdiff_t extents[] = {rows, columns}, strides[] = {columns, 1};
        return {values.data(), extents, strides};
    }
};

std::string error_of(int ranks, const std::function<void(communicator&)>& body) {
    try {
        run_ranks(ranks, body);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("an all-reduce sums over the ranks and sends 2 (n - 1) / n of the bytes") {
    for (const int n : {1, 2, 3, 7}) {
        std::vector<float> seen(static_cast<std::size_t>(n));
        const std::vector<Traffic> traffic = run_ranks(n, [&](communicator& group) {
            CHECK(group.size() == n);
            Owned buffer(2, 3, static_cast<float>(10 * group.rank()));
            group.all_reduce(buffer.view());
            seen[static_cast<std::size_t>(group.rank())] = buffer.view()(1, 2);
        });
        const float sum = static_cast<float>(5 * n + 10 * n * (n - 1) / 2);
        CHECK(std::count(seen.begin(), seen.end(), sum) == n);
        for (const Traffic& one : traffic) {
            CHECK(one.sent_bytes == Approx(2.0 * (n - 1) / n * 24));
            CHECK(one.collectives == 1);
        }
    }
}

TEST_CASE("parts are gathered in order of rank along either axis, and scattered back") {
    for (const int axis : {0, 1}) {
        run_ranks(3, [&](communicator& group) {
            Owned part(2, 2, static_cast<float>(100 * group.rank()));
            Owned whole(axis == 0 ? 6 : 2, axis == 0 ? 2 : 6);
            group.all_gather(part.view(), whole.view(), axis);
            for (int rank = 0; rank < 3; ++rank)
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j)
                        CHECK(whole.view()(axis == 0 ? 2 * rank + i : i, axis == 0 ? j : 2 * rank + j) ==
                              static_cast<float>(100 * rank + 2 * i + j));
            Owned piece(2, 2);
            group.reduce_scatter(whole.view(), piece.view(), axis);
            CHECK(piece.view()(1, 0) == static_cast<float>(3 * (100 * group.rank() + 2)));
        });
    }
}

TEST_CASE("an all-reduce moves as much as a reduce-scatter and an all-gather") {
    const std::vector<Traffic> one = run_ranks(5, [](communicator& group) {
        Owned buffer(5, 4);
        group.all_reduce(buffer.view());
    });
    const std::vector<Traffic> two = run_ranks(5, [](communicator& group) {
        Owned buffer(5, 4), piece(1, 4);
        group.reduce_scatter(buffer.view(), piece.view(), 0);
        group.all_gather(piece.view(), buffer.view(), 0);
    });
    for (std::size_t rank = 0; rank < 5; ++rank) CHECK(one[rank].sent_bytes == Approx(two[rank].sent_bytes));
}

TEST_CASE("ranks run one at a time, in order") {
    std::vector<int> order;
    run_ranks(3, [&](communicator& group) {
        Owned buffer(1, 1);
        order.push_back(group.rank());
        group.all_reduce(buffer.view());
        order.push_back(group.rank());
    });
    REQUIRE(order.size() == 6);
    CHECK(std::vector<int>(order.begin(), order.begin() + 3) == std::vector<int>{0, 1, 2});
    std::sort(order.begin() + 3, order.end());
    CHECK(std::vector<int>(order.begin() + 3, order.end()) == std::vector<int>{0, 1, 2});
}

TEST_CASE("ranks that do not agree are told which of them and how, and none waits for ever") {
    CHECK(error_of(3, [](communicator& group) {
              Owned buffer(1, 1);
              if (group.rank() != 1) group.all_reduce(buffer.view());
          }) == "rank 0 waits in all_reduce, but rank 1 has returned: every rank makes the same collective calls");
    CHECK(
        error_of(2, [](communicator& group) {
            Owned part(1, 1), whole(2, 1);
            if (group.rank() == 0)
                group.all_reduce(part.view());
            else
                group.all_gather(part.view(), whole.view(), 0);
        }) == "rank 0 waits in all_reduce, but rank 1 waits in all_gather: every rank makes the same collective calls");
    CHECK(error_of(2, [](communicator& group) {
              Owned buffer(1, 1 + group.rank());
              group.all_reduce(buffer.view());
          }).find("(1, 1) on rank 0 and (1, 2) on rank 1") != std::string::npos);
    CHECK(error_of(2, [](communicator& group) {
              Owned part(1, 2), whole(1, 5);
              group.all_gather(part.view(), whole.view(), 1);
          }).find("do not make (1, 5)") != std::string::npos);
    CHECK(error_of(2, [](communicator& group) {
              Owned part(1, 2);
              group.all_gather(part.view(), part.view(), 2);
          }).find("axis is 0 or 1") != std::string::npos);
}

TEST_CASE("what one rank throws ends the others and comes out") {
    struct Own {};
    int after = 0;
    CHECK_THROWS_AS(run_ranks(4,
                              [&](communicator& group) {
                                  Owned buffer(1, 1);
                                  if (group.rank() == 2) throw Own{};
                                  group.all_reduce(buffer.view());
                                  ++after;
                              }),
                    Own);
    CHECK(after == 0);
}

TEST_CASE("strided and aliased buffers are gathered rightly") {
    run_ranks(2, [&](communicator& group) {
        std::vector<float> storage(8, static_cast<float>(group.rank() + 1));
        const std::ptrdiff_t extents[] = {2}, strides[] = {2}, four[] = {4}, one[] = {1};
        const tensor<float, 1> part(storage.data(), extents, strides);
        group.all_gather(part, tensor<float, 1>(storage.data(), four, one));
        CHECK(std::vector<float>(storage.begin(), storage.begin() + 4) == std::vector<float>{1, 1, 2, 2});
    });
}
