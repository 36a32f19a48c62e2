// The hunt of `sdpa`: its bugs, and how a choice of fragments is run and bounded.
#include "hunt/hunt.hpp"
#include "contract.hpp"
#include "judge/elements.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

namespace hunted {
void choose_sdpa(const int* choices);
namespace sdpa {
void attention(::sdpa::tensor<const float, 4> q, ::sdpa::tensor<const float, 4> k, ::sdpa::tensor<const float, 4> v,
               ::sdpa::optional<::sdpa::tensor<const bool, 4>> mask, bool causal, ::sdpa::optional<float> scale,
               ::sdpa::tensor<float, 4> out);
} // namespace sdpa
} // namespace hunted

namespace assay::sdpa_judge {

namespace {

class RoundingMode {
  public:
    explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
    ~RoundingMode() { std::fesetround(before_); }
    RoundingMode(const RoundingMode&) = delete;
    RoundingMode& operator=(const RoundingMode&) = delete;

  private:
    int before_;
};

template <class T>::sdpa::tensor<T, 4> view_of(const Array& array) {
    static_assert(sizeof(std::int64_t) == sizeof(std::ptrdiff_t));
    const std::ptrdiff_t extents[] = {array.extents[0], array.extents[1], array.extents[2], array.extents[3]};
    const std::ptrdiff_t strides[] = {array.strides[0], array.strides[1], array.strides[2], array.strides[3]};
    void* first = const_cast<std::byte*>(array.storage.data());
    return {static_cast<T*>(first) + array.offset, extents, strides};
}

std::vector<double> answer(const Problem& problem, Array& out, int rounding) {
    ::sdpa::optional<::sdpa::tensor<const bool, 4>> mask;
    if (problem.has("mask")) mask = view_of<const bool>(problem.array("mask"));
    ::sdpa::optional<float> scale;
    if (problem.has("scale")) scale = static_cast<float>(problem.number_or("scale", 1));
    {
        const RoundingMode mode(rounding);
        hunted::sdpa::attention(view_of<const float>(problem.array("q")), view_of<const float>(problem.array("k")),
                                view_of<const float>(problem.array("v")), mask, problem.flag("causal"), scale,
                                view_of<float>(out));
    }
    return elements_of(out);
}

bool same_inputs(const Problem& a, const Problem& b) {
    for (const char* name : {"q", "k", "v", "mask"})
        if (a.has(name) != b.has(name) || (a.has(name) && !identical(a.array(name), b.array(name)))) return false;
    return a.flag("causal") == b.flag("causal") && a.has("scale") == b.has("scale") &&
           a.number_or("scale", 0) == b.number_or("scale", 0);
}

double largest_bound(const Problem& problem) {
    const Truths truths = *oracle(problem, "", 0);
    const std::vector<double>& bounds = truths.front().bound;
    return bounds.empty() ? 0 : *std::max_element(bounds.begin(), bounds.end());
}

/// The largest error that right code may have anywhere in the output, with the masks as they are and with none: a bug
/// may open any row to any key. The last problem's is kept, since one is asked many programs.
double right_error(const Problem& problem) {
    thread_local Problem last;
    thread_local double error = 0;
    if (!last.fields.empty() && same_inputs(problem, last)) return error;
    error = largest_bound(problem);
    if (problem.has("mask") || problem.flag("causal")) {
        Problem open = problem;
        open.find("mask")->value = {};
        open.find("causal")->value = false;
        error = std::max(error, largest_bound(open));
    }
    last = problem;
    return error;
}

/// How far any program with the same bugs may stray from this one, x the answer and up, down those with every float
/// operation rounded up or down:
/// - twice the error that the exercise's derived bound grants right code, since the model and the attempt may each use
///   it up, and most of what a program with bugs does is right;
/// - for what the bugs make of it (other logits, other weights), 16 times the larger of |up - x| and |down - x|. A sum
///   rounded to one side throughout is off by nearly what it can lose at worst; but errors that all terms share cancel
///   when the weights are normalised, and those of another program need not: hence a factor.
/// Programs written otherwise stay below a tenth of the whole (tests/hunt/test_sdpa_hunt_bounds.cpp).
/// Where directed rounding decides between a number and none, every number is admitted.
double bound_of(double x, double up, double down, double right) {
    if (!std::isfinite(x)) return 0;
    const double spread = std::max(std::fabs(up - x), std::fabs(down - x));
    return std::isfinite(spread) ? 2 * right + 16 * spread : std::numeric_limits<double>::infinity();
}

Truths run(const Problem& problem) {
    Array out = problem.array("out");
    Truth truth;
    truth.name = "out";
    truth.extents = out.extents;
    truth.value = answer(problem, out, FE_TONEAREST);
    const std::vector<double> up = answer(problem, out, FE_UPWARD);
    const std::vector<double> down = answer(problem, out, FE_DOWNWARD);
    const double right = right_error(problem);
    for (std::size_t i = 0; i < truth.value.size(); ++i)
        truth.bound.push_back(bound_of(truth.value[i], up[i], down[i], right));
    return {truth};
}

std::vector<Bug> bugs() {
    return {
        {"scale-missing", "q·k that was never multiplied by the scale", {"default-scale", "given-scale"}},
        {"scale-twice", "the scale applied to q and again to q·k", {"default-scale", "given-scale"}},
        {"scale-by-d", "a default scale of 1/D in place of 1/sqrt(D)", {"default-scale"}},
        {"scale-by-model-width",
         "a default scale of 1/sqrt(Hq·D), of the model's width in place of the head's",
         {"default-scale"}},
        {"scale-by-value-width",
         "a default scale of 1/sqrt(Dv), of v's width in place of q's",
         {"wide-values", "narrow-values"}},
        {"zero-scale-as-absent", "a given scale of 0 taken for none", {"zero-scale"}},
        {"odd-feature-dropped",
         "q·k summed two features at a time, the last one of an odd D left out",
         {"one-feature", "seventy-keys"}},
        {"first-weight-twice", "the first key's weight counted twice in the normaliser", {"one-key", "default-scale"}},
        {"no-max-subtraction",
         "exp of the logits without the row's maximum subtracted, which overflows or leaves 0/0",
         {"overflow", "far-below"}},
        {"max-from-zero", "a row maximum that starts at 0, so that rows far below it underflow to 0/0", {"far-below"}},
        {"max-not-reset",
         "a row maximum that goes on from the rows before, so that rows far below it underflow to 0/0",
         {"far-rows"}},
        {"max-over-masked",
         "a row maximum over masked keys too, so that a hot one makes all allowed weights underflow",
         {"hot-masked-key"}},
        {"mask-inverted", "the mask read the wrong way round", {"mask-of-keys", "mask-full"}},
        {"mask-after-softmax",
         "masked keys left in the softmax and dropped only from the sum over v, so that weights do not sum to 1",
         {"mask-of-keys", "causal-square"}},
        {"mask-batch-as-head", "the mask's batch and head indices swapped", {"mask-full", "mask-b-k"}},
        {"mask-key-as-query", "the mask's query and key indices swapped", {"mask-full", "mask-of-keys"}},
        {"mask-by-kv-head", "the mask read at the key/value head in place of the query head", {"grouped-masked"}},
        {"mask-or-causal", "mask and causal joined by 'or' in place of 'and'", {"causal-square", "mask-and-causal"}},
        {"causal-dropped-under-mask", "causal left out where there is a mask", {"mask-and-causal"}},
        {"causal-top-left",
         "causal aligned top-left, j <= i, in place of bottom-right, j <= i + Lk - Lq",
         {"causal-short", "causal-long"}},
        {"causal-strict", "causal without the diagonal, j < i + Lk - Lq", {"causal-square", "causal-short"}},
        {"sentinel-1e4", "masked logits at -1e4 in place of minus infinity", {"logits-at-minus-2e4"}},
        {"sentinel-1e9", "masked logits at -1e9 in place of minus infinity", {"logits-at-minus-2e9"}},
        {"empty-row-nan", "rows that may attend nothing left to 0/0, save where there are no keys", {"single-rows"}},
        {"gqa-tiled", "query head h reading key/value head h % Hkv in place of h / (Hq / Hkv)", {"grouped"}},
        {"strides-ignored",
         "rows of q and k read as if their features lay side by side",
         {"transposed-q", "transposed-k", "stepped"}},
        {"value-strides-ignored", "rows of v read as if their features lay side by side", {"transposed-v", "stepped"}},
    };
}

} // namespace

ASSAY_HUNT(sdpa) {
    Hunt hunt;
    hunt.exercise = "sdpa";
    hunt.title = "Scaled dot-product attention";
    hunt.levels = {"formula", "stability", "masks", "empty-rows", "heads-and-views"};
    hunt.bugs = bugs();
    hunt.choose = &hunted::choose_sdpa;
    hunt.run = run;
    return hunt;
}

} // namespace assay::sdpa_judge
