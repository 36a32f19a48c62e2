// Random problems over the whole contract.
#include "cases.hpp"

#include "core/random.hpp"

#include <cmath>

namespace assay::p_yes_judge {

namespace {

/// `count` different ids below V, V at least that many.
Ids draw_ids(Random& random, std::int64_t V, std::int64_t count) {
    Ids all;
    for (std::int64_t v = 0; v < V; ++v) all.push_back(v);
    for (std::int64_t i = 0; i < count; ++i)
        std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(random.integer(i, V - 1))]);
    all.resize(static_cast<std::size_t>(count));
    return all;
}

Problem score(Random& random) {
    const std::int64_t B = random.integer(1, 4), V = random.integer(2, 40);
    const std::int64_t yes = random.integer(1, std::min<std::int64_t>(4, V - 1));
    const std::int64_t no = random.integer(1, std::min<std::int64_t>(5, V - yes));
    const Ids ids = draw_ids(random, V, yes + no);
    const double spread = random.chance(0.5) ? 1 : std::exp(random.uniform(0, 6));
    const double offset = random.chance(0.3) ? random.uniform(-1e4, 1e4) : 0;
    const bool half = random.chance(0.3), bans = random.chance(0.2);
    Array logits = Array::generate(half ? Dtype::f16 : Dtype::f32, {B, V}, [&](const Index& at) {
        const bool may_be_banned = bans && at[1] != ids[0] && random.chance(0.3);
        return may_be_banned ? -unbounded : offset + spread * random.normal();
    });
    return score_problem(std::move(logits), Ids(ids.begin(), ids.begin() + yes), Ids(ids.begin() + yes, ids.end()));
}

Problem checked(Random& random) {
    const std::int64_t V = random.integer(1, 12);
    const double spread = std::exp(random.uniform(-1, 7));
    Numbers logits;
    for (std::int64_t v = 0; v < V; ++v)
        logits.push_back(random.chance(0.15) ? -unbounded : random.chance(0.02) ? unbounded : spread * random.normal());
    if (random.chance(0.05)) logits.back() = not_a_number;
    const auto ids = [&] {
        Ids drawn;
        const std::int64_t count = random.chance(0.06) ? 0 : random.integer(1, 3);
        for (std::int64_t i = 0; i < count; ++i)
            drawn.push_back(random.chance(0.03) ? random.integer(-2, V + 1) : random.integer(0, V - 1));
        return drawn;
    };
    const Ids yes = ids();
    return checked_problem(logits, yes, ids());
}

Problem tokens(Random& random) {
    const Marks marks = random.chance(0.5) ? gpt2 : sentencepiece;
    const std::string own = marks == gpt2 ? "\u0120" : "\u2581", other = marks == gpt2 ? "\u2581" : "\u0120";
    const Words labels{"yes", "no", "Yes", "NO", "positive", "possible", "pos", "nope", "A", "7", "unsure"};
    const auto label = [&] {
        if (random.chance(0.02)) return std::string(random.chance(0.5) ? "" : "yes please");
        return labels[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(labels.size()) - 1))];
    };
    Words pieces;
    for (std::int64_t i = random.integer(0, 24); i > 0; --i) {
        std::string piece = label();
        if (random.chance(0.5))
            piece.resize(static_cast<std::size_t>(random.integer(1, static_cast<std::int64_t>(piece.size()) + 1)) - 1);
        for (char& c : piece)
            if (random.chance(0.15) && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
        const std::string& mark = random.chance(0.1) ? other : random.chance(0.1) ? " " : own;
        if (random.chance(0.4)) piece = mark + piece;
        if (random.chance(0.1)) piece = mark + piece;
        if (random.chance(0.1)) piece += mark;
        pieces.push_back(piece + (random.chance(0.1) ? "ly" : ""));
    }
    const std::string yes = label();
    return tokens_problem(marks, pieces, yes, label());
}

Problem calibrate(Random& random) {
    Examples examples;
    const std::int64_t n = random.integer(random.chance(0.04) ? 0 : 1, 14);
    for (std::int64_t i = 0; i < n; ++i) {
        const double z = std::round(16 * random.normal()) / 8;
        const bool yes = random.chance(1 / (1 + std::exp(-0.5 * z)));
        examples.push_back({z, yes, random.chance(0.05) ? 0 : static_cast<double>(random.integer(1, 8)) / 4});
    }
    if (n > 0 && random.chance(0.05)) examples.back().weight = random.chance(0.5) ? -1 : not_a_number;
    return calibrate_problem(examples);
}

Problem assess(Random& random) {
    Examples examples;
    const std::int64_t n = random.integer(random.chance(0.04) ? 0 : 1, 14);
    const std::int64_t bins = random.chance(0.04) ? 0 : std::int64_t{1} << random.integer(0, 4);
    for (std::int64_t i = 0; i < n; ++i) {
        const double p = static_cast<double>(random.integer(0, 32)) / 32;
        examples.push_back({p, random.chance(p), static_cast<double>(random.integer(0, 8)) / 4});
    }
    if (n > 0 && random.chance(0.05)) examples.back().score = random.chance(0.5) ? 1.5 : not_a_number;
    const auto cost = [&] { return random.chance(0.04) ? 0.0 : static_cast<double>(random.integer(1, 6)) + 0.25; };
    const double false_yes = cost();
    if (random.chance(0.3)) return assess_problem(examples, bins, 1, 3);
    return assess_problem(examples, bins, false_yes, cost());
}

} // namespace

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "random");
    switch (random.integer(0, 5)) {
    case 0:
    case 1: return score(random);
    case 2: return checked(random);
    case 3: return tokens(random);
    case 4: return calibrate(random);
    default: return assess(random);
    }
}

} // namespace assay::p_yes_judge
