// Cases of the calculators (traffic, bubble) and of the schedules.
#include "cases.hpp"

#include <limits>

namespace assay::parallelism_judge {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 53;

struct Layer {
    std::int64_t tokens = 5, d_model = 7, hidden = 12, ranks = 3, element_bytes = 2;
};

Problem problem_of(const Layer& l) {
    return {"count_traffic",
            {{"tokens", l.tokens, {}},
             {"d_model", l.d_model, {}},
             {"hidden", l.hidden, {}},
             {"ranks", l.ranks, {}},
             {"element_bytes", l.element_bytes, {}}}};
}

struct Plan {
    std::int64_t kind = 1, stages = 4, micro_batches = 8, stage = 1;
    double forward_time = 0.25, backward_time = 0.625;
    std::int64_t activation_bytes = 1000, of = 0;
};

Problem problem_of(const Plan& p) {
    return {"count_bubble",
            {{"kind", p.kind, {}},
             {"stages", p.stages, {}},
             {"micro_batches", p.micro_batches, {}},
             {"stage", p.stage, {}},
             {"forward_time", p.forward_time, {}},
             {"backward_time", p.backward_time, {}},
             {"activation_bytes", p.activation_bytes, {}},
             {"of", p.of, {}}}};
}

struct Schedule {
    std::int64_t kind = 1, stages = 4, micro_batches = 8;
};

Problem problem_of(const Schedule& s) {
    return {"write_schedule",
            {{"kind", s.kind, {}},
             {"stages", s.stages, {}},
             {"micro_batches", s.micro_batches, {}},
             {"order", Array::zeros(Dtype::i64, {s.stages, 2 * s.micro_batches}), {"", ""}}}};
}

template <class Question> Case ask(std::string id, std::string why, const Question& question, std::string stays = "") {
    return {std::move(id), std::move(why), [question](std::uint64_t) { return problem_of(question); },
            std::move(stays)};
}

const std::string edge = "an invalid input: everything stays unset, and nothing is divided by it";

} // namespace

std::vector<Case> traffic_cases() {
    return {
        ask("small-layer", "numbers to follow by hand: n = 3, d = 7, f = 12, two bytes an element", Layer{}),
        ask("odd-hidden", "11 hidden units on 3 ranks are held as 12", Layer{5, 7, 11, 3, 2}),
        ask("llama-8b", "d = 4096, f = 14336 on 8 GPUs, 4096 tokens of bfloat16", Layer{4096, 4096, 14336, 8, 2},
            "figures of the order one meets"),
        ask("single-rank", "n = 1 sends nothing", Layer{5, 7, 12, 1, 2}, "every sent item is exactly 0"),
        ask("beyond-int32", "T d is above 2^31", Layer{100003, 50021, 40009, 6, 2},
            "a product in 32-bit integers, which the oracle does not play"),
        ask("beyond-int64", "T d and T f times the bytes are above 2^63", Layer{most, 900007, 70000001, 5, 8}),
        ask("no-ranks", "n = 0", Layer{5, 7, 12, 0, 2}, edge),
        ask("no-tokens", "T = 0", Layer{0, 7, 12, 3, 2}, edge),
        ask("no-features", "d = 0", Layer{5, 0, 12, 3, 2}, edge),
        ask("negative-hidden", "f = -12", Layer{5, 7, -12, 3, 2}, edge),
        ask("no-bytes", "elements of 0 bytes", Layer{5, 7, 12, 3, 0}, edge),
        ask("too-many-tokens", "T = 2^53 + 1", Layer{most + 1, 7, 12, 3, 2}, edge),
    };
}

