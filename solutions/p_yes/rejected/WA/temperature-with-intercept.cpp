// One fit for both: 1/T is its slope.
// Level: calibration
#include "contract.hpp"

#include "assess.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace p_yes {

namespace {

struct example {
    double z, w;
    bool yes;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double loss(const std::vector<example>& all, double a, double b) {
    double sum = 0, total = 0;
    for (const example& e : all) {
        const double x = e.yes ? -(a * e.z + b) : a * e.z + b;
        sum += e.w * (x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)));
        total += e.w;
    }
    return sum / total;
}

void fit_temperature(const std::vector<example>& all, calibration& c) {
    double at_zero = 0, wrong = 0, size = 0;
    for (const example& e : all) {
        at_zero += e.w * e.z * (e.yes ? -1 : 1);
        wrong += e.yes ? e.z < 0 : e.z > 0;
        size += std::fabs(e.z);
    }
    double beta = 1;
    c.temperature_state = fit::ok;
    if (size == 0) {
        c.temperature_state = fit::constant;
    } else if (wrong == 0) {
        c.temperature_state = fit::separable;
        beta = INFINITY;
    } else if (at_zero >= 0) {
        c.temperature_state = fit::uninformative;
        beta = 0;
    } else {
        double low = 0, high = 100;
        for (int step = 0; step < 100; ++step) {
            const double middle = (low + high) / 2;
            double slope = 0;
            for (const example& e : all) slope += e.w * e.z * (sigmoid(middle * e.z) - e.yes);
            (slope < 0 ? low : high) = middle;
        }
        beta = low;
    }
    c.temperature = 1 / beta;
    c.temperature_loss = loss(all, std::min(beta, 1e6), 0); // at 1e6 only scores of 0 are unsure
}

void fit_platt(const std::vector<example>& all, calibration& c) {
    double a = 0, b = 0;
    for (int step = 0; step < 60; ++step) { // Newton, shortened at first
        double ga = 0, gb = 0, aa = 0, ab = 0, bb = 0;
        for (const example& e : all) {
            const double p = sigmoid(a * e.z + b), v = e.w * p * (1 - p), g = e.w * (p - e.yes);
            ga += g * e.z;
            gb += g;
            aa += v * e.z * e.z;
            ab += v * e.z;
            bb += v;
        }
        const double det = aa * bb - ab * ab, step_size = step < 8 ? 0.5 : 1;
        a -= step_size * (bb * ga - ab * gb) / det;
        b -= step_size * (aa * gb - ab * ga) / det;
    }
    c.slope = a;
    c.intercept = b;
    c.platt_loss = loss(all, a, b);
}

} // namespace

calibration calibrate(tensor<const double, 1> scores, tensor<const bool, 1> labels, tensor<const double, 1> weights) {
    std::vector<example> all;
    double weight[2] = {0, 0}, least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < scores.extent(0); ++i) {
        if (!std::isfinite(scores(i)) || !std::isfinite(weights(i)) || weights(i) < 0) return {};
        if (weights(i) == 0) continue;
        const int y = labels(i);
        weight[y] += weights(i);
        least[y] = std::min(least[y], scores(i));
        most[y] = std::max(most[y], scores(i));
        all.push_back({scores(i), weights(i), labels(i)});
    }
    if (all.empty()) return {};
    calibration c;
    c.raw_loss = loss(all, 1, 0);
    fit_temperature(all, c);
    c.platt_state = fit::ok;
    if (weight[0] == 0 || weight[1] == 0) {
        c.platt_state = fit::one_class;
    } else if (std::min(least[0], least[1]) == std::max(most[0], most[1])) {
        c.platt_state = fit::constant;
        c.slope = 0;
        c.intercept = std::log(weight[1] / weight[0]);
        c.platt_loss = loss(all, 0, c.intercept);
    } else if (least[1] >= most[0] || least[0] >= most[1]) {
        c.platt_state = fit::separable;
    } else {
        fit_platt(all, c);
        if (c.temperature_state == fit::ok && c.slope > 0) {
            c.temperature = 1 / c.slope;
            c.temperature_loss = loss(all, c.slope, 0);
        }
    }
    return c;
}

} // namespace p_yes
