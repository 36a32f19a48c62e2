// What an attempt at `p_yes` defines. README.md says what each item means, and what invalid input gets.
#ifndef ASSAY_P_YES_CONTRACT_HPP
#define ASSAY_P_YES_CONTRACT_HPP

#include <assay/half.hpp>
#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <cstdint>

namespace p_yes {

using assay::half;
using assay::tensor;
using assay::unset;
using assay::unset_integer;

/// Levels 1 and 2. logits (B, V), any strides; yes (Ny) and no (Nn): token ids, valid, all distinct, neither empty.
/// Writes, for each of the B rows,
///   log_yes, log_no: natural logarithm of the group's probability under softmax over the V logits (may be -infinity)
///   p:               share of yes in the two groups together, in [0, 1]
///   mass:            probability of the two groups together
/// Logits are finite or -infinity (a token that is banned); at least one id of the two groups is not banned.
void score(tensor<const float, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
           tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass);

/// Level 2: the same on float16 logits, in float32 arithmetic.
void score_f16(tensor<const half, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
               tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass);

/// Level 3: one row in float64 that may be anything. The first of these that applies, in this order, is the state;
/// everything else is set only where it is `ok`.
enum class status : std::int64_t {
    none = -1,
    ok,
    empty_group,     // one of the groups has no id
    id_out_of_range, // an id below 0, or V and above
    id_in_both,      // an id stands in both groups
    bad_logit,       // a logit of the vocabulary, label or not, is NaN or +infinity
    no_mass          // both groups have probability 0: every id of them is banned
};

struct reading {
    status state = status::none;
    double log_yes = unset, log_no = unset, p = unset, mass = unset;
};

/// An id that stands twice in one group counts once.
reading checked(tensor<const double, 1> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no);

/// Level 4. How a vocabulary writes the space before a word.
enum class marking : std::int64_t {
    gpt2,         // U+0120, Ġ
    sentencepiece // U+2581, ▁
};

enum class outcome : std::int64_t {
    none = -1,
    ok,
    bad_label, // a label is empty, or holds something outside U+0021 ... U+007E
    no_token,  // a label has no id at all
    collision  // an id stands for both labels
};

enum class found_as : std::int64_t {
    none = -1,
    spelling,    // pieces that spell the label
    first_token, // no piece does: the first tokens of the label
    nothing      // not even that
};

struct tokens {
    outcome state = outcome::none;
    found_as yes_as = found_as::none, no_as = found_as::none;
    std::int64_t yes_count = unset_integer, no_count = unset_integer; // ids of each
    std::int64_t collision = unset_integer;                           // the smallest id of both; -1: there is none
};

/// pieces (V, W): Unicode code points of piece i, then zeros. yes, no: code points of the two labels.
/// yes_ids (V), no_ids (V): element i is written true where id i stands for the label, else false.
tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids);

/// Level 5. How a fit ended.
enum class fit : std::int64_t {
    none = -1,
    ok,
    constant,     // temperature: every score is 0; Platt: all scores are equal
    one_class,    // Platt: all labels are equal
    separable,    // the scores tell the labels apart: the loss has no minimum at a finite parameter
    uninformative // temperature: the scores point the wrong way, or nowhere
};

struct calibration {
    double raw_loss = unset; // weighted mean log-loss of sigmoid(score), in nats
    fit temperature_state = fit::none;
    double temperature = unset, temperature_loss = unset;
    fit platt_state = fit::none;
    double slope = unset, intercept = unset, platt_loss = unset;
};

/// scores (n) = log_yes - log_no; labels (n): true = the right answer was yes; weights (n).
calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights);

struct assessment {
    double ece = unset;       // expected calibration error
    double threshold = unset; // say yes where p >= threshold
    double yes_share = unset; // of the weight: where yes is said
    double cost = unset;      // weighted mean
};

/// p, labels, weights (n); cost_false_yes: of saying yes where no was right; cost_false_no: the other way round.
/// Writes of each bin (`bins` of them, of equal width) its share of the weight, its mean p and its share of yes labels.
assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes);

} // namespace p_yes

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(p_yes, reading, state, log_yes, log_no, p, mass)                                                            \
    RECORD(p_yes, tokens, state, yes_as, no_as, yes_count, no_count, collision)                                        \
    RECORD(p_yes, calibration, raw_loss, temperature_state, temperature, temperature_loss, platt_state, slope,         \
           intercept, platt_loss)                                                                                      \
    RECORD(p_yes, assessment, ece, threshold, yes_share, cost)

#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(p_yes, score, "logits yes no log_yes log_no p mass")                                                      \
    FUNCTION(p_yes, score_f16, "logits yes no log_yes log_no p mass")                                                  \
    FUNCTION(p_yes, checked, "logits yes no")                                                                          \
    FUNCTION(p_yes, label_tokens, "marks pieces yes no yes_ids no_ids")                                                \
    FUNCTION(p_yes, calibrate, "scores labels weights")                                                                \
    FUNCTION(p_yes, assess, "p labels weights bins cost_false_yes cost_false_no bin_weight bin_p bin_yes")

#endif
