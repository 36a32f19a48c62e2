// Drafts, and how they become problems.
#include "cases.hpp"
#include "growth.hpp"

#include <cmath>

namespace assay::long_attention_judge {

namespace {

Array normal(Dtype dtype, const Index& extents, Random& random, double size = 1) {
    return Array::generate(dtype, extents, [&](const Index&) { return size * random.normal(); });
}

} // namespace

Problem cost_problem(std::int64_t method, const Setup& s) {
    Problem problem;
    problem.route = "cost_of";
    problem.fields = {{"how", method, {}},
                      {"tokens", s.tokens, {}},
                      {"heads", s.heads, {}},
                      {"head_dim", s.head_dim, {}},
                      {"element_bytes", s.element_bytes, {}},
                      {"block", s.block, {}},
                      {"window", s.window, {}},
                      {"rank", s.rank, {}},
                      {"features", s.features, {}}};
    return problem;
}

Problem crossover_problem(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {
    return {"crossover", {{"head_dim", head_dim, {}}, {"rank", rank, {}}, {"features", features, {}}}};
}

Draft::Draft(std::array<std::int64_t, 4> shape, std::int64_t rows, std::uint64_t seed, std::string_view id, Dtype dtype)
    : H(shape[0]), L(shape[1]), D(shape[2]), Dv(shape[3]), random(seed, id) {
    q = normal(dtype, {H, L, D}, random);
    k = normal(dtype, {H, L, D}, random);
    v = normal(dtype, {H, L, Dv}, random);
    omega = normal(Dtype::f32, {rows, D}, random);
    e = normal(Dtype::f32, {rows, L}, random, 1 / std::sqrt(static_cast<double>(L)));
    f = normal(Dtype::f32, {rows, L}, random, 1 / std::sqrt(static_cast<double>(L)));
}

Problem Draft::problem(const std::string& route) const {
    const std::vector<std::string> keys{"H", "L", "D"}, values{"H", "L", "Dv"};
    Problem problem;
    problem.route = route;
    problem.fields = {{"q", q, keys}, {"k", k, keys}, {"v", v, values}};
    if (route == "sliding_window" || route == "window_with_globals" || route == "compare")
        problem.fields.push_back({"window", window, {}});
    if (route == "window_with_globals" || route == "compare") problem.fields.push_back({"globals", globals, {}});
    if (route == "linear_attention") problem.fields.push_back({"eps", eps, {}});
    if (route == "random_features") problem.fields.push_back({"omega", omega, {"M", "D"}});
    if (route == "low_rank") {
        problem.fields.push_back({"e", e, {"R", "L"}});
        problem.fields.push_back({"f", f, {"R", "L"}});
    }
    if (route != "compare") problem.fields.push_back({"out", Array::zeros(Dtype::f32, {H, L, Dv}), values});
    return problem;
}

Problem drawn(const std::string& route, const Shape& shape, std::uint64_t seed, std::string_view id,
              const Change& change) {
    const Dtype dtype = route == "compare" ? Dtype::f64 : Dtype::f32;
    Draft draft({shape.H, shape.L, shape.D, shape.Dv}, shape.rows, seed, id, dtype);
    draft.window = shape.window;
    draft.globals = shape.globals;
    if (change) change(draft);
    return draft.problem(route);
}

Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change,
               std::string stays) {
    Case one;
    one.id = id;
    one.why = std::move(why);
    one.stays = std::move(stays);
    one.make = [route = std::move(route), id = std::move(id), shape, change = std::move(change)](std::uint64_t seed) {
        return drawn(route, shape, seed, id, change);
    };
    return one;
}

void change_each(Array& array, const std::function<double(const Index&, double)>& rule) {
    for_each_index(array.extents, [&](const Index& at) { array.set(at, rule(at, array.at(at))); });
}

Problem growth_problem(const std::string& route, std::int64_t length, std::uint64_t seed) {
    return drawn(route, {1, length, 2, 2, 4, 2}, seed, "growth");
}

} // namespace assay::long_attention_judge
