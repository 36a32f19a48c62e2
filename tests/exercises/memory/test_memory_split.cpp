// The oracle of `memory` against shares counted column by column, messages sent round a ring, and matrices put on GPUs
// one after another.
#include "exercises/memory/ask.hpp"
#include "exercises/memory/ring.hpp"

using namespace assay;
using namespace assay::memory_test;

namespace {

constexpr int draws = 200;

} // namespace

TEST_CASE("one matmul on several GPUs, by columns, rows and messages") {
    Random random(7, "split");
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t gpus = random.integer(1, 7), m = random.integer(0, 9), k = gpus * random.integer(0, 5),
                           n = gpus * random.integer(0, 5), by = random.integer(0, 2);
        std::int64_t x = 0, w = 0, y = 0; // elements on the first GPU
        for (std::int64_t i = 0; i < k; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                if (by == 2 || (by == 0 ? j : i) % gpus == 0) ++w;
        for (std::int64_t i = 0; i < k; ++i)
            if (by != 1 || i % gpus == 0) x += m; // the columns of X that meet its rows of W
        for (std::int64_t j = 0; j < n; ++j)
            if (by != 0 || j % gpus == 0) y += m;
        const Items items("split_matmul", with(product(m, k, n, 16), {{"by", by}, {"gpus", gpus}}));
        CHECK(items["x"] == static_cast<double>(2 * x));
        CHECK(items["w"] == static_cast<double>(2 * w));
        CHECK(items["y"] == static_cast<double>(2 * y));
        CHECK(items["total"] == static_cast<double>(2 * (x + w + y)));
        const auto whole_y = static_cast<double>(2 * m * n);
        const double sent = by == 0    ? gather_bytes(gpus, whole_y)
                            : by == 1  ? reduce_bytes(gpus, whole_y)
                            : gpus > 1 ? whole_y
                                       : 0;
        CHECK(near(items["sent"], sent));
    }
}

TEST_CASE("the least GPUs, by putting matrices on GPUs one after another") {
    Random random(8, "fit");
    const double none = std::numeric_limits<double>::infinity();
    for (int draw = 0; draw < draws; ++draw) {
        const std::int64_t layers = random.integer(1, 30), d = 64 * random.integer(1, 40),
                           hidden = 30 * random.integer(1, 50), bytes = random.integer(1, 18),
                           node = random.integer(1, 12), room = (std::int64_t{1} << 20) * random.integer(1, 60);
        const Items items("least_gpus", {{"layers", layers},
                                         {"d_model", d},
                                         {"hidden", hidden},
                                         {"bytes_per_parameter", bytes},
                                         {"node", node},
                                         {"memory_gib", static_cast<double>(room) / gib}});
        const std::int64_t matrix = d * hidden * bytes;
        // Stages for parts of a matrix's t-th; 0 where one does not fit.
        const auto stages_of = [&](std::int64_t t) {
            std::int64_t stages = 1, used = 0;
            for (std::int64_t layer = 0; layer < layers; ++layer) {
                if (matrix / t > room) return std::int64_t{0};
                if (used + matrix / t > room) {
                    ++stages;
                    used = 0;
                }
                used += matrix / t;
            }
            return stages;
        };
        std::int64_t least = 0;
        for (std::int64_t left = matrix * layers; left > 0; left -= room) ++least;
        double stages = none, ranks = none, tensor = none, gpus = none;
        for (std::int64_t t = 1; t <= node; ++t) {
            if (hidden % t != 0) continue;
            const std::int64_t needed = stages_of(t);
            if (needed == 0) continue;
            if (t == 1) stages = static_cast<double>(needed);
            if (needed == 1 && ranks == none) ranks = static_cast<double>(t);
            if (static_cast<double>(t * needed) < gpus) {
                gpus = static_cast<double>(t * needed);
                tensor = static_cast<double>(t);
            }
        }
        CHECK(items["matrix"] == static_cast<double>(matrix));
        CHECK(items["total"] == static_cast<double>(matrix * layers));
        CHECK(items["least"] == static_cast<double>(least));
        CHECK(items["stages"] == stages);
        CHECK(items["ranks"] == ranks);
        CHECK(items["tensor"] == tensor);
        CHECK(items["gpus"] == gpus);
    }
}
