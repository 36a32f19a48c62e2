// The draft of a case and how it becomes a problem.
#include "cases.hpp"

#include <cmath>

namespace assay::sdpa_judge {

namespace {

Array normal(Dtype dtype, Index extents, Random& random) {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents) size *= extent;
    std::vector<double> values(static_cast<std::size_t>(size));
    for (double& value : values) value = random.normal();
    return Array::of(dtype, std::move(extents), values);
}

} // namespace

Draft::Draft(std::string route_name, const Shape& of, std::uint64_t seed, std::string_view id)
    : route(std::move(route_name)), shape(of), random(seed, id) {
    const Shape& s = shape;
    if (streams()) {
        q = normal(Dtype::f32, {s.Lq, s.D}, random);
        k = normal(Dtype::f32, {s.Lk, s.D}, random);
        v = normal(Dtype::f32, {s.Lk, s.Dv}, random);
        out = Array::zeros(Dtype::f32, {s.Lq, s.Dv});
        scale = 0.5; // the stream's scale is always given
        mask_by(full_mask, [](auto, auto, auto, auto) { return true; });
        return;
    }
    q = normal(storage(), {s.B, s.Hq, s.Lq, s.D}, random);
    k = normal(storage(), {s.B, s.Hkv, s.Lk, s.D}, random);
    v = normal(storage(), {s.B, s.Hkv, s.Lk, s.Dv}, random);
    if (backward()) {
        dout = normal(Dtype::f32, {s.B, s.Hq, s.Lq, s.Dv}, random);
        dq = Array::zeros(Dtype::f32, q.extents);
        dk = Array::zeros(Dtype::f32, k.extents);
        dv = Array::zeros(Dtype::f32, v.extents);
        return;
    }
    const bool stored = route == "attention_f16_stored" || route == "attention_bf16_stored";
    out = Array::zeros(stored ? storage() : Dtype::f32, {s.B, s.Hq, s.Lq, s.Dv});
    if (route == "attention_biased")
        for (std::int64_t h = 0; h < s.Hq; ++h) slopes.push_back(std::ldexp(1.0, static_cast<int>(-h))); // ALiBi's own
}

Dtype Draft::storage() const {
    if (route == "attention_f16" || route == "attention_f16_stored") return Dtype::f16;
    if (route == "attention_bf16" || route == "attention_bf16_stored") return Dtype::bf16;
    return Dtype::f32;
}

void Draft::set(Array& array, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t d, double value) const {
    if (array.rank() == 2)
        array.set(Index{i, d}, value);
    else
        array.set(Index{b, h, i, d}, value);
}

void Draft::offset_logits(const std::function<double(std::int64_t)>& row,
                          const std::function<double(std::int64_t)>& key) {
    const double power = std::ldexp(1.0, static_cast<int>(std::lround(-0.5 * std::log2(static_cast<double>(shape.D)))));
    scale = power;
    const std::int64_t B = streams() ? 1 : shape.B;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t h = 0; h < (streams() ? 1 : shape.Hq); ++h)
            for (std::int64_t i = 0; i < shape.Lq; ++i) set(q, b, h, i, shape.D - 1, row(i) / power);
        for (std::int64_t h = 0; h < (streams() ? 1 : shape.Hkv); ++h)
            for (std::int64_t j = 0; j < shape.Lk; ++j) set(k, b, h, j, shape.D - 1, key(j));
    }
}

void Draft::offset_rows(const std::function<double(std::int64_t)>& offset) {
    offset_logits(offset, [](std::int64_t) { return 1.0; });
}

void Draft::mask_by(std::array<bool, 4> full, const Rule& rule) {
    if (streams()) {
        mask = Array::generate(Dtype::boolean, {shape.Lq, shape.Lk},
                               [&](const Index& at) { return rule(0, 0, at[0], at[1]) ? 1.0 : 0.0; });
        return;
    }
    const std::array<std::int64_t, 4> whole{shape.B, shape.Hq, shape.Lq, shape.Lk};
    Index extents;
    for (std::size_t axis = 0; axis < 4; ++axis) extents.push_back(full[axis] ? whole[axis] : 1);
    mask = Array::generate(Dtype::boolean, extents,
                           [&](const Index& at) { return rule(at[0], at[1], at[2], at[3]) ? 1.0 : 0.0; });
}

bool Draft::attends_something(std::int64_t b, std::int64_t h, std::int64_t i) const {
    for (std::int64_t j = 0; j < shape.Lk; ++j) {
        if (causal && j > i + shape.Lk - shape.Lq) continue;
        if (!mask) return true;
        const Index& e = mask->extents;
        if (streams() ? mask->at({i, j}) != 0 : mask->at({b % e[0], h % e[1], i % e[2], j % e[3]}) != 0) return true;
    }
    return false;
}

