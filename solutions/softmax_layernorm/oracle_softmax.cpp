// One slice of softmax, of its logarithm, and of the way back.
//
// Where the bounds come from (first order, worst case, factor 1; u = 2^-24, n elements, m their maximum):
//   weight         x_j - m, its argument in exp or exp2 and the function itself: the factor 1 + t_j,
//                  t_j = u (3 |x_j - m| + 8);
//   normalising    takes the mean sum y t of these out, n - 1 additions, one division, and for those who subtract
//                  log(sum) from the exponent, at most ln n, one more rounding: u (n + 3 + ln n);
//   logarithm      the sum's relative error, sum y t + u (n + 3), becomes absolute; log and the two subtractions add
//                  u (3 |x_j - m| + 4 ln sum + 2 |y_j|);
//   way back       s = sum y dy: the weights' errors E_k |dy_k - s|, n products and additions u (n + 1) sum y |dy|, and
//                  y (dy - s) itself 3 u (|dy| + |s|).
// Nothing here grows with |m|: a slice that lies far from 0 is as exact as one at 0.
#include "oracle_slices.hpp"

#include <algorithm>
#include <cmath>

namespace assay::softmax_layernorm_judge {

namespace {

constexpr double exp_overflows = 88.7228;  // log of the largest float
constexpr double exp_vanishes = -103.9721; // log of half the smallest subnormal float
constexpr double u = unit_roundoff;

/// exp(z - centre), normalised, with the stray of each weight.
struct Weights {
    double n = 0, largest = 0, log_sum = 0; // largest exponent; log of the sum of exp(z - maximum)
    double m = 0;
    std::vector<double> p, t;
    double mean_stray = 0;

