// Reading the next-token distribution: the model answer. See walkthrough.md for the derivations.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace p_yes {

namespace {

// -infinity for an empty or wholly banned list, never NaN.
template <class T> T log_sum_exp(const std::vector<T>& x) {
    T largest = -INFINITY;
    for (const T one : x) largest = std::max(largest, one);
    if (largest == -INFINITY) return largest;
    T sum = 0;
    for (const T one : x) sum += std::exp(one - largest);
    return largest + std::log(sum);
}

template <class T> T sigmoid(T z) { return z < 0 ? std::exp(z) / (1 + std::exp(z)) : 1 / (1 + std::exp(-z)); }

template <class Stored> void score_rows(tensor<const Stored, 2> logits, tensor<const std::int32_t, 1> yes,
                                        tensor<const std::int32_t, 1> no, tensor<float, 1> log_yes,
                                        tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    for (int b = 0; b < logits.extent(0); ++b) {
        std::vector<float> all, in_yes, in_no;
        for (int v = 0; v < logits.extent(1); ++v) all.push_back(logits(b, v));
        for (int i = 0; i < yes.extent(0); ++i) in_yes.push_back(all[yes(i)]);
        for (int i = 0; i < no.extent(0); ++i) in_no.push_back(all[no(i)]);
        const float normaliser = log_sum_exp(all);
        for (float& x : in_yes) x -= normaliser;
        for (float& x : in_no) x -= normaliser;
        log_yes(b) = log_sum_exp(in_yes);
        log_no(b) = log_sum_exp(in_no);
        p(b) = sigmoid(log_yes(b) - log_no(b));
        mass(b) = std::exp(log_yes(b)) + std::exp(log_no(b));
    }
}

} // namespace

void score(tensor<const float, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
           tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    score_rows(logits, yes, no, log_yes, log_no, p, mass);
}

void score_f16(tensor<const half, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
               tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    score_rows(logits, yes, no, log_yes, log_no, p, mass);
}

reading checked(tensor<const double, 1> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no) {
    const auto ids_of = [](tensor<const std::int32_t, 1> group) {
        std::vector<std::int32_t> ids;
        for (int i = 0; i < group.extent(0); ++i) ids.push_back(group(i));
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    };
    const std::vector<std::int32_t> in_yes = ids_of(yes), in_no = ids_of(no);
    if (in_yes.empty() || in_no.empty()) return {status::empty_group};
    if (std::min(in_yes.front(), in_no.front()) < 0 || std::max(in_yes.back(), in_no.back()) >= logits.extent(0))
        return {status::id_out_of_range};
    for (const std::int32_t id : in_yes)
        if (std::binary_search(in_no.begin(), in_no.end(), id)) return {status::id_in_both};
    std::vector<double> all, of_yes, of_no;
    for (int v = 0; v < logits.extent(0); ++v) {
        if (!(logits(v) < INFINITY)) return {status::bad_logit}; // false for NaN as well
        all.push_back(logits(v));
    }
    for (const std::int32_t id : in_yes) of_yes.push_back(all[id]);
    for (const std::int32_t id : in_no) of_no.push_back(all[id]);
    const double raw_yes = log_sum_exp(of_yes), raw_no = log_sum_exp(of_no);
    if (raw_yes == -INFINITY && raw_no == -INFINITY) return {status::no_mass};
    const double normaliser = log_sum_exp(all);
    reading r{status::ok, raw_yes - normaliser, raw_no - normaliser};
    r.p = sigmoid(raw_yes - raw_no);
    r.mass = std::exp(r.log_yes) + std::exp(r.log_no);
    return r;
}

