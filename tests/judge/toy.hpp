// A small exercise to try the judge on: masked softmax over the last axis of a matrix. And attempts at it that
// misbehave to order.
#ifndef ASSAY_TESTS_JUDGE_TOY_HPP
#define ASSAY_TESTS_JUDGE_TOY_HPP

#include "core/attempt.hpp"
#include "core/exercise.hpp"

#include <functional>
#include <string>
#include <vector>

namespace toy {

/// y = softmax(scale * x) over columns that `mask` allows; a row that may attend nothing is 0.
///   x (R, C) float32, any strides · mask (R or 1, C or 1) bool or absent · scale: absent = 0.5 · skip: columns ignored
///   at the front · y (R, C) float32.
/// Levels: formula (2 cases), stability (1), masks (2), empty (1, requires masks), and the bonus skipping.
/// Mistakes: scale-missing, over-rows, no-maximum (NaN), mask-ignored with its twin mask-unread, weak-mask with a form
/// of -3 and one of -30 for minus infinity, empty-nan, skip-ignored.
assay::Exercise exercise();

struct Shape {
    std::int64_t rows = 3, columns = 4;
    bool masked = false;
    double spread = 1; // of x
};
/// A problem with values drawn from the seed.
assay::Problem problem(std::uint64_t seed, const Shape& shape);

/// Answers right, unless told otherwise.
class Scripted final : public assay::Attempt {
  public:
    using Behaviour = std::function<assay::Outcome<assay::Answer>(const assay::Problem&, assay::Answer right)>;

    explicit Scripted(const assay::Exercise& exercise, Behaviour behaviour = {});

    void fresh() override { ++freshened; }
    assay::Outcome<assay::Answer> answer(const assay::Level& level, const assay::Problem& problem) override;
    std::string printed() override { return "printed"; }

    int asked = 0;
    int freshened = 0;

  private:
    const assay::Exercise& exercise_;
    Behaviour behaviour_;
};

} // namespace toy

#endif
