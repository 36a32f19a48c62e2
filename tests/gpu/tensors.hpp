// Tensors (batch, head, row, column): as plain numbers for the references, and laid out in memory for the kernels.
#ifndef ASSAY_TESTS_GPU_TENSORS_HPP
#define ASSAY_TESTS_GPU_TENSORS_HPP

#include "guarded.hpp"

#include <assay/half.hpp>

namespace assay::gpu {

using kernels::View;

/// Numbers by their indices, contiguous.
struct Values {
    int B = 0, H = 0, L = 0, D = 0;
    std::vector<double> all;

    Values() = default;
    Values(int batch, int heads, int rows, int columns)
        : B(batch), H(heads), L(rows), D(columns),
          all(static_cast<std::size_t>(batch) * static_cast<std::size_t>(heads) * static_cast<std::size_t>(rows) *
              static_cast<std::size_t>(columns)) {}
    std::size_t number(int b, int h, int i, int c) const {
        return static_cast<std::size_t>(((static_cast<long long>(b) * H + h) * L + i) * D + c);
    }
    double& operator()(int b, int h, int i, int c) { return all[number(b, h, i, c)]; }
    double operator()(int b, int h, int i, int c) const { return all[number(b, h, i, c)]; }
};

enum class Lay {
    contiguous,
    shifted,    // begins one element late: aligned to its elements and no further
    gaps,       // (batch, row, head, column), every other column, with room behind each row
    transposed, // (batch, head, column, row)
};

/// Where an element lies in its storage.
struct Layout {
    long long batch, head, row, column, first;
    std::size_t elements;

    Layout(Lay lay, int B, int H, int L, int D) {
        const long long b = B, h = H, l = L, d = D, wide = 2 * d + 3;
        batch = h * l * d, head = l * d, row = d, column = 1, first = 0;
        long long count = b * h * l * d;
        if (lay == Lay::shifted) first = 1, ++count;
        if (lay == Lay::gaps) batch = l * h * wide, row = h * wide, head = wide, column = 2, count = b * l * h * wide;
        if (lay == Lay::transposed) row = 1, column = l;
        elements = static_cast<std::size_t>(count);
    }
    std::size_t at(int b, int h, int i, int c) const {
        return static_cast<std::size_t>(first + b * batch + h * head + i * row + c * column);
    }
};

// How numbers are stored: float as itself, 16 bits as the bits of half or bfloat16.
struct AsFloat {
    using Stored = float;
    static float encode(double x) { return static_cast<float>(x); }
    static double decode(float x) { return static_cast<double>(x); }
};
struct AsHalf {
    using Stored = std::uint16_t;
    static std::uint16_t encode(double x) { return half(static_cast<float>(x)).bits(); }
    static double decode(std::uint16_t x) { return static_cast<double>(static_cast<float>(half::from_bits(x))); }
};
struct AsBfloat16 {
    using Stored = std::uint16_t;
    static std::uint16_t encode(double x) { return bfloat16(static_cast<float>(x)).bits(); }
    static double decode(std::uint16_t x) { return static_cast<double>(static_cast<float>(bfloat16::from_bits(x))); }
};

/// A tensor on the device: an input with the numbers of `values`, or an output of that shape.
template <class As> class Placed {
  public:
    using T = typename As::Stored;
    Placed(const char* name, const Values& values, Lay lay)
        : shape_(values.B, values.H, values.L, values.D), layout_(lay, values.B, values.H, values.L, values.D),
          buffer_(name, scattered(values)), name_(name) {}
    struct Output {};
    Placed(const char* name, const Values& shape, Lay lay, Output)
        : shape_(shape.B, shape.H, shape.L, shape.D), layout_(lay, shape.B, shape.H, shape.L, shape.D),
          buffer_(name, layout_.elements), name_(name) {}

    View<T> view() {
        return {buffer_.data() + layout_.first, layout_.batch, layout_.head, layout_.row, layout_.column};
    }
    View<const T> input() {
        return {buffer_.data() + layout_.first, layout_.batch, layout_.head, layout_.row, layout_.column};
    }
    void check(Outcome& outcome) const { buffer_.read(outcome); }

    /// The output's numbers. Tells `outcome` what was written beside them.
    Values read(Outcome& outcome) const {
        std::vector<T> stored = buffer_.read(outcome);
        outcome.digest_of(stored);
        Values values = shape_;
        for (int b = 0; b < values.B; ++b)
            for (int h = 0; h < values.H; ++h)
                for (int i = 0; i < values.L; ++i)
                    for (int c = 0; c < values.D; ++c) {
                        T& one = stored[layout_.at(b, h, i, c)];
                        values(b, h, i, c) = As::decode(one);
                        one = buffer_.content()[layout_.at(b, h, i, c)];
                    }
        if (!stored.empty() && std::memcmp(stored.data(), buffer_.content().data(), stored.size() * sizeof(T)) != 0)
            outcome.complain(std::string(name_) + " was written to between its elements");
        return values;
    }

  private:
    Values shape_;
    Layout layout_;
    Guarded<T> buffer_;
    const char* name_;

    std::vector<T> scattered(const Values& values) const {
        std::vector<T> stored(layout_.elements);
        for (int b = 0; b < values.B; ++b)
            for (int h = 0; h < values.H; ++h)
                for (int i = 0; i < values.L; ++i)
                    for (int c = 0; c < values.D; ++c) stored[layout_.at(b, h, i, c)] = As::encode(values(b, h, i, c));
        return stored;
    }
};

} // namespace assay::gpu

#endif
