// Partial results (maximum, sum) merged two by two, and log-masses added with log1p. Spellings by one walk over a
// piece's characters. Fits by one coordinate after the other, each by bisection of its derivative.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace p_yes {

namespace {

template <class T> T add_logs(T a, T b) {
    if (a < b) return add_logs(b, a);
    if (b == -std::numeric_limits<T>::infinity()) return a;
    return a + std::log1p(std::exp(b - a));
}

template <class T> struct part { T max, sum; };

template <class T, class Read> part<T> reduce(Read x, int from, int to) {
    if (to - from == 1) return {x(from), 1};
    const int middle = from + (to - from) / 2;
    const part<T> l = reduce<T>(x, from, middle), r = reduce<T>(x, middle, to);
    const T max = l.max > r.max ? l.max : r.max;
    if (max == -std::numeric_limits<T>::infinity()) return {max, 0};
    return {max, l.sum * std::exp(l.max - max) + r.sum * std::exp(r.max - max)};
}

template <class T, class Read> T log_sum(Read x, int n) {
    const part<T> all = reduce<T>(x, 0, n);
    return all.sum == 0 ? all.max : all.max + std::log(all.sum);
}

template <class Stored> void rows(tensor<const Stored, 2> logits, tensor<const std::int32_t, 1> yes,
                                  tensor<const std::int32_t, 1> no, tensor<float, 1> log_yes, tensor<float, 1> log_no,
                                  tensor<float, 1> p, tensor<float, 1> mass) {
    for (int b = 0; b < logits.extent(0); ++b) {
        const auto x = [&](int v) -> float { return logits(b, v); };
        const float z = log_sum<float>(x, int(logits.extent(1)));
        const float y = log_sum<float>([&](int i) { return x(yes(i)) - z; }, int(yes.extent(0)));
        const float n = log_sum<float>([&](int i) { return x(no(i)) - z; }, int(no.extent(0)));
        log_yes(b) = y;
        log_no(b) = n;
        p(b) = std::exp(y - add_logs(y, n));
        mass(b) = std::exp(add_logs(y, n));
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
    const int V = int(logits.extent(0)), y = int(yes.extent(0)), n = int(no.extent(0));
    reading r;
    r.state = status::ok;
    const auto fault = [&](status one) {
        if (r.state == status::ok) r.state = one;
    };
    if (y == 0 || n == 0) fault(status::empty_group);
    for (int i = 0; i < y; ++i)
        if (yes(i) < 0 || yes(i) >= V) fault(status::id_out_of_range);
    for (int i = 0; i < n; ++i)
        if (no(i) < 0 || no(i) >= V) fault(status::id_out_of_range);
    for (int i = 0; i < y; ++i)
        for (int j = 0; j < n; ++j)
            if (yes(i) == no(j)) fault(status::id_in_both);
    for (int v = 0; v < V; ++v)
        if (std::isnan(logits(v)) || logits(v) > std::numeric_limits<double>::max()) fault(status::bad_logit);
    if (r.state != status::ok) return r;
    const double banned = -std::numeric_limits<double>::infinity();
    const auto group = [&](tensor<const std::int32_t, 1> ids, int size) {
        return log_sum<double>(
            [&](int i) {
                for (int before = 0; before < i; ++before)
                    if (ids(before) == ids(i)) return banned; // counted already
                return logits(ids(i));
            },
            size);
    };
    const double of_yes = group(yes, y), of_no = group(no, n);
    if (of_yes == banned && of_no == banned) {
        r.state = status::no_mass;
        return r;
    }
    const double z = log_sum<double>([&](int v) { return logits(v); }, V);
    r.log_yes = of_yes - z;
    r.log_no = of_no - z;
    r.p = std::exp(r.log_yes - add_logs(r.log_yes, r.log_no));
    r.mass = std::exp(add_logs(of_yes, of_no) - z);
    return r;
}

namespace {

using piece_table = tensor<const std::int32_t, 2>;
using word = tensor<const std::int32_t, 1>;

int length_of(piece_table pieces, int i) {
    int length = 0;
    while (length < pieces.extent(1) && pieces(i, length) != 0) ++length;
    return length;
}

// Characters of piece i that agree with the label from its start, after `skip` of them; -1 where one does not.
int agreement(piece_table pieces, int i, word label, int skip, bool any_case) {
    const int length = length_of(pieces, i) - skip;
    if (length > label.extent(0)) return -1;
    for (int j = 0; j < length; ++j) {
        int a = pieces(i, j + skip), b = label(j);
        if (any_case && a >= 'A' && a <= 'Z') a += 'a' - 'A';
        if (any_case && b >= 'A' && b <= 'Z') b += 'a' - 'A';
        if (a != b) return -1;
    }
    return length;
}

found_as find(piece_table pieces, int mark, word label, tensor<bool, 1> ids, std::int64_t& count) {
    const int V = int(pieces.extent(0));
    const auto marked = [&](int i) { return length_of(pieces, i) > 0 && pieces(i, 0) == mark; };
    for (int i = 0; i < V; ++i)
        if (agreement(pieces, i, label, marked(i), true) == label.extent(0)) {
            ids(i) = true;
            ++count;
        }
    if (count > 0) return found_as::spelling;
    int longest[2] = {0, 0};
    for (int i = 0; i < V; ++i) {
        int& best = longest[marked(i)];
        best = std::max(best, agreement(pieces, i, label, marked(i), false));
    }
    for (int i = 0; i < V; ++i) {
        const int best = longest[marked(i)];
        if (best == 0 || agreement(pieces, i, label, marked(i), false) != best) continue;
        ids(i) = true;
        ++count;
    }
    return count > 0 ? found_as::first_token : found_as::nothing;
}

} // namespace

tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids) {
    for (int i = 0; i < pieces.extent(0); ++i) yes_ids(i) = no_ids(i) = false;
    for (const word& label : {yes, no}) {
        if (label.extent(0) == 0) return {outcome::bad_label};
        for (int j = 0; j < label.extent(0); ++j)
            if (label(j) < '!' || label(j) > '~') return {outcome::bad_label};
    }
    const int mark = marks == marking::gpt2 ? 0x0120 : 0x2581;
    tokens t{outcome::ok, found_as::none, found_as::none, 0, 0, -1};
    t.yes_as = find(pieces, mark, yes, yes_ids, t.yes_count);
    t.no_as = find(pieces, mark, no, no_ids, t.no_count);
    for (int i = 0; i < pieces.extent(0); ++i)
        if (yes_ids(i) && no_ids(i)) {
            t.collision = i;
            t.state = outcome::collision;
            break;
        }
    if (t.yes_count == 0 || t.no_count == 0) t.state = outcome::no_token;
    return t;
}

namespace {

struct samples {
    std::vector<double> z, w;
    std::vector<int> y;
    double total = 0;

