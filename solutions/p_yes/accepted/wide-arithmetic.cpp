// Rows in double, everything else in long double. Spellings by folding both sides. Fits by Newton's method on the
// derivatives. Bins by sorting.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace p_yes {

namespace {

using real = long double;

template <class Read, class Ids> real log_mass(Read logit, const Ids& ids, real largest) {
    real sum = 0, own = -INFINITY;
    for (const auto id : ids) own = std::max<real>(own, logit(id));
    if (own == -INFINITY) return own;
    for (const auto id : ids) sum += std::exp(static_cast<real>(logit(id)) - own);
    return own - largest + std::log(sum);
}

std::vector<int> list(tensor<const std::int32_t, 1> ids) {
    std::vector<int> all;
    for (int i = 0; i < ids.extent(0); ++i) all.push_back(ids(i));
    return all;
}

struct result {
    real yes, no, p, mass;
};

template <class Read> result read(Read logit, int V, const std::vector<int>& yes, const std::vector<int>& no) {
    real largest = -INFINITY;
    double sum = 0;
    for (int v = 0; v < V; ++v) largest = std::max<real>(largest, logit(v));
    for (int v = 0; v < V; ++v) sum += std::exp(static_cast<double>(logit(v) - largest));
    const real normaliser = std::log(sum), y = log_mass(logit, yes, largest), n = log_mass(logit, no, largest);
    return {y - normaliser, n - normaliser, y > n ? 1 / (1 + std::exp(n - y)) : std::exp(y - n) / (1 + std::exp(y - n)),
            (std::exp(y) + std::exp(n)) / sum};
}

template <class Stored> void rows(tensor<const Stored, 2> logits, tensor<const std::int32_t, 1> yes,
                                  tensor<const std::int32_t, 1> no, tensor<float, 1> log_yes, tensor<float, 1> log_no,
                                  tensor<float, 1> p, tensor<float, 1> mass) {
    for (int b = 0; b < logits.extent(0); ++b) {
        const auto logit = [&](int v) { return static_cast<float>(logits(b, v)); };
        const result r = read(logit, static_cast<int>(logits.extent(1)), list(yes), list(no));
        log_yes(b) = static_cast<float>(r.yes);
        log_no(b) = static_cast<float>(r.no);
        p(b) = static_cast<float>(r.p);
        mass(b) = static_cast<float>(r.mass);
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
    const int V = static_cast<int>(logits.extent(0));
    std::vector<int> y = list(yes), n = list(no);
    if (y.empty() || n.empty()) return {status::empty_group};
    std::vector<int> owner(V, 0); // 1 yes, 2 no, 3 both
    for (auto* group : {&y, &n})
        for (const int id : *group) {
            if (id < 0 || id >= V) return {status::id_out_of_range};
            owner[id] |= group == &y ? 1 : 2;
        }
    if (std::count(owner.begin(), owner.end(), 3)) return {status::id_in_both};
    bool mass = false;
    y.clear();
    n.clear();
    for (int v = 0; v < V; ++v) {
        if (!(logits(v) < INFINITY)) return {status::bad_logit};
        mass = mass || (owner[v] && logits(v) > -INFINITY);
        if (owner[v] == 1) y.push_back(v);
        if (owner[v] == 2) n.push_back(v);
    }
    if (!mass) return {status::no_mass};
    const result r = read([&](int v) { return logits(v); }, V, y, n);
    return {status::ok, double(r.yes), double(r.no), double(r.p), double(r.mass)};
}

namespace {

std::string ascii_folded(const std::u32string& word) {
    std::string bytes;
    for (char32_t c : word) {
        if (c >= U'A' && c <= U'Z') c += 32;
        for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(c >> shift & 0xff));
    }
    return bytes;
}

} // namespace

tokens label_tokens(marking marks, tensor<const std::int32_t, 2> pieces, tensor<const std::int32_t, 1> yes,
                    tensor<const std::int32_t, 1> no, tensor<bool, 1> yes_ids, tensor<bool, 1> no_ids) {
    const char32_t mark = marks == marking::gpt2 ? U'Ġ' : U'▁';
    const int V = static_cast<int>(pieces.extent(0));
    std::vector<std::u32string> words(V);
    for (int i = 0; i < V; ++i)
        for (int j = 0; j < pieces.extent(1); ++j)
            if (pieces(i, j)) words[i] += static_cast<char32_t>(pieces(i, j));
    bool bad = false;
    tokens t;
    int at = 0;
    for (auto* label : {&yes, &no}) {
        std::u32string word;
        for (int j = 0; j < label->extent(0); ++j) word += static_cast<char32_t>((*label)(j));
        bad = bad || word.empty() || word.find_first_of(U" ") != word.npos;
        for (const char32_t c : word) bad = bad || c <= 0x20 || c >= 0x7f;
        const tensor<bool, 1>& ids = at == 0 ? yes_ids : no_ids;
        std::int64_t count = 0;
        for (int i = 0; i < V; ++i) {
            ids(i) =
                ascii_folded(words[i]) == ascii_folded(word) || ascii_folded(words[i]) == ascii_folded(mark + word);
            count += ids(i);
        }
        found_as as = count ? found_as::spelling : found_as::nothing;
        if (!count)
            for (const std::u32string& form : {word, mark + word}) {
                std::size_t longest = 0;
                const std::size_t start = form.size() - word.size(); // characters of the mark
                for (const auto& piece : words)
                    if (piece.size() > start && form.rfind(piece, 0) == 0) longest = std::max(longest, piece.size());
                for (int i = 0; i < V; ++i)
                    if (longest && words[i].size() == longest && form.rfind(words[i], 0) == 0 && !ids(i)) {
                        ids(i) = true;
                        ++count;
                        as = found_as::first_token;
                    }
            }
        (at == 0 ? t.yes_as : t.no_as) = as;
        (at == 0 ? t.yes_count : t.no_count) = count;
        ++at;
    }
    if (bad) {
        for (int i = 0; i < V; ++i) yes_ids(i) = no_ids(i) = false;
        return {outcome::bad_label};
    }
    t.collision = -1;
    for (int i = V; i-- > 0;)
        if (yes_ids(i) && no_ids(i)) t.collision = i;
    t.state = t.collision >= 0 ? outcome::collision : outcome::ok;
    if (!t.yes_count || !t.no_count) t.state = outcome::no_token;
    return t;
}

namespace {

struct sums {
    real loss = 0, a = 0, b = 0, aa = 0, ab = 0, bb = 0, weight = 0;
};

struct point {
    real z, w;
    int y;
};

sums at(const std::vector<point>& points, real a, real b) {
    sums s;
    for (const point& one : points) {
        const real x = a * one.z + b, p = 0.5L + 0.5L * std::tanh(x / 2);
        s.loss += one.w * (std::log1p(std::exp(-std::fabs(x))) + (x > 0 ? x : 0) - one.y * x);
        s.a += one.w * (p - one.y) * one.z;
        s.b += one.w * (p - one.y);
        s.aa += one.w * p * (1 - p) * one.z * one.z;
        s.ab += one.w * p * (1 - p) * one.z;
        s.bb += one.w * p * (1 - p);
        s.weight += one.w;
    }
    return s;
}

} // namespace

calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights) {
    std::vector<point> points;
    for (int i = 0; i < scores.extent(0); ++i) {
        if (!std::isfinite(scores(i)) || !(weights(i) >= 0 && weights(i) < INFINITY)) return {};
        if (weights(i) > 0) points.push_back({scores(i), weights(i), labels(i)});
    }
    if (points.empty()) return {};
    std::sort(points.begin(), points.end(), [](const point& a, const point& b) { return a.z < b.z; });
    const auto mean = [](const sums& s) { return static_cast<double>(s.loss / s.weight); };
    calibration c;
    c.raw_loss = mean(at(points, 1, 0));

    bool right = true, flat = true;
    for (const point& one : points) {
        right = right && one.z * (2 * one.y - 1) >= 0;
        flat = flat && one.z == 0;
    }
    const sums start = at(points, 0, 0);
    if (flat) {
        c.temperature_state = fit::constant;
        c.temperature = 1;
        c.temperature_loss = mean(start);
    } else if (right) {
        c.temperature_state = fit::separable;
        c.temperature = 0;
        real unsure = 0;
        for (const point& one : points) unsure += one.z == 0 ? one.w : 0;
        c.temperature_loss = static_cast<double>(unsure * std::log(2.0L) / start.weight);
    } else if (start.a >= 0) {
        c.temperature_state = fit::uninformative;
        c.temperature = INFINITY;
        c.temperature_loss = mean(start);
    } else {
        real low = 0, high = 64, beta = 0.1L; // Newton, kept in a bracket
        for (int step = 0; step < 200; ++step) {
            const sums s = at(points, beta, 0);
            (s.a < 0 ? low : high) = beta;
            const real next = beta - s.a / s.aa;
            beta = next > low && next < high ? next : (low + high) / 2;
        }
        c.temperature_state = fit::ok;
        c.temperature = static_cast<double>(1 / beta);
        c.temperature_loss = mean(at(points, beta, 0));
    }

    real yes = 0;
    int changes = 0; // of the label, in order of score, scores that are equal apart
    for (const point& one : points) yes += one.y * one.w;
    const auto side = [&](int y) {
        std::vector<real> z;
        for (const point& one : points)
            if (one.y == y) z.push_back(one.z);
        return z;
    };
    const std::vector<real> zeros = side(0), ones = side(1);
    if (!zeros.empty() && !ones.empty()) changes = zeros.back() > ones.front() && ones.back() > zeros.front();
    if (zeros.empty() || ones.empty()) {
        c.platt_state = fit::one_class;
    } else if (points.front().z == points.back().z) {
        c.platt_state = fit::constant;
        c.slope = 0;
        c.intercept = static_cast<double>(std::log(yes / (start.weight - yes)));
        c.platt_loss = mean(at(points, 0, c.intercept));
    } else if (!changes) {
        c.platt_state = fit::separable;
    } else {
        real a = 0, b = 0, damping = 1;
        for (int step = 0; step < 400; ++step) { // Levenberg's damping, less of it after every success
            const sums s = at(points, a, b);
            const real aa = s.aa + damping * s.weight, bb = s.bb + damping * s.weight, det = aa * bb - s.ab * s.ab;
            const real na = a - (bb * s.a - s.ab * s.b) / det, nb = b - (aa * s.b - s.ab * s.a) / det;
            if (at(points, na, nb).loss <= s.loss) {
                a = na;
                b = nb;
                damping /= 4;
            } else {
                damping *= 2;
            }
        }
        c.platt_state = fit::ok;
        c.slope = static_cast<double>(a);
        c.intercept = static_cast<double>(b);
        c.platt_loss = mean(at(points, a, b));
    }
    return c;
}

