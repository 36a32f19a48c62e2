// How the cases of `sdpa` are made: random tensors of a shape, then what the case is about.
#ifndef ASSAY_SDPA_CASES_HPP
#define ASSAY_SDPA_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::sdpa_judge {

struct Shape {
    std::int64_t B = 2, Hq = 3, Hkv = 3, Lq = 5, Lk = 7, D = 4, Dv = 4;
};

/// A problem in the making: q, k, v (and dout) standard normal, no mask, not causal, no scale, contiguous outputs.
struct Draft {
    Draft(std::string route, const Shape& shape, std::uint64_t seed, std::string_view id);

    std::string route;
    Shape shape;
    Random random;
    Array q, k, v;
    std::optional<Array> mask;
    bool causal = false;
    std::optional<double> scale;
    Array out;
    // route attention_backward, in the place of out
    Array dout, dq, dk, dv;
    // route attention_biased
    std::vector<double> slopes;
    std::int64_t window = 0;
    // route stream
    std::vector<std::int64_t> blocks;
    std::int64_t split = -1;
    std::int64_t after = 0;
    bool into_second = false;

    Dtype storage() const;
    bool streams() const { return route == "stream"; }
    bool backward() const { return route == "attention_backward"; }
    /// Indices as of rank 4, also where the route's tensors have rank 2.
    void set(Array& array, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t d, double value) const;

    /// The last feature of q becomes offset(i) / scale and that of k 1 for every key: offset(i) joins all logits of
    /// row i. Sets the scale to 1 / sqrt(D) rounded to a power of two, so that the offset is hardly rounded.
    void offset_rows(const std::function<double(std::int64_t i)>& offset);
    /// The same, key by key: offset(i, j) is row(i) * key(j).
    void offset_logits(const std::function<double(std::int64_t i)>& row,
                       const std::function<double(std::int64_t j)>& key);

    /// A mask of these axes full (B, Hq, Lq, Lk), the others of extent 1, from a rule.
    using Rule = std::function<bool(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j)>;
    void mask_by(std::array<bool, 4> full, const Rule& rule);
    /// Random with this share allowed; every row is left at least one key, under `causal` too.
    void mask_randomly(std::array<bool, 4> full, double share);
    bool attends_something(std::int64_t b, std::int64_t h, std::int64_t i) const;

    /// Memory order (B, L, H, D) instead of (B, H, L, D), as model code keeps its projections.
    static Array heads_inside(const Array& array);
    /// `axis` repeats its first element with stride 0.
    static Array repeated(const Array& array, std::size_t axis);
    /// The last axis steps over gaps in memory.
    static Array stepped(const Array& array, std::int64_t step);
    /// Axes (b, h, l, d) with d outermost in memory.
    static Array features_first(const Array& array);

    Problem problem() const;
};

inline constexpr std::array<bool, 4> full_mask{true, true, true, true};

using Change = std::function<void(Draft&)>;

/// A case of `route` with this shape, changed by `change` (may be empty).
Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change = {},
               std::string stays = "");

std::vector<Case> formula_cases();
std::vector<Case> stability_cases();
std::vector<Case> mask_cases();
std::vector<Case> empty_row_cases();
std::vector<Case> view_cases();
std::vector<Case> half_cases();
std::vector<Case> streaming_cases();
std::vector<Case> gradient_cases();
std::vector<Case> hygiene_cases();
std::vector<Case> alibi_cases();

/// What it is timed on (benches.cpp).
std::vector<Bench> benches();
std::vector<Growth> growths();
std::vector<SpeedLevel> speed_levels();

/// Level streaming's script: begin, absorb block by block, merge where the problem says so, finish.
Outcome<Outputs> stream(Caller& caller, const Problem& problem);

/// A small random valid problem over all routes.
Problem random_problem(std::uint64_t seed);

} // namespace assay::sdpa_judge

#endif
