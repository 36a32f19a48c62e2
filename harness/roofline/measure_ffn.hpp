// The real feed-forward network that --here times, float32: y = W2 leaky(W1 x), gated y = W2 (leaky(Wg x) * (W1 x)).
// Leaky ReLU, not ReLU: as cheap, but it leaves no zeros. Multiplying by zeros takes less power, and a processor at its
// power limit then clocks higher than in the products that the peak is read from.
#ifndef ASSAY_ROOFLINE_MEASURE_FFN_HPP
#define ASSAY_ROOFLINE_MEASURE_FFN_HPP

#include "roofline/buffer.hpp"
#include "roofline/kernels.hpp"
#include "roofline/model.hpp"
#include "roofline/threads.hpp"

#include <memory>

namespace assay::roofline {

/// Weights lie as PyTorch's Linear keeps them, [out, in]; each thread owns a block of rows of each, so that it reads
/// only its own weights and writes only its own outputs.
class RealFfn {
  public:
    RealFfn(const Kernels& kernels, Threads& threads, const Ffn& ffn, long most_tokens);

    /// The network on the first `tokens` tokens.
    void run(long tokens);
    /// Its matrix products alone, on the same memory: what the peak is read from.
    void products(long tokens);

    const float* x() const { return x_.data(); }                          // [tokens, d]
    const float* up() const { return up_.data(); }                        // [f, d]
    const float* gate() const { return gate_ ? gate_->data() : nullptr; } // [f, d]
    const float* down() const { return down_.data(); }                    // [d, f]
    const float* y() const { return y_.data(); }                          // [tokens, d]

    /// Bytes that such a network takes.
    static double bytes(const Ffn& ffn, long most_tokens);

  private:
    void go(long tokens, bool activation);

    const Kernels& kernels_;
    Threads& threads_;
    long d_, f_;
    Buffer x_, up_, down_, h_, y_;
    std::unique_ptr<Buffer> gate_, hg_;
};

/// Fills with values in [-scale, scale) from a counter: the same on every machine, by any number of threads.
void fill(Threads& threads, float* at, long count, float scale, unsigned seed);

} // namespace assay::roofline

#endif
