// Levels 2 and 3: the layer on n ranks in float64, with what float32 may lose, and the ring's bytes.
//
// First order, worst case, u = 2^-24, w = hidden units of a rank:
//   z = x W1 + b1: d products and d additions, E_z = u (d + 1) (Σ|x W1| + |b1|)
//   h = max(z, 0)²: E_h = (2 max(z, 0) + E_z) E_z + u (max(z, 0) + E_z)²; exact in E_z, since the kink makes it 0 or
//   more a rank's partial sum P = h W2: E_P = Σ_j E_h |W2| + u (w + 1) Σ_j h |W2|: w products and additions, the bias's
//   too y = Σ_r P_r + b2: E_y = Σ_r E_P + u (n + 2) Σ_r Σ_j h |W2| + u (w + n + 2) |b2|: the ring rounds once, but an
//   attempt may start rank 0's sums from b2, add b2 / n on each rank, or add up what it gathered.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::parallelism_judge {

namespace {

constexpr double u = 0x1p-24;

/// A number, how far careful float32 may be from it, and the sum of its terms' magnitudes.
struct Sum {
    double value = 0, error = 0, size = 0;
    Sum& operator+=(const Sum& other) {
        value += other.value;
        error += other.error;
        size += other.size;
        return *this;
    }
};

/// Row-major (rows, columns).
struct Grid {
    std::int64_t rows = 0, columns = 0;
    std::vector<Sum> at;
    Grid() = default;
    Grid(std::int64_t r, std::int64_t c) : rows(r), columns(c), at(static_cast<std::size_t>(r * c)) {}
    Sum& operator()(std::int64_t i, std::int64_t j) { return at[static_cast<std::size_t>(i * columns + j)]; }
    const Sum& operator()(std::int64_t i, std::int64_t j) const {
        return at[static_cast<std::size_t>(i * columns + j)];
    }
};

/// An input read once: Array::at computes strides and converts at every call, and an oracle is asked a million times.
class Numbers {
  public:
    explicit Numbers(const Array& array) : extents(array.extents), values_(array.values()) {}
    double operator()(std::int64_t i, std::int64_t j) const {
        return values_[static_cast<std::size_t>(i * extents[1] + j)];
    }
    double operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
        return values_[static_cast<std::size_t>((i * extents[1] + j) * extents[2] + k)];
    }
    const Index& extents;

  private:
    std::vector<double> values_;
};

class Layer {
  public:
    Layer(const Problem& problem, const Slips& on)
        : on_(on), split_(problem.route == "sequence"), x_(problem.array(split_ ? "x_part" : "x")),
          w1_(problem.array("w1_part")), b1_(problem.array("b1_part")), w2_(problem.array("w2_part")),
          b2_(problem.array("b2")), n_(problem.integer("ranks")), rows_(x_.extents[1]), d_(x_.extents[2]),
          width_(w1_.extents[2]), ungathered_(split_ && on("gather-forgotten")),
          tokens_(split_ && !ungathered_ ? n_ * rows_ : rows_) {}

    Truths truths() {
        if (split_ && !ungathered_) gathers(static_cast<double>(n_ * rows_ * d_));
        std::vector<Grid> hidden;
        for (std::int64_t r = 0; r < n_; ++r) hidden.push_back(before_activation(r));
        if (on_("reduce-before-activation") && n_ > 1) {
            hidden.assign(hidden.size(), total(hidden));
            reduces(static_cast<double>(tokens_ * width_));
        }
        std::vector<Grid> partial;
        for (std::int64_t r = 0; r < n_; ++r) partial.push_back(second_product(r, hidden[static_cast<std::size_t>(r)]));
        return collect(finish(partial));
    }

  private:
    const Slips& on_;
    bool split_;
    Numbers x_, w1_, b1_, w2_, b2_;
    std::int64_t n_, rows_, d_, width_;
    bool ungathered_;
    std::int64_t tokens_; // rows that a rank computes
    double bytes_ = 0, collectives_ = 0;