    double sums() const { return mean_stray + u * (n + 3 + std::log(n)); }
    /// What weights among the subnormals lose, in parts of the sum.
    double lost() const { return std::exp(-149 * std::log(2.0) - largest - log_sum); }
};

Weights weigh(const std::vector<double>& z, double centre) {
    Weights w;
    w.n = static_cast<double>(z.size());
    w.m = *std::max_element(z.begin(), z.end());
    w.largest = w.m - centre;
    double sum = 0;
    for (const double one : z) {
        w.p.push_back(std::exp(one - w.m));
        sum += w.p.back();
    }
    w.log_sum = std::log(sum);
    for (std::size_t j = 0; j < z.size(); ++j) {
        w.p[j] /= sum;
        w.t.push_back(u * (3 * std::fabs(z[j] - centre) + 8));
        w.mean_stray += w.p[j] * w.t[j];
    }
    return w;
}

/// What is subtracted before exp.
double centre_of(const std::vector<double>& z, const Switch& as, double top) {
    const double m = *std::max_element(z.begin(), z.end());
    switch (as.slip) {
    case Slip::no_max_subtraction: return 0;
    case Slip::max_of_tensor: return top;
    case Slip::max_from_zero: return std::max(m, 0.0);
    default: return m;
    }
}

double rounded(double x) { return static_cast<double>(static_cast<float>(x)); }

/// Weights float32 cannot hold: infinite, or with a sum that is infinite or 0.
bool out_of_range(const Weights& w) { return w.largest + w.log_sum > exp_overflows || w.largest < exp_vanishes; }

/// max + log(sum) as a float, and how far the float may lie from another attempt's: log(sum) has an error of its own,
/// and near the middle between two floats it decides.
struct LogSumExp {
    double value, slack;
};

LogSumExp rounded_log_sum_exp(const Weights& w) {
    const double exact = w.m + w.log_sum;
    const double error = w.mean_stray + u * (w.n + 3 + 4 * w.log_sum);
    return {rounded(exact), rounded(exact + error) - rounded(exact - error)};
}

} // namespace

Values softmax_slice(std::vector<double> z, const Switch& as, double top) {
    if (as.slip == Slip::base_two)
        for (double& one : z) one *= std::log(2.0);
    const double centre = centre_of(z, as, top);
    const Weights w = weigh(z, centre);
    Values y;
    for (std::size_t j = 0; j < z.size(); ++j) {
        const double p = w.p[j];
        if (out_of_range(w)) { // inf/inf, finite/inf, 0/0 or what stands guard for it
            const bool nan = w.largest < exp_vanishes ? as.guard == Guard::nan : z[j] - centre > exp_overflows;
            y.add(nan ? not_a_number : 0, 0);
        } else if (as.slip == Slip::not_normalised) {
            const double e = std::exp(z[j] - w.m);
            y.add(e, e * w.t[j] + 0x1p-126);
        } else if (as.slip == Slip::log_sum_exp_rounded) {
            const LogSumExp lse = rounded_log_sum_exp(w);
            const double s = z[j] - lse.value, e = std::exp(s);
            y.add(e, e * (u * (3 * std::fabs(s) + 8) + w.sums() + lse.slack) + 0x1p-126);
        } else {
            const double lost = centre == w.m ? 0 : w.lost() * (1 + w.n * p);
            y.add(p, p * (w.t[j] + w.sums()) + 0x1p-126 + lost);
        }
    }
    return y;
}

Values log_softmax_slice(std::vector<double> z, const Switch& as, double top) {
    const double centre = centre_of(z, as, top);
    const Weights w = weigh(z, centre);
    Values y;
    for (std::size_t j = 0; j < z.size(); ++j) {
        const double d = z[j] - w.m;
        const double value = d - w.log_sum;
        if (out_of_range(w)) { // less log(inf), or less log(0)
            y.add(w.largest < 0 ? infinity : -infinity, 0);
            continue;
        }
        const double sum_error = w.mean_stray + u * (w.n + 3) + w.n * 0x1p-126;
        double bound = sum_error + u * (3 * std::fabs(d) + 4 * w.log_sum + 2 * std::fabs(value)) + 0x1p-126;
        if (centre != w.m)
            bound += u * (3 * std::fabs(z[j] - centre) + 4 * std::fabs(w.largest + w.log_sum)) + w.n * w.lost();
        if (as.slip == Slip::log_sum_exp_rounded) {
            const LogSumExp lse = rounded_log_sum_exp(w);
            y.add(z[j] - lse.value, bound + lse.slack);
        } else if (as.slip == Slip::not_normalised) {
            y.add(d, bound);
        } else if (as.slip == Slip::base_two) {
            y.add(value / std::log(2.0), 2 * bound);
        } else if (as.slip == Slip::log_of_softmax) {
            const double p = d < exp_vanishes || value < exp_vanishes ? 0 : w.p[j];
            const double held = p + as.number;
            if (held == 0)
                y.add(-infinity, 0);
            else
                y.add(std::log(held),
                      p / held * (w.t[j] + w.sums()) + 4 * u * std::fabs(std::log(held)) + 2 * u + 0x1p-148 / held);
        } else {
            y.add(value, bound);
        }
    }
    return y;
}

Values softmax_backward_slice(const std::vector<double>& z, const std::vector<double>& dy, const Switch& as,
                              double top) {
    const Values y = softmax_slice(z, as, top);
    const auto n = static_cast<double>(z.size());
    double s = 0, plain_sum = 0, size = 0, plain_size = 0, logits_sum = 0, logits_size = 0;
    for (std::size_t j = 0; j < z.size(); ++j) {
        s += y.value[j] * dy[j];
        size += y.value[j] * std::fabs(dy[j]);
        plain_sum += dy[j];
        plain_size += std::fabs(dy[j]);
        logits_sum += z[j] * dy[j];
        logits_size += std::fabs(z[j] * dy[j]);
    }
    double stray = 0; // of s by the weights' errors; by |dy| alone where they are not normalised together
    for (std::size_t j = 0; j < z.size(); ++j) stray += y.bound[j] * std::fabs(dy[j] - s);
    const double s_error = stray + u * (n + 1) * size + u * (n + 3 + std::log(n)) * std::fabs(s);

    Values dx;
    for (std::size_t j = 0; j < z.size(); ++j) {
        const double p = y.value[j], E = y.bound[j], g = dy[j], a = std::fabs(g);
        const double right = E * std::fabs(g - s) + p * (s_error + 3 * u * (a + std::fabs(s)));
        double value = p * (g - s), bound = right;
        switch (as.slip) {
        case Slip::reduction_missing: value = p * g, bound = E * a + 2 * u * std::fabs(value); break;
        case Slip::reduction_unweighted: {
            const double sum = as.variant == 0 ? plain_sum : plain_sum / n; // the mean of dy
            value = p * (g - sum);
            bound = E * std::fabs(g - sum) + p * u * ((n + 1) * plain_size + 3 * (a + std::fabs(sum)));
            break;
        }
        case Slip::weight_missing: value = g - s, bound = s_error + 3 * u * (a + std::fabs(s)); break;
        case Slip::gradient_sign: value = p * (s - g); break;
        case Slip::independent_elements: value = p * (1 - p) * g, bound = a * (E + 4 * u * p); break;
        case Slip::log_softmax_gradient:
            value = g - p * plain_sum;
            bound = E * std::fabs(plain_sum) + u * ((n + 2) * p * plain_size + 2 * a);
            break;
        case Slip::logits_as_weights:
            value = z[j] * (g - logits_sum);
            bound = std::fabs(z[j]) * u * ((n + 3) * logits_size + 4 * a);
            break;
        default: break;
        }
        dx.add(value, std::isfinite(value) ? bound + flushed(n, a + plain_size) : 0);
    }
    return dx;
}

} // namespace assay::softmax_layernorm_judge
