// Levels costs and crossover.
#include "cases.hpp"

namespace assay::long_attention_judge {

namespace {

Case fixed(std::string id, std::string why, Problem problem, std::string stays = "") {
    return {std::move(id), std::move(why), [problem = std::move(problem)](std::uint64_t) { return problem; },
            std::move(stays)};
}

/// 1 to 2^bits, every order of magnitude as likely as another.
std::int64_t size(Random& random, int bits) { return random.integer(1, std::int64_t{1} << random.integer(1, bits)); }

Problem cost_drawn(Random& random, std::int64_t method) {
    Setup s{};
    s.block = size(random, 9);
    s.tokens = (method == by_blocks ? s.block : 1) * size(random, 12);
    s.heads = size(random, 6);
    s.head_dim = size(random, 8);
    s.element_bytes = random.integer(1, 8);
    s.window = size(random, 10);
    s.rank = size(random, 9);
    s.features = size(random, 9);
    return cost_problem(method, s);
}

Case seeded(std::string id, std::int64_t method) {
    Case one;
    one.id = id;
    one.why = "numbers that change with the seed";
    one.stays = "no answer can be learnt by heart";
    one.make = [id = std::move(id), method](std::uint64_t seed) {
        Random random(seed, id);
        return cost_drawn(random, method);
    };
    return one;
}

} // namespace

std::vector<Case> cost_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, std::int64_t method, const Setup& setup,
                         std::string stays = "") {
        cases.push_back(fixed(std::move(id), std::move(why), cost_problem(method, setup), std::move(stays)));
    };
    add("naive-1000", "1000 tokens, 12 heads of 64, 16-bit elements: all of L²", by_naive, {1000, 12, 64, 2});
    add("naive-70000", "4.9e9 pairs a head: more than 32 bits count", by_naive, {70000, 3, 40, 2});
    add("naive-4e9", "1.6e19 pairs: more than a 64-bit integer counts", by_naive, {4000000000, 1, 64, 2});
    add("blockwise-960", "10 blocks of 96, 55 of 100 block pairs on or below the diagonal", by_blocks,
        {960, 5, 48, 2, 96});
    add("blockwise-one", "one block: all pairs of the square", by_blocks, {96, 3, 48, 4, 96}, "n = 1");
    add("blocks-of-one", "blocks of one token skip every pair above the diagonal", by_blocks, {37, 3, 20, 2, 1},
        "the other edge");
    add("blocks-uneven", "96 does not divide 1000: nothing is set", by_blocks, {1000, 5, 48, 2, 96});
    add("window-130", "a window of 130 over 1000 tokens", by_window, {1000, 7, 48, 2, 1, 130});
    add("window-past-length", "a window of 130 over 77 tokens: cut to the sequence", by_window, {77, 7, 48, 2, 1, 130});
    add("window-of-self", "a window of 1: each token attends itself", by_window, {77, 7, 48, 4, 1, 1}, "w = 1");
    add("rank-24", "keys and values projected to 24 rows", by_rank, {1000, 7, 40, 2, 1, 1, 24});
    add("elu-40", "elu + 1: as many features as the head has dimensions", by_elu, {1000, 7, 40, 2, 1, 1, 1, 96});
    add("random-96", "96 random features of 40 dimensions", by_random, {1000, 7, 40, 2, 1, 1, 1, 96});
    add("no-window", "a window of 0 is out of range for a window", by_window, {1000, 7, 40, 2, 1, 0},
        "each method checks its own count");
    add("window-unread", "a window of 0 is nothing to the naive method", by_naive, {100, 7, 40, 2, 0, 0, 0, 0},
        "a method reads only what it needs");
    add("no-tokens", "0 tokens are out of range", by_elu, {0, 7, 40, 2}, "the lower edge");
    add("negative-heads", "-3 heads are out of range", by_naive, {100, -3, 40, 2}, "a sign that products may hide");
    const char* const names[] = {"naive", "blockwise", "window", "low-rank", "linear", "random"};
    for (std::int64_t method = 0; method < 6; ++method)
        cases.push_back(seeded(std::string("seeded-") + names[method], method));
    return cases;
}

std::vector<Case> crossover_cases() {
    std::vector<Case> cases;
    cases.push_back(fixed("cross-64", "head of 64, rank 96, 160 features", crossover_problem(64, 96, 160)));
    cases.push_back(fixed("cross-out-of-range", "a rank of 0: nothing is set", crossover_problem(64, 0, 160)));
    cases.push_back(fixed("cross-small", "head of 5, rank 3, 7 features", crossover_problem(5, 3, 7),
                          "rounding shows most where lengths are short"));
    cases.push_back(fixed("cross-one", "all of them 1", crossover_problem(1, 1, 1), "the lower edge"));
    cases.push_back({"cross-seeded", "numbers that change with the seed",
                     [](std::uint64_t seed) {
                         Random random(seed, "cross-seeded");
                         // 3 features in 4 dimensions may meet a whole number; odd dimensions above all features do not
                         const std::int64_t D = 2 * random.integer(300, 500) + 1, rank = size(random, 9);
                         return crossover_problem(D, rank, size(random, 8));
                     },
                     "no answer can be learnt by heart"});
    return cases;
}

} // namespace assay::long_attention_judge