    double share() const { return static_cast<double>(n_ - 1) / static_cast<double>(n_); }
    void gathers(double elements) { // a reduce_scatter sends the same
        bytes_ += share() * elements * 4;
        collectives_ += 1;
    }
    void reduces(double elements) {
        bytes_ += 2 * share() * elements * 4;
        collectives_ += 1;
    }

    double x(std::int64_t r, std::int64_t t, std::int64_t i) const {
        return split_ && !ungathered_ ? x_(t / rows_, t % rows_, i) : x_(r, t, i);
    }

    Grid before_activation(std::int64_t r) const {
        Grid z(tokens_, width_);
        for (std::int64_t t = 0; t < tokens_; ++t)
            for (std::int64_t j = 0; j < width_; ++j) {
                Sum& sum = z(t, j);
                sum.value = b1_(r, j);
                sum.size = std::fabs(sum.value);
                for (std::int64_t i = 0; i < d_; ++i) {
                    const double term = x(r, t, i) * w1_(r, i, j);
                    sum.value += term;
                    sum.size += std::fabs(term);
                }
                sum.error = u * static_cast<double>(d_ + 1) * sum.size;
            }
        return z;
    }

    Grid total(const std::vector<Grid>& parts) const {
        Grid sum(parts.front().rows, parts.front().columns);
        for (const Grid& part : parts)
            for (std::size_t k = 0; k < sum.at.size(); ++k) sum.at[k] += part.at[k];
        for (Sum& one : sum.at) one.error += u * static_cast<double>(n_) * one.size;
        return sum;
    }

    Grid second_product(std::int64_t r, const Grid& z) const {
        const bool biased = on_("bias-on-every-rank");
        Grid p(tokens_, d_);
        for (std::int64_t t = 0; t < tokens_; ++t)
            for (std::int64_t j = 0; j < width_; ++j) {
                const double positive = std::max(z(t, j).value, 0.0), off = z(t, j).error;
                const bool linear = on_("not-squared");
                const double h = linear ? positive : positive * positive;
                const double h_off =
                    linear ? off : (2 * positive + off) * off + u * (positive + off) * (positive + off);
                for (std::int64_t c = 0; c < d_; ++c) {
                    const double w = w2_(r, j, c);
                    p(t, c) += Sum{h * w, h_off * std::fabs(w), h * std::fabs(w)};
                }
            }
        for (std::int64_t t = 0; t < tokens_; ++t)
            for (std::int64_t c = 0; c < d_; ++c) {
                Sum& sum = p(t, c);
                if (biased) sum += Sum{b2_(r, c), 0, std::fabs(b2_(r, c))};
                sum.error += u * static_cast<double>(width_ + 1) * sum.size;
            }
        return p;
    }

    /// One grid a rank: what its y is, b2 included.
    std::vector<Grid> finish(const std::vector<Grid>& partial) {
        const auto ranks = static_cast<std::size_t>(n_);
        const auto whole = static_cast<double>(tokens_ * d_);
        std::vector<Grid> y(ranks);
        if (n_ > 1 && on_("reduce-forgotten"))
            y = partial;
        else if (n_ > 1 && !split_ && on_("gather-for-reduce", 0)) { // (n T, d), of which the first T rows fit into y
            y.assign(ranks, partial.front());
            gathers(static_cast<double>(n_) * whole);
        } else if (n_ > 1 && !split_ && on_("gather-for-reduce", 1) && d_ % n_ == 0) { // each gives its own columns
            Grid joined(tokens_, d_);
            for (std::int64_t t = 0; t < tokens_; ++t)
                for (std::int64_t c = 0; c < d_; ++c)
                    joined(t, c) = partial[static_cast<std::size_t>(c / (d_ / n_))](t, c);
            y.assign(ranks, joined);
            gathers(whole);
        } else {
            y.assign(ranks, total(partial));
            if (on_("gather-and-add"))
                gathers(static_cast<double>(n_) * whole);
            else if (!split_ || ungathered_ || on_("all-reduce-then-slice"))
                reduces(whole);
            else
                gathers(whole);
        }
        for (std::size_t r = 0; r < ranks; ++r) {
            if (split_ && !ungathered_) y[r] = own_rows(y[r], static_cast<std::int64_t>(r));
            for (std::int64_t t = 0; t < rows_; ++t)
                for (std::int64_t c = 0; c < d_; ++c) {
                    Sum& sum = y[r](t, c);
                    const double bias = b2_(static_cast<std::int64_t>(r), c);
                    if (!on_("bias-on-every-rank")) sum.value += bias;
                    // Underflow may cost each of a few hundred terms 2^-126.
                    sum.error += 2 * u * sum.size + u * static_cast<double>(width_ + n_ + 2) * std::fabs(bias) + 1e-36;
                }
        }
        return y;
    }

