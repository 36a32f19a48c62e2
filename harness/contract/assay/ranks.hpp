// A group of ranks that work on one problem together, as GPUs joined by a ring do.
#ifndef ASSAY_RANKS_HPP
#define ASSAY_RANKS_HPP

#include <assay/tensor.hpp>

namespace assay {

/// What one rank sees of its group. The function that is given one runs once on every rank, with that rank's own
/// tensors; ranks share nothing but these calls. All ranks make the same collective calls in the same order, with the
/// same extents; a rank that returns or throws while others wait in a collective is an error that names both.
///
/// Bytes sent are counted as a ring sends them (n = size(), N = bytes of the whole tensor):
///   all_reduce 2 (n-1)/n N · all_gather (n-1)/n N · reduce_scatter (n-1)/n N; nothing for n = 1.
class communicator {
  public:
    virtual int rank() const = 0; // 0 .. size() - 1
    virtual int size() const = 0;

    /// Every element of `buffer` becomes its sum over the ranks.
    virtual void all_reduce(tensor<float, 1> buffer) = 0;
    virtual void all_reduce(tensor<float, 2> buffer) = 0;

    /// `whole` becomes the ranks' `part`s joined along `axis` in order of rank; parts have equal extents.
    virtual void all_gather(tensor<const float, 1> part, tensor<float, 1> whole, int axis = 0) = 0;
    virtual void all_gather(tensor<const float, 2> part, tensor<float, 2> whole, int axis) = 0;

    /// `part` becomes this rank's piece, along `axis`, of the sum of `whole` over the ranks.
    virtual void reduce_scatter(tensor<const float, 1> whole, tensor<float, 1> part, int axis = 0) = 0;
    virtual void reduce_scatter(tensor<const float, 2> whole, tensor<float, 2> part, int axis) = 0;

  protected:
    ~communicator() = default;
};

} // namespace assay

#endif
