// Attention and its gradients in float64, with the bounds of TOLERANCES' first-order analysis.
#ifndef ASSAY_TESTS_GPU_REFERENCE_SDPA_HPP
#define ASSAY_TESTS_GPU_REFERENCE_SDPA_HPP

#include "tensors.hpp"

namespace assay::gpu {

/// Which keys queries may attend: none given, or true at (b, h, i, j), an extent of 1 standing for all.
struct Mask {
    int B = 0, H = 0, L = 0, K = 0;
    std::vector<unsigned char> all;

    bool given() const { return B > 0; }
    bool operator()(int b, int h, int i, int j) const {
        if (!given()) return true;
        const int at =
            ((std::min(b, B - 1) * H + std::min(h, H - 1)) * L + std::min(i, L - 1)) * K + std::min(j, K - 1);
        return all[static_cast<std::size_t>(at)] != 0;
    }
};

struct Attention {
    kernels::SdpaShape shape;
    Values q, k, v;
    Mask mask;
    double scale = 1;
    bool causal = false;

    bool allowed(int b, int h, int i, int j) const {
        return (!causal || j <= i + shape.lk - shape.lq) && mask(b, h, i, j);
    }
};

/// What arithmetic may lose. Float32 throughout, unless said otherwise.
struct Arithmetic {
    double addition = u;  // of one step of a sum. Tensor cores cut off: 2 u (Fasi et al., "Numerical behavior of NVIDIA
                          // tensor cores", 2021)
    double weight = 0;    // relative, of a weight that is rounded before it meets v
    double least = 0;     // absolute, the same: of half's subnormals
    double out = 0;       // relative, of the result's storage
    double out_least = 0; // absolute, the same
};

/// One query's weights over the keys that it may attend.
struct Query {
    struct Key {
        int j;
        double s, p, theta; // score, weight, its relative error
    };
    std::vector<Key> keys;
    double most = 0, sum = 0, lse = 0; // sum of exp(s - most)
    double theta = 0;                  // weighted by p
    double n() const { return static_cast<double>(keys.size()); }
    double logs() const { return std::fabs(most) + std::fabs(lse); }
};
Query query_of(const Attention& problem, int b, int h, int i, const Arithmetic& in);

/// out (dv) of one query.
std::vector<Bounded> row_of(const Attention& problem, const Query& query, int b, int h, const Arithmetic& in);
/// Its log-sum-exp; -infinity where it may attend nothing.
Bounded log_sum_exp_of(const Query& query);

struct Gradient {
    Values value, bound;
};
struct Gradients {
    Gradient dq, dk, dv;
};
/// Of sum(dout * out), in float32 arithmetic that knows each row's log-sum-exp to float32.
Gradients gradients_of(const Attention& problem, const Values& dout);

} // namespace assay::gpu

#endif