    Grid own_rows(const Grid& whole, std::int64_t r) const {
        Grid own(rows_, d_);
        for (std::int64_t t = 0; t < rows_; ++t)
            for (std::int64_t c = 0; c < d_; ++c) own(t, c) = whole(r * rows_ + t, c);
        return own;
    }

    Truths collect(const std::vector<Grid>& y) const {
        std::vector<double> value, bound;
        for (const Grid& one : y)
            for (const Sum& sum : one.at) {
                value.push_back(sum.value);
                bound.push_back(sum.error);
            }
        Items items;
        items.tensor(split_ ? "y_part" : "y", {n_, rows_, d_}, value, bound, Dtype::f32);
        const auto ranks = static_cast<std::size_t>(n_);
        items.tensor("sent_bytes", {n_}, std::vector<double>(ranks, bytes_),
                     std::vector<double>(ranks, 0x1p-48 * bytes_), Dtype::f64);
        if (n_ > 1) // alone, a rank may leave the call out: it sends nothing either way
            items.tensor("collectives", {n_}, std::vector<double>(ranks, collectives_), std::vector<double>(ranks, 0.0),
                         Dtype::f64);
        return items.take();
    }
};

float plain_product(const Array& a, const Array& b, std::int64_t r, std::int64_t row, std::int64_t column) {
    float sum = 0;
    for (std::int64_t k = 0; k < a.extents[2]; ++k)
        sum += static_cast<float>(a.at({r, row, k})) * static_cast<float>(b.at({r, k, column}));
    return sum;
}

} // namespace

Truths layer_truths(const Problem& problem, const Slips& on) { return Layer(problem, on).truths(); }

Outputs plain(const Problem& problem) {
    if (problem.route != "forward" && problem.route != "sequence") return {};
    const bool split = problem.route == "sequence";
    const Array &x = problem.array(split ? "x_part" : "x"), &w1 = problem.array("w1_part"),
                &b1 = problem.array("b1_part"), &w2 = problem.array("w2_part"), &b2 = problem.array("b2");
    const std::int64_t n = problem.integer("ranks"), rows = x.extents[1], d = x.extents[2], width = w1.extents[2];
    Array y = Array::zeros(Dtype::f32, {n, rows, d});
    // Rank `own` holds the rows; in route forward all hold the same.
    for (std::int64_t own = 0; own < n; ++own) {
        std::vector<double> sums(static_cast<std::size_t>(rows * d), 0.0);
        for (std::int64_t r = 0; r < n; ++r) {
            const Array rank_x = x.take(0, std::array{split ? own : r});
            const Array rank_w1 = w1.take(0, std::array{r});
            Array h = Array::zeros(Dtype::f32, {1, rows, width});
            for_each_index(h.extents, [&](const Index& at) {
                const float z = plain_product(rank_x, rank_w1, 0, at[1], at[2]) + static_cast<float>(b1.at({r, at[2]}));
                h.set(at, z > 0 ? z * z : 0);
            });
            const Array rank_w2 = w2.take(0, std::array{r});
            for (std::int64_t t = 0; t < rows; ++t)
                for (std::int64_t c = 0; c < d; ++c)
                    sums[static_cast<std::size_t>(t * d + c)] += plain_product(h, rank_w2, 0, t, c);
        }
        for (std::int64_t t = 0; t < rows; ++t)
            for (std::int64_t c = 0; c < d; ++c)
                y.set(Index{own, t, c}, static_cast<float>(sums[static_cast<std::size_t>(t * d + c)]) +
                                            static_cast<float>(b2.at({own, c})));
    }
    return {{{split ? "y_part" : "y", y}}};
}

} // namespace assay::parallelism_judge
