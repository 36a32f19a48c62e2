// The attention problems that forward and backward kernels are tried on, with why each is there.
#ifndef ASSAY_TESTS_GPU_TRIALS_SDPA_HPP
#define ASSAY_TESTS_GPU_TRIALS_SDPA_HPP

#include "reference_sdpa.hpp"

namespace assay::gpu {

enum class Content {
    usual,  // scores of a few units
    large,  // scores of thousands, far beyond the range of exp
    equal,  // q = 0 and constant v: every sum rounds to one side
    hidden, // NaN in k and v at the last key, which no row may attend
};
enum class Masked { no, some, by_key, by_row, empty_rows };

struct SdpaTrial {
    const char* name;
    kernels::SdpaShape shape;
    bool causal = false;
    Masked masked = Masked::no;
    Content content = Content::usual;
    Lay lay = Lay::contiguous;
    double scale = 0; // 0: 1 / sqrt(d)
};
const std::vector<SdpaTrial>& sdpa_trials();

/// The trial's numbers, as they are when stored.
template <class As> Attention attention_of(const SdpaTrial& trial);
extern template Attention attention_of<AsFloat>(const SdpaTrial&);
extern template Attention attention_of<AsHalf>(const SdpaTrial&);
extern template Attention attention_of<AsBfloat16>(const SdpaTrial&);

/// sdpa_forward on the trial, beside the reference. `distort` is given what the kernel will be given: the trials are
/// tried by being asked another problem than the reference.
Outcome forward_outcome(const SdpaTrial& trial, int version, cudaStream_t stream,
                        const std::function<void(kernels::Sdpa<float>&)>& distort = {});

/// q, k, v and the mask on the device.
template <class As> class PlacedAttention {
  public:
    using T = typename As::Stored;
    PlacedAttention(const Attention& problem, Lay lay)
        : problem_(problem), q_("q", problem.q, lay), k_("k", problem.k, lay), v_("v", problem.v, lay),
          mask_("mask", problem.mask.all) {}

    kernels::Sdpa<T> given() {
        kernels::Sdpa<T> all;
        all.shape = problem_.shape;
        all.q = q_.input(), all.k = k_.input(), all.v = v_.input();
        all.scale = static_cast<float>(problem_.scale);
        all.causal = problem_.causal;
        const Mask& mask = problem_.mask;
        if (!mask.given()) return all;
        all.mask.data = reinterpret_cast<const bool*>(mask_.data());
        const long long column = 1, row = mask.K, head = row * mask.L, batch = head * mask.H;
        all.mask.batch = mask.B > 1 ? batch : 0;
        all.mask.head = mask.H > 1 ? head : 0;
        all.mask.row = mask.L > 1 ? row : 0;
        all.mask.column = mask.K > 1 ? column : 0;
        return all;
    }
    void check(Outcome& outcome) const {
        q_.check(outcome);
        k_.check(outcome);
        v_.check(outcome);
        mask_.read(outcome);
    }

  private:
    const Attention& problem_;
    Placed<As> q_, k_, v_;
    Guarded<unsigned char> mask_;
};

} // namespace assay::gpu

#endif