    static double upper(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

    double loss(double a, double b) const {
        double sum = 0;
        for (std::size_t i = 0; i < z.size(); ++i) sum += w[i] * add_logs(0.0, (y[i] ? -1 : 1) * (a * z[i] + b));
        return sum / total;
    }
    // d loss / d intercept, or d slope
    double slope(double a, double b, bool of_slope) const {
        double sum = 0;
        for (std::size_t i = 0; i < z.size(); ++i) sum += w[i] * (upper(a * z[i] + b) - y[i]) * (of_slope ? z[i] : 1);
        return sum;
    }
};

template <class Derivative> double root(Derivative f, double low, double high) {
    for (int step = 0; step < 70; ++step) {
        const double middle = low + (high - low) / 2;
        (f(middle) < 0 ? low : high) = middle;
    }
    return high;
}

} // namespace

calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights) {
    samples s;
    double yes = 0, no = 0, low = INFINITY, high = -INFINITY;
    bool above = false, below = false; // a yes above some no, and below some
    bool wrong = false, all_zero = true;
    for (int i = 0; i < scores.extent(0); ++i) {
        if (!std::isfinite(scores(i)) || !std::isfinite(weights(i)) || weights(i) < 0) return {};
        if (weights(i) == 0) continue;
        s.z.push_back(scores(i));
        s.w.push_back(weights(i));
        s.y.push_back(labels(i));
        s.total += weights(i);
        (labels(i) ? yes : no) += weights(i);
        low = std::fmin(low, scores(i));
        high = std::fmax(high, scores(i));
        wrong = wrong || (labels(i) ? scores(i) < 0 : scores(i) > 0);
        all_zero = all_zero && scores(i) == 0;
    }
    if (s.z.empty()) return {};
    for (std::size_t i = 0; i < s.z.size(); ++i)
        for (std::size_t j = 0; j < s.z.size(); ++j) {
            if (!s.y[i] || s.y[j]) continue;
            above = above || s.z[i] > s.z[j];
            below = below || s.z[i] < s.z[j];
        }
    calibration c;
    c.raw_loss = s.loss(1, 0);
    const double ln2 = std::log(2.0);
    if (all_zero) {
        c.temperature_state = fit::constant;
        c.temperature = 1;
        c.temperature_loss = ln2;
    } else if (!wrong) {
        double zero = 0;
        for (std::size_t i = 0; i < s.z.size(); ++i) zero += s.z[i] == 0 ? s.w[i] : 0;
        c.temperature_state = fit::separable;
        c.temperature = 0;
        c.temperature_loss = ln2 * zero / s.total;
    } else if (s.slope(0, 0, true) >= 0) {
        c.temperature_state = fit::uninformative;
        c.temperature = INFINITY;
        c.temperature_loss = ln2;
    } else {
        const double beta = root([&](double a) { return s.slope(a, 0, true); }, 0, 30);
        c.temperature_state = fit::ok;
        c.temperature = 1 / beta;
        c.temperature_loss = s.loss(beta, 0);
    }
    if (yes == 0 || no == 0) {
        c.platt_state = fit::one_class;
    } else if (low == high) {
        c.platt_state = fit::constant;
        c.slope = 0;
        c.intercept = std::log(yes / no);
        c.platt_loss = s.loss(0, c.intercept);
    } else if (!above || !below) {
        c.platt_state = fit::separable;
    } else {
        // the derivative along the slope, at the best intercept for it, grows with the slope
        const auto best = [&](double a) { return root([&](double b) { return s.slope(a, b, false); }, -80, 80); };
        c.platt_state = fit::ok;
        c.slope = root([&](double a) { return s.slope(a, best(a), true); }, -25, 25);
        c.intercept = best(c.slope);
        c.platt_loss = s.loss(c.slope, c.intercept);
    }
    return c;
}

assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes) {
    const double most = std::numeric_limits<double>::max();
    bool good = bins >= 1 && cost_false_yes > 0 && cost_false_no > 0 && cost_false_yes <= most && cost_false_no <= most;
    double total = 0;
    for (int i = 0; i < p.extent(0); ++i) {
        good = good && p(i) >= 0 && p(i) <= 1 && weights(i) >= 0 && weights(i) <= most;
        total += weights(i);
    }
    good = good && total > 0;
    for (int m = 0; m < bins; ++m) bin_weight(m) = bin_p(m) = bin_yes(m) = good ? 0 : unset;
    if (!good) return {};
    // running means, bin by bin
    assessment a{0, 1 / (1 + cost_false_no / cost_false_yes), 0, 0};
    for (int i = 0; i < p.extent(0); ++i) {
        if (weights(i) == 0) continue;
        int m = 0;
        while (p(i) > double(m + 1) / double(bins)) ++m;
        bin_weight(m) += weights(i);
        const double step = weights(i) / bin_weight(m);
        bin_p(m) += step * (p(i) - bin_p(m));
        bin_yes(m) += step * (labels(i) - bin_yes(m));
    }
    for (int m = 0; m < bins; ++m) {
        bin_weight(m) /= total;
        a.ece += bin_weight(m) * std::fabs(bin_p(m) - bin_yes(m));
    }
    for (int i = 0; i < p.extent(0); ++i) {
        const bool said = p(i) * (cost_false_yes + cost_false_no) >= cost_false_yes;
        if (said) a.yes_share += weights(i);
        if (said && !labels(i)) a.cost += weights(i) * cost_false_yes;
        if (!said && labels(i)) a.cost += weights(i) * cost_false_no;
    }
    a.yes_share /= total;
    a.cost /= total;
    return a;
}

} // namespace p_yes
