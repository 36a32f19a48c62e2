// One pass over the logits with a running maximum; raw log-masses, normalised at the end. Spellings by listing every
// casing. Fits by comparing losses alone: golden section, and inside it another for the intercept.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace p_yes {

namespace {

template <class T> struct running {
    T max = -INFINITY, sum = 0;
    void add(T x) {
        if (x == -INFINITY) return;
        if (x > max) {
            sum = sum * std::exp(max - x) + 1;
            max = x;
        } else {
            sum += std::exp(x - max);
        }
    }
    T log() const { return sum == 0 ? -INFINITY : max + std::log(sum); }
};

template <class Stored, class Id> void rows(tensor<const Stored, 2> logits, Id yes, Id no, tensor<float, 1> log_yes,
                                            tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    for (int b = 0; b < logits.extent(0); ++b) {
        running<float> all, y, n;
        for (int v = 0; v < logits.extent(1); ++v) all.add(logits(b, v));
        for (int i = 0; i < yes.extent(0); ++i) y.add(logits(b, yes(i)));
        for (int i = 0; i < no.extent(0); ++i) n.add(logits(b, no(i)));
        running<float> both;
        both.add(y.log());
        both.add(n.log());
        log_yes(b) = y.log() - all.log();
        log_no(b) = n.log() - all.log();
        p(b) = y.log() < n.log() ? std::exp(y.log() - both.log()) : 1 / (1 + std::exp(n.log() - y.log()));
        mass(b) = std::exp(both.log() - all.log());
    }
}

} // namespace

void score(tensor<const float, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
           tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    rows(logits, yes, no, log_yes, log_no, p, mass);
}

void score_f16(tensor<const half, 2> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no,
               tensor<float, 1> log_yes, tensor<float, 1> log_no, tensor<float, 1> p, tensor<float, 1> mass) {
    rows(logits, yes, no, log_yes, log_no, p, mass);
}

reading checked(tensor<const double, 1> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no) {
    if (yes.size() == 0 || no.size() == 0) return {status::empty_group};
    std::set<std::int64_t> groups[2];
    for (int i = 0; i < yes.extent(0); ++i) groups[0].insert(yes(i));
    for (int i = 0; i < no.extent(0); ++i) groups[1].insert(no(i));
    for (const auto& group : groups)
        if (*group.begin() < 0 || *group.rbegin() >= logits.extent(0)) return {status::id_out_of_range};
    for (const std::int64_t id : groups[0])
        if (groups[1].count(id)) return {status::id_in_both};
    running<double> all, sums[2];
    for (int v = 0; v < logits.extent(0); ++v) {
        if (std::isnan(logits(v)) || logits(v) == INFINITY) return {status::bad_logit};
        all.add(logits(v));
    }
    for (int g = 0; g < 2; ++g)
        for (const std::int64_t id : groups[g]) sums[g].add(logits(id));
    if (sums[0].sum == 0 && sums[1].sum == 0) return {status::no_mass};
    const double y = sums[0].log(), n = sums[1].log(), z = all.log();
    return {status::ok, y - z, n - z, 1 / (1 + std::exp(n - y)), std::exp(y - z) + std::exp(n - z)};
}

namespace {

using text = std::u32string;

void list_casings(text word, std::size_t at, std::set<text>& all) {
    if (at == word.size()) {
        all.insert(word);
        return;
    }
    const char32_t c = word[at], small = c >= U'A' && c <= U'Z' ? c + 32 : c;
    word[at] = small;
    list_casings(word, at + 1, all);
    if (small >= U'a' && small <= U'z') {
        word[at] = small - 32;
        list_casings(word, at + 1, all);
    }
}

found_as find(const std::vector<text>& pieces, char32_t mark, const text& label, std::set<std::int64_t>& ids) {
    std::set<text> bare, spellings;
    list_casings(label, 0, bare);
    for (const text& one : bare) {
        spellings.insert(one);
        spellings.insert(mark + one);
    }
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (spellings.count(pieces[i])) ids.insert(i);
    if (!ids.empty()) return found_as::spelling;
    for (const text& form : {label, mark + label})
        for (std::size_t length = form.size(); length > (form.size() > label.size() ? 1u : 0u); --length) {
            const std::size_t before = ids.size();
            for (std::size_t i = 0; i < pieces.size(); ++i)
                if (pieces[i] == form.substr(0, length)) ids.insert(i);
            if (ids.size() > before) break;
        }
    return ids.empty() ? found_as::nothing : found_as::first_token;
}

} // namespace

tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids) {
    std::vector<text> all(pieces.extent(0));
    for (int i = 0; i < pieces.extent(0); ++i) {
        yes_ids(i) = no_ids(i) = false;
        for (int j = 0; j < pieces.extent(1) && pieces(i, j); ++j) all[i].push_back(pieces(i, j));
    }
    text labels[2];
    for (int j = 0; j < yes.extent(0); ++j) labels[0].push_back(yes(j));
    for (int j = 0; j < no.extent(0); ++j) labels[1].push_back(no(j));
    for (const text& label : labels) {
        if (label.empty()) return {outcome::bad_label};
        for (const char32_t c : label)
            if (c < 33 || c > 126) return {outcome::bad_label};
    }
    const char32_t mark = marks == marking::gpt2 ? 0x120 : 0x2581;
    std::set<std::int64_t> ids[2], shared;
    tokens t;
    t.yes_as = find(all, mark, labels[0], ids[0]);
    t.no_as = find(all, mark, labels[1], ids[1]);
    for (const std::int64_t id : ids[0]) yes_ids(id) = true;
    for (const std::int64_t id : ids[1]) no_ids(id) = true;
    std::set_intersection(ids[0].begin(), ids[0].end(), ids[1].begin(), ids[1].end(),
                          std::inserter(shared, shared.begin()));
    t.yes_count = ids[0].size();
    t.no_count = ids[1].size();
    t.collision = shared.empty() ? -1 : *shared.begin();
    t.state = ids[0].empty() || ids[1].empty() ? outcome::no_token : shared.empty() ? outcome::ok : outcome::collision;
    return t;
}

namespace {

struct data {
    std::vector<double> z, w;
    std::vector<bool> y;

    double loss(double a, double b) const {
        double sum = 0, total = 0;
        for (std::size_t i = 0; i < z.size(); ++i) {
            const double x = (a * z[i] + b) * (y[i] ? -1 : 1);
            sum += w[i] * (x > 30 ? x + std::exp(-x) : std::log1p(std::exp(x)));
            total += w[i];
        }
        return sum / total;
    }
};

// Where a function with one valley is lowest.
template <class Function> double lowest(double low, double high, Function f, int steps) {
    const double part = (std::sqrt(5.0) - 1) / 2;
    double c = high - part * (high - low), d = low + part * (high - low), fc = f(c), fd = f(d);
    for (int step = 0; step < steps; ++step) {
        if (fc < fd) {
            high = d;
            d = c;
            fd = fc;
            c = high - part * (high - low);
            fc = f(c);
        } else {
            low = c;
            c = d;
            fc = fd;
            d = low + part * (high - low);
            fd = f(d);
        }
    }
    return (low + high) / 2;
}

} // namespace

calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights) {
    data d;
    for (int i = 0; i < scores.extent(0); ++i) {
        if (!std::isfinite(scores(i)) || !std::isfinite(weights(i)) || weights(i) < 0) return {};
        if (weights(i) == 0) continue;
        d.z.push_back(scores(i));
        d.w.push_back(weights(i));
        d.y.push_back(labels(i));
    }
    if (d.z.empty()) return {};
    calibration c;
    c.raw_loss = d.loss(1, 0);
    const std::size_t n = d.z.size();
    bool zero = true, sure = true, equal = true;
    double pull = 0, yes = 0, no = 0;
    std::vector<double> of[2];
    for (std::size_t i = 0; i < n; ++i) {
        zero = zero && d.z[i] == 0;
        sure = sure && (d.z[i] == 0 || (d.z[i] > 0) == d.y[i]);
        equal = equal && d.z[i] == d.z[0];
        pull += d.w[i] * d.z[i] * (d.y[i] ? 1 : -1);
        (d.y[i] ? yes : no) += d.w[i];
        of[d.y[i]].push_back(d.z[i]);
    }
    double beta = 1;
    c.temperature_state = fit::ok;
    if (zero) {
        c.temperature_state = fit::constant;
    } else if (sure) {
        c.temperature_state = fit::separable;
        beta = INFINITY;
    } else if (pull <= 0) {
        c.temperature_state = fit::uninformative;
        beta = 0;
    } else {
        beta = std::exp(lowest(
            std::log(0.02), std::log(50.0), [&](double log) { return d.loss(std::exp(log), 0); }, 70));
    }
    c.temperature = 1 / beta;
    c.temperature_loss = d.loss(std::min(beta, 1e9), 0);
    const auto range = [&](int side) { return std::minmax_element(of[side].begin(), of[side].end()); };
    if (yes == 0 || no == 0) {
        c.platt_state = fit::one_class;
    } else if (equal) {
        c.platt_state = fit::constant;
        c.slope = 0;
        c.intercept = std::log(yes) - std::log(no);
        c.platt_loss = d.loss(0, c.intercept);
    } else if (*range(1).first >= *range(0).second || *range(0).first >= *range(1).second) {
        c.platt_state = fit::separable;
    } else {
        c.platt_state = fit::ok;
        const auto best = [&](double a) {
            return lowest(
                -60, 60, [&](double b) { return d.loss(a, b); }, 55);
        };
        c.slope = lowest(
            -21, 21, [&](double a) { return d.loss(a, best(a)); }, 55);
        c.intercept = best(c.slope);
        c.platt_loss = d.loss(c.slope, c.intercept);
    }
    return c;
}

assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes) {
    bool good = bins >= 1;
    for (const double cost : {cost_false_yes, cost_false_no}) good = good && cost > 0 && cost < INFINITY;
    double total = 0;
    for (int i = 0; i < p.extent(0); ++i) {
        good = good && p(i) >= 0 && p(i) <= 1 && weights(i) >= 0 && weights(i) < INFINITY;
        total += weights(i);
    }
    if (!good || total == 0) {
        for (int m = 0; m < bins; ++m) bin_weight(m) = bin_p(m) = bin_yes(m) = NAN;
        return {};
    }
    assessment a{0, cost_false_yes / (cost_false_yes + cost_false_no), 0, 0};
    for (int m = 0; m < bins; ++m) { // each bin by a look at all examples
        double weight = 0, sum_p = 0, sum_yes = 0;
        for (int i = 0; i < p.extent(0); ++i) {
            const bool inside = p(i) <= double(m + 1) / bins && (p(i) > double(m) / bins || m == 0);
            if (!inside) continue;
            weight += weights(i);
            sum_p += weights(i) * p(i);
            sum_yes += labels(i) ? weights(i) : 0;
        }
        bin_weight(m) = weight / total;
        bin_p(m) = weight == 0 ? 0 : sum_p / weight;
        bin_yes(m) = weight == 0 ? 0 : sum_yes / weight;
        a.ece += std::fabs(sum_yes - sum_p) / total;
    }
    for (int i = 0; i < p.extent(0); ++i) {
        const bool yes = p(i) * cost_false_no >= (1 - p(i)) * cost_false_yes; // the same as p >= threshold
        a.yes_share += yes ? weights(i) / total : 0;
        if (yes != labels(i)) a.cost += weights(i) / total * (yes ? cost_false_yes : cost_false_no);
    }
    return a;
}

} // namespace p_yes
