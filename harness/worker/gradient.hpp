// Contract functions written in Var: the worker lends them a tape, runs it backward from the Var they return, and gives
// the judge the gradient with respect to each Var of each tensor parameter.
#ifndef ASSAY_WORKER_GRADIENT_HPP
#define ASSAY_WORKER_GRADIENT_HPP

#include "core/tape.hpp"
#include "wire/argument.hpp"

#include <vector>

namespace assay {

/// The one of this process: calls come one after the other.
Tape& the_tape();

/// Leaves with the values of a float64 tensor, and the tensor that their gradients go to.
template <std::size_t Rank> struct slot<tensor<const Var, Rank>> {
    struct type {
        std::vector<Var> leaves;
        std::array<std::ptrdiff_t, Rank> extents{}, strides{};
        tensor<double, Rank> gradients;

        operator tensor<const Var, Rank>() const {
            return tensor<const Var, Rank>(leaves.data(), extents.data(), strides.data());
        }
    };

    static type from(Reader& reader, const ArenaView& arena) {
        type filled;
        const auto values = decode<tensor<const double, Rank>>::from(reader, arena);
        filled.gradients = decode<tensor<double, Rank>>::from(reader, arena);
        for (std::size_t axis = 0; axis < Rank && reader.ok(); ++axis)
            if (values.extent(axis) != filled.gradients.extent(axis))
                reader.fail("a gradient has other extents than what it is of");
        if (!reader.ok()) return filled;
        std::ptrdiff_t stride = 1;
        for (std::size_t axis = Rank; axis-- > 0;) {
            filled.extents[axis] = values.extent(axis);
            filled.strides[axis] = stride;
            stride *= values.extent(axis);
        }
        filled.leaves.reserve(static_cast<std::size_t>(values.size()));
        each(values, [&](const double& value) { filled.leaves.push_back(the_tape().leaf(value)); });
        return filled;
    }

    static void encode(type& filled, Writer&) {
        auto leaf = filled.leaves.begin();
        each(filled.gradients, [&](double& gradient) { gradient = the_tape().gradient(*leaf++); });
    }

  private:
    /// Every element in row-major order.
    template <class T, class Visit> static void each(const tensor<T, Rank>& view, Visit visit) {
        std::array<std::ptrdiff_t, Rank> index{};
        for (std::ptrdiff_t left = view.size(); left > 0; --left) {
            std::ptrdiff_t offset = 0;
            for (std::size_t axis = 0; axis < Rank; ++axis) offset += index[axis] * view.stride(axis);
            visit(view.data()[offset]);
            for (std::size_t axis = Rank; axis-- > 0;) {
                if (++index[axis] < view.extent(axis)) break;
                index[axis] = 0;
            }
        }
    }
};

/// The value; the tape is run backward from it.
template <> inline void encode_results<Var>(Var& result, Writer& results) {
    the_tape().run_backward(result);
    results.number(result.value());
}

} // namespace assay

#endif
