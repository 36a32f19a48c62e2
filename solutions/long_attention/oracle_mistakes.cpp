// The named mistakes: the sentence of each ("which is what you get by ..."), and its forms: the function in which it is
// made, how, and the level that must reject it.
#include "oracle_mistakes.hpp"

namespace assay::long_attention_judge {

namespace {

Form in_costs(int variant = 0) { return {"costs", "cost_of", variant}; }
Form in_crossover(int variant = 0) { return {"crossover", "crossover", variant}; }
Form in_window(int variant = 0) { return {"window", "sliding_window", variant}; }
Form in_linear(int variant = 0) { return {"linear", "linear_attention", variant}; }
Form in_random(int variant = 0) { return {"random-features", "random_features", variant}; }
Form in_low_rank(int variant = 0) { return {"low-rank", "low_rank", variant}; }
Form in_globals(int variant = 0) { return {"global-tokens", "window_with_globals", variant}; }
Form in_error(int variant = 0) { return {"error", "compare", variant}; }

void add_costs(std::vector<Entry>& all) {
    const auto add = [&](const char* id, const char* sentence, std::vector<Form> forms) {
        all.push_back({id, sentence, std::move(forms), {}});
    };
    add("mac-as-one", "counting a multiply-add as one FLOP (it is two)", {in_costs(), in_crossover(), in_error()});
    add("values-forgotten", "counting the product of weights and values out", {in_costs(), in_crossover(), in_error()});
    add("heads-forgotten", "counting one head for all of them", {in_costs()});
    add("naive-halved", "counting half of the pairs for causality where the naive method computes them all",
        {in_costs(), in_crossover()});
    add("exps-as-flops", "adding exponentials to the FLOPs (they are counted apart)", {in_costs()});
    add("bytes-as-elements", "counting elements as bytes", {in_costs()});
    add("product-wraps", "squaring the length in an integer too narrow for the square", {in_costs(0), in_costs(1)});
    add("unchecked", "computing with input that is out of its range", {in_costs(), in_crossover()});
    add("matrix-moved-twice", "moving L² scores once out and once in, where there are scores and weights to move",
        {in_costs()});
    add("one-matrix", "keeping one L² matrix, where scores and weights both live", {in_costs(), in_crossover()});
    add("all-blocks", "computing the blocks above the diagonal too, which a causal blockwise method skips",
        {in_costs()});
    add("diagonal-halved", "counting L (L + 1) / 2 pairs, where the blocks on the diagonal are computed whole",
        {in_costs()});
    add("rescaling-forgotten", "leaving out the exponential by which each row of a block is rescaled", {in_costs()});
    add("keys-read-once", "reading keys and values once, where every block of queries reads them again", {in_costs()});
    add("window-start-ignored", "counting w keys for every query, where the first w - 1 have fewer", {in_costs()});
    add("window-not-cut", "taking a window longer than the sequence as it is", {in_costs()});
    add("window-read-again", "reading a window's keys and values again for every query", {in_costs()});
    add("scores-in-full", "keeping the scores of all queries at once, where a block's or a row's are enough",
        {in_costs()});
    add("projection-free", "leaving out the FLOPs of the projections", {in_costs(), in_crossover()});
    add("one-projected", "projecting keys or values, not both", {in_costs(), in_crossover()});
    add("projected-once-for-all-heads", "counting the projections of one head, since all heads share the matrices",
        {in_costs()});
    add("projections-unread", "leaving the projection matrices out of the bytes read", {in_costs()});
    add("feature-map-free", "leaving out the FLOPs of the feature map", {in_costs(), in_crossover()});
    add("queries-unmapped", "mapping the keys to features and not the queries", {in_costs(), in_crossover()});
    add("norms-free", "leaving out the squared norm in the random features", {in_costs(), in_crossover()});
    add("normaliser-free", "leaving out the normaliser: its sums and its place in the state",
        {in_costs(), in_crossover()});
    add("features-given", "taking `features` for elu + 1, whose features are as many as the head has dimensions",
        {in_costs(), in_crossover()});
    add("state-for-every-token", "keeping a state for every token, where one that runs along is enough", {in_costs()});
    add("features-not-held", "leaving out the features of the token at hand", {in_costs(), in_crossover()});
    add("first-rounded", "rounding the length at which both cost the same, where the first one above it is asked",
        {in_crossover(0), in_crossover(1)}); // up; down
    add("keys-alone-cached", "caching keys or values, not both", {in_crossover()});
}

void add_windows(std::vector<Entry>& all) {
    const auto add = [&](const char* id, const char* sentence, std::vector<Form> forms) {
        all.push_back({id, sentence, std::move(forms), {}});
    };
    add("scale-missing", "leaving out the scale 1/sqrt(D)", {in_window(), in_low_rank(), in_globals(), in_error()});
    add("scale-by-dimension", "scaling by 1/D in place of 1/sqrt(D)",
        {in_window(), in_low_rank(), in_globals(), in_error()});
    add("window-one-more", "giving the window one key too many: w beside the query's own",
        {in_window(), in_globals(), in_error()});
    add("window-one-less", "giving the window one key too few: w - 1 with the query's own",
        {in_window(0), in_window(1), in_globals()}); // a row without keys: NaN; 0
    add("self-excluded", "leaving out the query's own token",
        {in_window(0), in_window(1), in_linear(), in_random()}); // a row without keys: NaN; 0
    add("window-both-sides", "looking at tokens after the query too",
        {in_window(0), in_window(1), in_globals(0)}); // w - 1 to each side; w / 2 to each side
    add("window-ahead", "looking at the query's own token and those after it", {in_window()});
    add("block-window", "cutting the sequence into blocks of w and attending by blocks",
        {in_window(0), in_window(1)}); // the own block alone; with the one before
    add("window-ignored", "attending all earlier tokens, whatever the window", {in_window(), in_globals(), in_error()});
    add("first-rows-skipped", "leaving the rows before the first full window at 0", {in_window()});
    add("padding-attended", "attending zeros that pad the window before the first token", {in_window(), in_globals()});
    add("mask-after-softmax",
        "taking the softmax over all earlier tokens and dropping those outside the window afterwards, so that weights "
        "do not sum to 1",
        {in_window(), in_globals(), in_error()});
    add("normalised-over-queries", "normalising each key's weights over the queries, not each query's over the keys",
        {in_window(), in_low_rank()});
    add("no-max", "exponentiating logits without subtracting the row's largest", {in_window(), in_low_rank()});
    add("max-never-leaves", "subtracting the largest logit of all tokens so far, of which some have left the window",
        {in_window()});
    add("globals-forgotten", "attending the window alone, without global tokens", {in_globals(), in_error()});
    add("globals-off-by-one", "counting one global token too many", {in_globals(), in_error()});
    add("globals-take-window", "taking the global tokens' places from the window", {in_globals(), in_error()});
    add("globals-counted-twice", "counting a global token twice where it lies in the window as well",
        {in_globals(), in_error()});
    add("globals-not-causal", "attending global tokens that come after the query", {in_globals()});
    add("global-rows-whole", "letting global tokens attend the whole sequence, what follows them too", {in_globals()});
    add("two-softmaxes", "averaging a softmax over the window and one over the global tokens", {in_globals()});
}

void add_linear(std::vector<Entry>& all) {
    const auto add = [&](const char* id, const char* sentence, std::vector<Form> forms) {
        all.push_back({id, sentence, std::move(forms), {}});
    };
    add("future-leaks", "summing over the whole sequence, later tokens too", {in_linear(), in_random()});
    add("normaliser-of-all", "normalising by the sum over the whole sequence, later tokens too",
        {in_linear(), in_random()});
    add("summed-over-heads", "summing along the heads, not along the tokens", {in_linear(), in_random()});
    add("heads-share-state", "carrying one head's sums on into the next head", {in_linear(), in_random()});
    add("normaliser-missing", "leaving the sums without their normaliser", {in_linear()});
    add("normaliser-multiplied", "multiplying by the normaliser in place of its reciprocal", {in_linear()});
    add("divided-by-count", "dividing by the number of tokens in place of the normaliser", {in_linear()});
    add("eps-missing", "leaving eps out, or putting a fixed 1e-6 in its place",
        {in_linear(0), in_linear(1)}); // out; 1e-6
    add("eps-in-every-feature", "adding eps to every feature of the summed keys, not to the normaliser", {in_linear()});
    add("eps-as-floor", "taking the larger of the normaliser and eps, not their sum", {in_linear()});
    add("eps-on-features", "adding eps to the features, not to the normaliser alone", {in_linear()});
    add("scale-applied", "scaling queries by 1/sqrt(D), which linear attention does not", {in_linear()});
    add("features-without-one", "taking elu as feature map, without the 1", {in_linear()});
    add("features-relu", "taking relu as feature map", {in_linear()});
    add("features-exp", "taking exp as feature map", {in_linear()});
    add("features-of-one-side", "mapping only one of queries and keys to features",
        {in_linear(0), in_linear(1)}); // queries left; keys left
    add("state-transposed", "reading the sum of key times value with its indices swapped", {in_linear()});
    add("norm-term-missing", "leaving out the squared norm in the exponent of a feature", {in_random()});
    add("norm-not-halved", "taking off the whole squared norm, not half of it", {in_random()});
    add("temperature-wrong", "dividing queries and keys by something else than D^(1/4)",
        {in_random(0), in_random(1)}); // nothing; sqrt(D)
    add("stabiliser-per-key", "subtracting each key's own largest exponent, which does not cancel between keys",
        {in_random()});
    add("no-stabiliser", "exponentiating without subtracting anything, where all features vanish", {in_random()});
}

void add_low_rank(std::vector<Entry>& all) {
    const auto add = [&](const char* id, const char* sentence, std::vector<Form> forms) {
        all.push_back({id, sentence, std::move(forms), {}});
    };
    add("queries-projected", "projecting the queries in place of the keys", {in_low_rank()});
    add("one-projection", "projecting keys and values by the same matrix", {in_low_rank(0), in_low_rank(1)}); // e; f
    add("projections-swapped", "projecting keys by f and values by e", {in_low_rank()});
    add("projection-transposed", "reading the projections (R, L) as if they lay (L, R)", {in_low_rank()});
    add("projection-averaged", "dividing the projections by the length", {in_low_rank()});
    add("projected-after-softmax", "projecting the weights after a softmax over all keys", {in_low_rank()});
    add("scale-by-rank", "scaling by 1/sqrt(R), where it is 1/sqrt(D)", {in_low_rank()});
    add("causal-mask-applied", "masking projected keys as if they were tokens", {in_low_rank()});
}

void add_error(std::vector<Entry>& all) {
    const auto add = [&](const char* id, const char* sentence, std::vector<Form> forms) {
        all.push_back({id, sentence, std::move(forms), {}});
    };
    add("exact-not-causal", "comparing with attention that looks at later tokens too", {in_error()});
    add("pairs-by-rule", "counting window + globals pairs for every query, without the start and without overlap",
        {in_error()});
    add("mass-after-mask", "summing weights after the softmax over the kept keys, which is always 1", {in_error()});
    add("error-signed", "taking the largest difference with its sign", {in_error()});
    add("error-averaged", "averaging absolute differences where the largest is asked", {in_error()});
    add("norm-not-rooted", "dividing squared norms without taking the root", {in_error()});
    add("relative-to-approximation", "dividing by the approximation's norm, not the exact one's", {in_error()});
    add("relative-by-row", "averaging the rows' relative errors, where norms go over all elements", {in_error()});
}

std::vector<Entry> made() {
    std::vector<Entry> all;
    add_costs(all);
    add_windows(all);
    add_linear(all);
    add_low_rank(all);
    add_error(all);
    return all;
}

} // namespace

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = made();
    return all;
}

Slips made_in(const std::string& route, const Slips& on) {
    std::vector<Slip> active;
    for (const Entry& entry : entries()) {
        const int form = on.form(entry.id);
        if (form < 0 || static_cast<std::size_t>(form) >= entry.forms.size()) continue;
        const Form& as = entry.forms[static_cast<std::size_t>(form)];
        if (route == as.route) active.push_back({entry.id, as.variant});
    }
    return Slips(std::move(active));
}

int how_many(const Slips& on) {
    int count = 0;
    for (const Entry& entry : entries()) count += on(entry.id) ? 1 : 0;
    return count;
}

} // namespace assay::long_attention_judge