void Draft::mask_randomly(std::array<bool, 4> full, double share) {
    mask_by(full, [&](auto, auto, auto, auto) { return random.chance(share); });
    const std::int64_t last = causal ? shape.Lk - shape.Lq : shape.Lk - 1; // every row may attend keys up to here
    for (std::int64_t b = 0; b < (streams() ? 1 : shape.B); ++b)
        for (std::int64_t h = 0; h < (streams() ? 1 : shape.Hq); ++h)
            for (std::int64_t i = 0; i < shape.Lq; ++i) {
                if (last < 0 || attends_something(b, h, i)) continue;
                const std::int64_t j = random.integer(0, last);
                const Index& e = mask->extents;
                if (streams())
                    mask->set(Index{i, j}, 1);
                else
                    mask->set(Index{b % e[0], h % e[1], i % e[2], j % e[3]}, 1);
            }
}

Array Draft::heads_inside(const Array& array) {
    return array.laid_out(std::array{0, 2, 1, 3}, std::array<std::int64_t, 4>{1, 1, 1, 1});
}

Array Draft::repeated(const Array& array, std::size_t axis) {
    Array first = array.take(axis, std::array<std::int64_t, 1>{0});
    first.extents[axis] = array.extents[axis];
    first.strides[axis] = 0;
    return first;
}

Array Draft::stepped(const Array& array, std::int64_t step) {
    return array.laid_out(std::array{0, 1, 2, 3}, std::array<std::int64_t, 4>{1, 1, 1, step});
}

Array Draft::features_first(const Array& array) {
    return array.laid_out(std::array{3, 0, 1, 2}, std::array<std::int64_t, 4>{1, 1, 1, 1});
}

Problem Draft::problem() const {
    Problem problem;
    problem.route = route;
    const auto add_scale = [&] {
        problem.fields.push_back({"scale", {}, {}});
        if (scale) problem.fields.back().value = *scale;
    };
    if (streams()) {
        problem.fields.push_back({"q", q, {"Lq", "D"}});
        problem.fields.push_back({"k", k, {"Lk", "D"}});
        problem.fields.push_back({"v", v, {"Lk", "Dv"}});
        problem.fields.push_back({"mask", *mask, {"Lq", "Lk"}});
        add_scale();
        const std::vector<double> lengths(blocks.begin(), blocks.end());
        problem.fields.push_back(
            {"blocks", Array::of(Dtype::i64, {static_cast<std::int64_t>(blocks.size())}, lengths), {"blocks"}});
        problem.fields.push_back({"split", split, {}});
        problem.fields.push_back({"after", after, {}});
        problem.fields.push_back({"into_second", into_second, {}});
        problem.fields.push_back({"out", out, {"Lq", "Dv"}});
        return problem;
    }
    problem.fields.push_back({"q", q, {"B", "Hq", "Lq", "D"}});
    problem.fields.push_back({"k", k, {"B", "Hkv", "Lk", "D"}});
    problem.fields.push_back({"v", v, {"B", "Hkv", "Lk", "Dv"}});
    problem.fields.push_back({"mask", {}, {}});
    if (mask) problem.fields.back() = {"mask", *mask, {"B", "Hq", "Lq", "Lk"}};
    problem.fields.push_back({"causal", causal, {}});
    add_scale();
    if (backward()) {
        problem.fields.push_back({"dout", dout, {"B", "Hq", "Lq", "Dv"}});
        problem.fields.push_back({"dq", dq, {"B", "Hq", "Lq", "D"}});
        problem.fields.push_back({"dk", dk, {"B", "Hkv", "Lk", "D"}});
        problem.fields.push_back({"dv", dv, {"B", "Hkv", "Lk", "Dv"}});
        return problem;
    }
    if (route == "attention_biased") {
        problem.fields.push_back({"slopes", Array::of(Dtype::f32, {shape.Hq}, slopes), {"Hq"}});
        problem.fields.push_back({"window", window, {}});
    }
    problem.fields.push_back({"out", out, {"B", "Hq", "Lq", "Dv"}});
    return problem;
}

Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change,
               std::string stays) {
    Case one;
    one.id = id;
    one.why = std::move(why);
    one.stays = std::move(stays);
    one.make = [route = std::move(route), id = std::move(id), shape, change = std::move(change)](std::uint64_t seed) {
        Draft draft(route, shape, seed, id);
        if (change) change(draft);
        return draft.problem();
    };
    return one;
}

} // namespace assay::sdpa_judge
