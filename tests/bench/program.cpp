// What somebody without Assay writes under an attempt to see it run: one call and one line of output.
#include <cstdio>
#include <vector>

int main() {
    const std::ptrdiff_t extents[] = {1, 2, 5, 4};
    const std::ptrdiff_t strides[] = {40, 20, 4, 1};
    std::vector<float> q(40), out(40);
    for (std::size_t n = 0; n < q.size(); ++n) q[n] = 0.1f * static_cast<float>(n);
    const sdpa::tensor<const float, 4> in(q.data(), extents, strides);
    sdpa::attention(in, in, in, {}, true, {}, sdpa::tensor<float, 4>(out.data(), extents, strides));
    std::printf("%g %g\n", static_cast<double>(out.front()), static_cast<double>(out.back()));
    return out.back() > 3.5f ? 0 : 1;
}