namespace {

using text = std::vector<std::int32_t>;

std::int32_t lower(std::int32_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

bool begins_with(const text& whole, const text& piece) {
    return piece.size() <= whole.size() && std::equal(piece.begin(), piece.end(), whole.begin());
}

struct finder {
    std::vector<text> pieces;
    std::int32_t mark;

    bool spells(const text& piece, const text& label) const {
        const std::size_t skip = !piece.empty() && piece[0] == mark ? 1 : 0;
        return piece.size() - skip == label.size() &&
               std::equal(label.begin(), label.end(), piece.begin() + static_cast<std::ptrdiff_t>(skip),
                          [](std::int32_t a, std::int32_t b) { return lower(a) == lower(b); });
    }

    // The longest piece that `form` begins with and that is longer than `least`: all ids of it.
    void add_first_token(const text& form, std::size_t least, std::vector<bool>& ids) const {
        std::size_t longest = least;
        for (const text& piece : pieces)
            if (begins_with(form, piece)) longest = std::max(longest, piece.size());
        if (longest == least) return;
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (pieces[i].size() == longest && begins_with(form, pieces[i])) ids[i] = true;
    }

    found_as find(const text& label, std::vector<bool>& ids) const {
        for (std::size_t i = 0; i < pieces.size(); ++i) ids.push_back(spells(pieces[i], label));
        const auto any = [&] { return std::find(ids.begin(), ids.end(), true) != ids.end(); };
        if (any()) return found_as::spelling;
        text marked = label;
        marked.insert(marked.begin(), mark);
        add_first_token(label, 0, ids);
        add_first_token(marked, 1, ids);
        return any() ? found_as::first_token : found_as::nothing;
    }
};

bool is_label(const text& label) {
    return !label.empty() &&
           std::all_of(label.begin(), label.end(), [](std::int32_t c) { return c >= 0x21 && c <= 0x7e; });
}

} // namespace

tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids) {
    finder search{{}, marks == marking::gpt2 ? 0x120 : 0x2581};
    for (int i = 0; i < pieces.extent(0); ++i) {
        yes_ids(i) = no_ids(i) = false;
        search.pieces.emplace_back();
        for (int j = 0; j < pieces.extent(1) && pieces(i, j) != 0; ++j) search.pieces.back().push_back(pieces(i, j));
    }
    text label_yes, label_no;
    for (int j = 0; j < yes.extent(0); ++j) label_yes.push_back(yes(j));
    for (int j = 0; j < no.extent(0); ++j) label_no.push_back(no(j));
    if (!is_label(label_yes) || !is_label(label_no)) return {outcome::bad_label};

    tokens t;
    std::vector<bool> for_yes, for_no;
    t.yes_as = search.find(label_yes, for_yes);
    t.no_as = search.find(label_no, for_no);
    t.yes_count = t.no_count = 0;
    t.collision = -1;
    for (int i = 0; i < pieces.extent(0); ++i) {
        yes_ids(i) = for_yes[i];
        no_ids(i) = for_no[i];
        t.yes_count += for_yes[i];
        t.no_count += for_no[i];
        if (for_yes[i] && for_no[i] && t.collision < 0) t.collision = i;
    }
    t.state = t.yes_count == 0 || t.no_count == 0 ? outcome::no_token
              : t.collision >= 0                  ? outcome::collision
                                                  : outcome::ok;
    return t;
}

namespace {

struct example {
    double z, weight;
    bool yes;
};
using examples = std::vector<example>;

// ln(1 + e^x), for any x.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

double mean_loss(const examples& all, double slope, double intercept) {
    double sum = 0, total = 0;
    for (const example& one : all) {
        const double x = slope * one.z + intercept;
        sum += one.weight * softplus(one.yes ? -x : x);
        total += one.weight;
    }
    return sum / total;
}

// d loss / d beta at beta, times the total weight. It grows with beta.
double derivative(const examples& all, double beta) {
    double sum = 0;
    for (const example& one : all) sum += one.weight * one.z * (sigmoid(beta * one.z) - (one.yes ? 1 : 0));
    return sum;
}

void fit_temperature(const examples& all, calibration& c) {
    const auto every = [&](auto holds) { return std::all_of(all.begin(), all.end(), holds); };
    if (every([](const example& one) { return one.z == 0; })) {
        c.temperature_state = fit::constant;
        c.temperature = 1;
        c.temperature_loss = std::log(2.0);
    } else if (every([](const example& one) { return one.yes ? one.z >= 0 : one.z <= 0; })) {
        c.temperature_state = fit::separable;
        c.temperature = 0;
        double zero = 0, total = 0;
        for (const example& one : all) {
            total += one.weight;
            if (one.z == 0) zero += one.weight;
        }
        c.temperature_loss = zero / total * std::log(2.0);
    } else if (derivative(all, 0) >= 0) {
        c.temperature_state = fit::uninformative;
        c.temperature = INFINITY;
        c.temperature_loss = std::log(2.0);
    } else {
        double low = 0, high = 1;
        while (derivative(all, high) < 0) high *= 2;
        for (int step = 0; step < 100; ++step) {
            const double middle = (low + high) / 2;
            (derivative(all, middle) < 0 ? low : high) = middle;
        }
        c.temperature_state = fit::ok;
        c.temperature = 1 / high;
        c.temperature_loss = mean_loss(all, high, 0);
    }
}

// Newton's method; a step that does not lower the loss is halved.
void fit_platt(const examples& all, calibration& c) {
    double a = 0, b = 0, loss = mean_loss(all, a, b);
    for (int step = 0; step < 100; ++step) {
        double ga = 0, gb = 0, haa = 0, hab = 0, hbb = 0, total = 0;
        for (const example& one : all) {
            const double p = sigmoid(a * one.z + b), error = one.weight * (p - (one.yes ? 1 : 0));
            const double curve = one.weight * p * sigmoid(-(a * one.z + b));
            ga += error * one.z;
            gb += error;
            haa += curve * one.z * one.z;
            hab += curve * one.z;
            hbb += curve;
            total += one.weight;
        }
        const double det = haa * hbb - hab * hab;
        double da = (hbb * ga - hab * gb) / det, db = (haa * gb - hab * ga) / det;
        double next = mean_loss(all, a - da, b - db);
        for (int halving = 0; halving < 40 && !(next < loss); ++halving) {
            da /= 2;
            db /= 2;
            next = mean_loss(all, a - da, b - db);
        }
        if (!(next < loss)) break;
        a -= da;
        b -= db;
        loss = next;
    }
    c.slope = a;
    c.intercept = b;
    c.platt_loss = loss;
}

} // namespace

calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights) {
    examples all;
    double weight[2] = {0, 0}, least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < scores.extent(0); ++i) {
        if (!std::isfinite(scores(i)) || !(weights(i) >= 0) || std::isinf(weights(i))) return {};
        if (weights(i) == 0) continue;
        const bool y = labels(i);
        all.push_back({scores(i), weights(i), y});
        weight[y] += weights(i);
        least[y] = std::min(least[y], scores(i));
        most[y] = std::max(most[y], scores(i));
    }
    if (all.empty()) return {};
    calibration c;
    c.raw_loss = mean_loss(all, 1, 0);
    fit_temperature(all, c);
    if (weight[0] == 0 || weight[1] == 0) {
        c.platt_state = fit::one_class;
    } else if (std::min(least[0], least[1]) == std::max(most[0], most[1])) {
        c.platt_state = fit::constant;
        c.slope = 0;
        c.intercept = std::log(weight[1] / weight[0]);
        c.platt_loss = mean_loss(all, 0, c.intercept);
    } else if (least[1] >= most[0] || least[0] >= most[1]) {
        c.platt_state = fit::separable;
    } else {
        c.platt_state = fit::ok;
        fit_platt(all, c);
    }
    return c;
}

assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes) {
    const auto is_cost = [](double cost) { return cost > 0 && std::isfinite(cost); };
    bool good = bins >= 1 && is_cost(cost_false_yes) && is_cost(cost_false_no);
    double total = 0;
    for (int i = 0; i < p.extent(0); ++i) {
        good = good && p(i) >= 0 && p(i) <= 1 && weights(i) >= 0 && std::isfinite(weights(i));
        total += weights(i);
    }
    good = good && total > 0;
    for (int m = 0; m < bins; ++m) bin_weight(m) = bin_p(m) = bin_yes(m) = good ? 0 : NAN;
    if (!good) return {};

    assessment a;
    a.threshold = cost_false_yes / (cost_false_yes + cost_false_no);
    a.yes_share = a.cost = a.ece = 0;
    for (int i = 0; i < p.extent(0); ++i) {
        const auto bin = std::max<std::int64_t>(static_cast<std::int64_t>(std::ceil(p(i) * bins)) - 1, 0);
        const double w = weights(i) / total;
        bin_weight(bin) += w;
        bin_p(bin) += w * p(i);
        bin_yes(bin) += labels(i) ? w : 0;
        const bool yes = p(i) >= a.threshold;
        if (yes) a.yes_share += w;
        if (yes && !labels(i)) a.cost += w * cost_false_yes;
        if (!yes && labels(i)) a.cost += w * cost_false_no;
    }
    for (int m = 0; m < bins; ++m) {
        if (bin_weight(m) == 0) continue;
        bin_p(m) /= bin_weight(m);
        bin_yes(m) /= bin_weight(m);
        a.ece += bin_weight(m) * std::fabs(bin_yes(m) - bin_p(m));
    }
    return a;
}

} // namespace p_yes
