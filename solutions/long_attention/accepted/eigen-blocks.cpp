// With Eigen: queries in blocks of 32 against the keys that any of them sees, masked by -infinity; linear attention by
// rank-one updates of one state that holds the normaliser as a further column; costs as functions of the length.
#include "contract.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace long_attention {

namespace {

template <class T> using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> using view = Eigen::Map<const matrix<T>>;
using rows = matrix<float>;
using head = view<float>;
using columns = Eigen::RowVectorXf;

head head_of(tensor<const float, 3> x, std::int64_t h) { return {&x(h, 0, 0), x.extent(1), x.extent(2)}; }
head matrix_of(tensor<const float, 2> x) { return {x.data(), x.extent(0), x.extent(1)}; }

// Products a coefficient at a time: no blocks packed, and two seconds less of compiling for each kind of product.
template <class T> view<T> view_of(const matrix<T>& x) { return {x.data(), x.rows(), x.cols()}; }

template <class T> matrix<T> times(const view<T>& a, const view<T>& b) {
    matrix<T> c(a.rows(), b.cols());
    c = a.lazyProduct(b);
    return c;
}

template <class T> matrix<T> times_transposed(const view<T>& a, const view<T>& b) {
    matrix<T> c(a.rows(), b.rows());
    c = a.lazyProduct(b.transpose());
    return c;
}

head rows_from(const head& x, std::int64_t first, std::int64_t count) {
    return {x.data() + first * x.cols(), count, x.cols()};
}

template <class Matrix> void softmax_rows(Matrix& s) {
    for (Eigen::Index i = 0; i < s.rows(); ++i) {
        s.row(i) = (s.row(i).array() - s.row(i).maxCoeff()).exp().matrix().eval();
        s.row(i) /= s.row(i).sum();
    }
}

double state_a_token(double D, double m) { return 2 * m * D + m + 2 * m * D + 2 * m; }

} // namespace

cost cost_of(method how, setup s) {
    cost c;
    if (s.tokens < 1 || s.heads < 1 || s.head_dim < 1 || s.element_bytes < 1) return c;
    const double L = double(s.tokens), D = double(s.head_dim);
    double exps_beside = 0, moved = 4 * L * D;
    c.flops_prepare = 0;
    if (how == method::naive) {
        c.pairs = L * L;
        moved += 4 * L * L;
        c.peak = 2 * L * L;
    } else if (how == method::blockwise) {
        if (s.block < 1 || s.tokens % s.block) return {};
        const double B = double(s.block), n = L / B;
        c.pairs = L * (L + B) / 2;
        exps_beside = L * (n + 1) / 2;
        moved = 2 * L * D + L * D * (n + 1);
        c.peak = B * (B + D + 2);
    } else if (how == method::window) {
        if (s.window < 1) return {};
        const double w = std::min(double(s.window), L);
        c.pairs = w * (2 * L - w + 1) / 2;
        c.peak = 2 * w * D + w;
    } else if (how == method::low_rank) {
        if (s.rank < 1) return {};
        const double r = double(s.rank);
        c.pairs = L * r;
        c.flops_prepare = 2 * (2 * r * L * D);
        moved += 2 * r * (L + 2 * D);
        c.peak = 2 * r * D + r;
    } else {
        if (how == method::random_features && s.features < 1) return {};
        const double m = how == method::linear ? D : double(s.features);
        if (how == method::random_features) {
            c.flops_prepare = 2 * L * (2 * D * m + 2 * D);
            moved += m * D;
        }
        c.pairs = 0;
        c.flops_scores = L * (2 * m * D + m);
        c.flops_values = L * state_a_token(D, m) - c.flops_scores;
        exps_beside = 2 * L * m;
        c.peak = m * (D + 1) + 2 * m;
    }
    if (c.pairs > 0) c.flops_scores = c.flops_values = 2 * D * c.pairs;
    c.exps = c.pairs + exps_beside;
    const double H = double(s.heads);
    c.flops = H * (c.flops_prepare + c.flops_scores + c.flops_values);
    for (double* one : {&c.pairs, &c.flops_prepare, &c.flops_scores, &c.flops_values, &c.exps, &c.peak}) *one *= H;
    c.bytes = moved * H * double(s.element_bytes);
    c.peak *= double(s.element_bytes);
    c.intensity = c.flops / c.bytes;
    return c;
}

crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {
    if (head_dim < 1 || rank < 1 || features < 1) return {};
    const double D = double(head_dim), r = double(rank), m = double(features);
    crossing c;
    c.naive_token = 2 * (2 * D);
    c.low_rank_token = 4 * r * D + 4 * r * D;
    c.linear_token = state_a_token(D, D);
    c.random_token = state_a_token(D, m) + 2 * (2 * D * m + 2 * D);
    const auto first = [](double equal) { return double(std::int64_t(equal) + 1); };
    c.low_rank_first = first(c.low_rank_equal = c.low_rank_token / c.naive_token);
    c.linear_first = first(c.linear_equal = c.linear_token / c.naive_token);
    c.random_first = first(c.random_equal = c.random_token / c.naive_token);
    c.memory_first = first(c.memory_equal = std::sqrt((D * D + D + 2 * D) / 2));
    c.cache_first = first(c.cache_equal = (m * D + m) / (2 * D));
    return c;
}