assessment assess(tensor<const double, 1> p, tensor<const bool, 1> labels, tensor<const double, 1> weights,
                  std::int64_t bins, double cost_false_yes, double cost_false_no, tensor<double, 1> bin_weight,
                  tensor<double, 1> bin_p, tensor<double, 1> bin_yes) {
    const int n = static_cast<int>(p.extent(0));
    real total = 0;
    bool bad = bins < 1 || !(cost_false_yes > 0) || !(cost_false_no > 0) || std::isinf(cost_false_yes + cost_false_no);
    for (int i = 0; i < n; ++i) {
        bad = bad || !(p(i) >= 0) || !(p(i) <= 1) || !(weights(i) >= 0) || std::isinf(weights(i));
        total += weights(i);
    }
    bad = bad || !(total > 0);
    for (int m = 0; m < bins; ++m) bin_weight(m) = bin_p(m) = bin_yes(m) = bad ? NAN : 0;
    if (bad) return {};
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int i, int j) { return p(i) < p(j); });
    const real threshold = static_cast<real>(cost_false_yes) / (static_cast<real>(cost_false_yes) + cost_false_no);
    real ece = 0, share = 0, cost = 0;
    int next = 0;
    for (std::int64_t m = 0; m < bins; ++m) {
        real weight = 0, sum_p = 0, sum_yes = 0;
        for (; next < n && p(order[next]) * bins <= m + 1; ++next) {
            const real w = weights(order[next]);
            weight += w;
            sum_p += w * p(order[next]);
            sum_yes += w * labels(order[next]);
        }
        bin_weight(m) = static_cast<double>(weight / total);
        if (weight > 0) {
            bin_p(m) = static_cast<double>(sum_p / weight);
            bin_yes(m) = static_cast<double>(sum_yes / weight);
        }
        ece += std::fabs(sum_yes - sum_p) / total;
    }
    for (int i = 0; i < n; ++i) {
        const bool said = p(i) >= static_cast<double>(threshold);
        share += said * static_cast<real>(weights(i));
        cost += weights(i) * static_cast<real>(said == labels(i) ? 0 : said ? cost_false_yes : cost_false_no);
    }
    return {double(ece), double(threshold), double(share / total), double(cost / total)};
}

} // namespace p_yes