std::vector<Case> bubble_cases() {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    return {
        ask("four-stages", "p = 4, m = 8: 3/11 of the total, and 1F1B holds 3 micro-batches on stage 1", Plan{}),
        ask("of-useful", "p = 4, m = 8: 3/8 of useful time, and GPipe's peak", Plan{0, 4, 8, 2, 0.25, 0.625, 1000, 1}),
        ask("few-micro-batches", "p = 7, m = 3: fewer micro-batches than stages ahead",
            Plan{1, 7, 3, 1, 0.5, 1.1, 700, 0}),
        ask("last-stage", "the last stage of 1F1B holds one micro-batch", Plan{1, 6, 13, 5, 0.3, 0.7, 900, 1},
            "p - s is 1"),
        ask("single-stage", "p = 1 has no bubble", Plan{1, 1, 5, 0, 0.3, 0.7, 900, 0}, "p - 1 is 0"),
        ask("single-micro-batch", "m = 1: everything but one stage waits", Plan{0, 6, 1, 2, 0.3, 0.7, 900, 0},
            "the bubble is (p - 1) / p"),
        ask("no-activations", "live micro-batches of 0 bytes", Plan{1, 5, 9, 1, 0.3, 0.7, 0, 0},
            "0 is a valid count here"),
        ask("wide-peak", "m times the activations is above 2^63", Plan{0, 9, 33554467, 4, 1e-3, 2.5e-3, most - 1, 1},
            "a product in 64-bit integers wraps here"),
        ask("no-stages", "p = 0", Plan{1, 0, 8, 0, 0.25, 0.625, 1000, 0}, edge),
        ask("no-micro-batches", "m = 0", Plan{1, 4, 0, 1, 0.25, 0.625, 1000, 1}, edge),
        ask("stage-out-of-range", "stage 4 of 4", Plan{1, 4, 8, 4, 0.25, 0.625, 1000, 0}, edge),
        ask("negative-stage", "stage -1", Plan{1, 4, 8, -1, 0.25, 0.625, 1000, 0}, edge),
        ask("no-forward-time", "a forward pass takes 0 s", Plan{1, 4, 8, 1, 0, 0.625, 1000, 0}, edge),
        ask("nan-backward-time", "a backward pass takes NaN", Plan{1, 4, 8, 1, 0.25, nan, 1000, 0}, edge),
        ask("endless-backward", "a backward pass takes for ever", Plan{1, 4, 8, 1, 0.25, infinity, 1000, 0}, edge),
        ask("negative-bytes", "activations of -1 byte", Plan{1, 4, 8, 1, 0.25, 0.625, -1, 0}, edge),
        ask("too-many-stages", "p = 2^53 + 1", Plan{1, most + 1, 8, 1, 0.25, 0.625, 1000, 0}, edge),
        ask("no-such-schedule", "kind 2 is neither GPipe nor 1F1B", Plan{2, 4, 8, 1, 0.25, 0.625, 1000, 0}, edge),
        ask("no-such-share", "a bubble of neither total nor useful time", Plan{1, 4, 8, 1, 0.25, 0.625, 1000, -1},
            edge),
    };
}

std::vector<Case> schedule_cases() {
    return {
        ask("gpipe", "GPipe on 2 stages with 3 micro-batches", Schedule{0, 2, 3}),
        ask("1f1b", "1F1B on 3 stages with 4 micro-batches", Schedule{1, 3, 4}),
        ask("1f1b-few", "1F1B on 7 stages with 3 micro-batches: the warm-up is cut short", Schedule{1, 7, 3}),
        ask("1f1b-statement", "the statement's 4 stages and 8 micro-batches, a bubble of 3/11", Schedule{1, 4, 8},
            "figures that a candidate can look up"),
        ask("gpipe-statement", "GPipe on the statement's 4 stages and 8 micro-batches", Schedule{0, 4, 8},
            "the same bubble with other peaks"),
        ask("1f1b-one-stage", "one stage: forward and backward in turn", Schedule{1, 1, 4}, "no warm-up at all"),
        ask("1f1b-two-stages", "two stages, three micro-batches", Schedule{1, 2, 3}, "the shortest steady state"),
        ask("1f1b-single", "a single micro-batch on 5 stages", Schedule{1, 5, 1}, "no steady state"),
        ask("gpipe-one-stage", "GPipe with nothing to wait for", Schedule{0, 1, 6}, "order alone makes the peak"),
        ask("1f1b-as-many", "as many micro-batches as stages", Schedule{1, 6, 6}, "stage 0 has no steady state"),
        ask("1f1b-long", "16 stages, 64 micro-batches", Schedule{1, 16, 64}, "a size that is run"),
    };
}

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "parallelism");
    const auto count = [&](std::int64_t low, std::int64_t high) { return random.integer(low, high); };
    switch (count(0, 5)) {
    case 0: return shard_problem({count(1, 6), 0, count(1, 8), count(1, 15), random.chance(0.3)}, random);
    case 1: {
        const Shape shape{count(1, 6), count(1, 5), count(1, 8), count(1, 15), random.chance(0.3), 1};
        return layer_problem("forward", shape, random);
    }
    case 2: {
        const Shape shape{count(1, 6), count(1, 4), count(1, 8), count(1, 15), random.chance(0.3), 1};
        return layer_problem("sequence", shape, random);
    }
    case 3: {
        const bool wide = random.chance(0.2);
        const std::int64_t top = wide ? std::int64_t{1} << 40 : 300;
        return problem_of(
            Layer{count(random.chance(0.1) ? 0 : 1, top), count(1, top), count(1, top), count(1, 70), count(1, 8)});
    }
    case 4: {
        const std::int64_t p = count(random.chance(0.1) ? 0 : 1, 20), s = count(0, p);
        return problem_of(Plan{count(0, 1), p, count(random.chance(0.1) ? 0 : 1, 40), s, random.uniform(0.01, 3),
                               random.uniform(0.01, 3), count(0, 100000), count(0, 1)});
    }
    default: return problem_of(Schedule{count(0, 1), count(1, 9), count(1, 20)});
    }
}

} // namespace assay::parallelism_judge