void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                         std::int64_t window, std::int64_t globals, tensor<float, 3> out) {
    constexpr std::int64_t block = 32;
    const std::int64_t L = q.extent(1), Dv = v.extent(2), w = std::min(window, L);
    const float scale = 1 / std::sqrt(float(q.extent(2)));
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        for (std::int64_t from = 0; from < L; from += block) {
            const std::int64_t n = std::min(block, L - from), low = std::max<std::int64_t>(0, from - w + 1);
            const std::int64_t g = std::min(globals, low), near = from + n - low;
            rows keys(g + near, q.extent(2)), values(g + near, Dv);
            keys << head_of(k, h).topRows(g), head_of(k, h).middleRows(low, near);
            values << head_of(v, h).topRows(g), head_of(v, h).middleRows(low, near);
            rows s = scale * times_transposed(rows_from(head_of(q, h), from, n), view_of(keys));
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t t = g; t < g + near; ++t) {
                    const std::int64_t j = low + t - g, behind = from + i - j;
                    if (behind < 0 || (behind >= w && j >= globals)) s(i, t) = -std::numeric_limits<float>::infinity();
                }
            softmax_rows(s);
            Eigen::Map<rows>(&out(h, from, 0), n, Dv) = times(view_of(s), view_of(values));
        }
}

void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out) {
    window_with_globals(q, k, v, window, 0, out);
}

void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out) {
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        const rows keys = times(matrix_of(e), head_of(k, h)), values = times(matrix_of(f), head_of(v, h));
        rows s = times_transposed(head_of(q, h), view_of(keys)) / std::sqrt(float(q.extent(2)));
        softmax_rows(s);
        Eigen::Map<rows>(&out(h, 0, 0), q.extent(1), v.extent(2)) = times(view_of(s), view_of(values));
    }
}

namespace {

/// out from features of one head; `grow` scales the state before row i is added.
template <class Grow> void run(const rows& fq, const rows& fk, const head& v, float eps, Grow grow, float* out) {
    const Eigen::Index Dv = v.cols();
    rows state = rows::Zero(fk.cols(), Dv + 1);
    columns value(Dv + 1), sums(Dv + 1);
    for (Eigen::Index i = 0; i < fq.rows(); ++i) {
        state *= grow(i);
        value << v.row(i), 1;
        for (Eigen::Index d = 0; d < fk.cols(); ++d) state.row(d) += fk(i, d) * value;
        sums = fq(i, 0) * state.row(0);
        for (Eigen::Index d = 1; d < fk.cols(); ++d) sums += fq(i, d) * state.row(d);
        Eigen::Map<columns>(out + i * Dv, Dv) = sums.head(Dv) / (sums(Dv) + eps);
    }
}

} // namespace

void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out) {
    const auto map = [](const head& x) -> rows {
        return x.unaryExpr([](float one) { return one > 0 ? one + 1 : std::expm1(one) + 1; });
    };
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        run(
            map(head_of(q, h)), map(head_of(k, h)), head_of(v, h), eps, [](Eigen::Index) { return 1.0f; },
            &out(h, 0, 0));
}

void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out) {
    const float root = std::pow(float(q.extent(2)), 0.25f);
    const auto exponents = [&](const head& x) -> rows {
        const rows y = x / root;
        rows l = times_transposed(view_of(y), matrix_of(omega));
        l.colwise() -= y.rowwise().squaredNorm() / 2;
        return l;
    };
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        rows fq = exponents(head_of(q, h)), fk = exponents(head_of(k, h));
        Eigen::VectorXf tops = fk.rowwise().maxCoeff();
        for (Eigen::Index i = 1; i < tops.size(); ++i) tops(i) = std::max(tops(i), tops(i - 1));
        fq.colwise() -= fq.rowwise().maxCoeff().eval();
        fk.colwise() -= tops;
        fq = fq.array().exp();
        fk = fk.array().exp();
        run(
            fq, fk, head_of(v, h), 0, [&](Eigen::Index i) { return i == 0 ? 0.0f : std::exp(tops(i - 1) - tops(i)); },
            &out(h, 0, 0));
    }
}

comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, std::int64_t window,
                   std::int64_t globals) {
    using wide = matrix<double>;
    const std::int64_t H = q.extent(0), L = q.extent(1);
    comparison c;
    c.pairs_exact = double(H) * (double(L) * double(L + 1) / 2);
    c.pairs_kept = c.mean_mass = c.max_error = 0;
    c.least_mass = 1;
    double apart = 0, norm = 0;
    for (std::int64_t h = 0; h < H; ++h) {
        const auto of = [&](tensor<const double, 3> x) {
            return view<double>(&x(h, 0, 0), x.extent(1), x.extent(2));
        };
        wide exact = times_transposed(of(q), of(k)) / std::sqrt(double(q.extent(2)));
        wide near = exact, kept = wide::Zero(L, L);
        for (std::int64_t i = 0; i < L; ++i)
            for (std::int64_t j = 0; j < L; ++j) {
                if (j <= i && (i - j < window || j < globals)) kept(i, j) = 1;
                if (kept(i, j) == 0) near(i, j) = -std::numeric_limits<double>::infinity();
                if (j > i) exact(i, j) = -std::numeric_limits<double>::infinity();
            }
        softmax_rows(exact);
        softmax_rows(near);
        const Eigen::VectorXd mass = exact.cwiseProduct(kept).rowwise().sum();
        c.pairs_kept += kept.sum();
        c.mean_mass += mass.sum() / double(H * L);
        c.least_mass = std::min(c.least_mass, mass.minCoeff());
        const wide right = times(view_of(exact), of(v)), difference = times(view_of(near), of(v)) - right;
        c.max_error = std::max(c.max_error, difference.cwiseAbs().maxCoeff());
        apart += difference.squaredNorm();
        norm += right.squaredNorm();
    }
    c.share = c.pairs_kept / c.pairs_exact;
    c.flops_saved = 2 * double(q.extent(2) + v.extent(2)) * (c.pairs_exact - c.pairs_kept);
    c.relative_error = std::sqrt(apart / norm);
    return c;
}

} // namespace long_attention
