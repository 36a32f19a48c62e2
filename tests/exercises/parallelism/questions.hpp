// Asks the oracle of `parallelism` by fields.
#ifndef ASSAY_TESTS_PARALLELISM_QUESTIONS_HPP
#define ASSAY_TESTS_PARALLELISM_QUESTIONS_HPP

#include "catch.hpp"
#include "core/random.hpp"
#include "core/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::parallelism_test {

inline const Exercise& parallelism() {
    const Exercise* exercise = find_exercise("parallelism");
    REQUIRE(exercise != nullptr);
    return *exercise;
}

inline const Level& level(std::string_view id) {
    for (const Level& one : parallelism().levels)
        if (one.id == id) return one;
    FAIL("no level " << id);
    return parallelism().levels.front();
}

inline Problem problem_of(std::string_view id, std::uint64_t seed = 0) {
    for (const Level& one : parallelism().levels)
        for (const Case& each : one.cases)
            if (each.id == id) return each.make(seed);
    FAIL("no case " << id);
    return {};
}

inline Truths truths_of(const Problem& problem) {
    const auto truths = parallelism().oracle(problem, "", 0);
    REQUIRE(truths);
    return *truths;
}

inline const Truth& item(const Truths& truths, std::string_view name) {
    for (const Truth& one : truths)
        if (one.name == name) return one;
    FAIL("no item " << name);
    return truths.front();
}

inline double value(const Truths& truths, std::string_view name) { return item(truths, name).value.front(); }

inline Problem traffic_of(std::int64_t T, std::int64_t d, std::int64_t f, std::int64_t n, std::int64_t bytes) {
    return {"count_traffic",
            {{"tokens", T, {}}, {"d_model", d, {}}, {"hidden", f, {}}, {"ranks", n, {}}, {"element_bytes", bytes, {}}}};
}

struct Plan {
    std::int64_t kind = 1, p = 4, m = 8, s = 1;
    double forward = 1, backward = 2;
    std::int64_t bytes = 100, of = 0;
};

inline Problem bubble_of(const Plan& q) {
    return {"count_bubble",
            {{"kind", q.kind, {}},
             {"stages", q.p, {}},
             {"micro_batches", q.m, {}},
             {"stage", q.s, {}},
             {"forward_time", q.forward, {}},
             {"backward_time", q.backward, {}},
             {"activation_bytes", q.bytes, {}},
             {"of", q.of, {}}}};
}

inline Problem schedule_of(std::int64_t kind, std::int64_t p, std::int64_t m) {
    return {"write_schedule",
            {{"kind", kind, {}},
             {"stages", p, {}},
             {"micro_batches", m, {}},
             {"order", Array::zeros(Dtype::i64, {p, 2 * m}), {"", ""}}}};
}

using Orders = std::vector<std::vector<std::int64_t>>;

} // namespace assay::parallelism_test

#endif
