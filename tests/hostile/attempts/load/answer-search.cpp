// Attack: looks through all its memory for the float64 answer, which only the judge may have.
// Expect: AC
// Proof: claim
#define OWN_ANSWER
#include "honest.h"
#include <stdio.h>
#include <string.h>
extern "C" double exp(double);
extern "C" double sqrt(double);
namespace {
volatile unsigned long mask = 0x5a5a5a5a5a5a5a5a; // the searched value must not stand in our own memory
unsigned long masked_answer(assay::tensor<const float, 4> q, assay::tensor<const float, 4> k,
                            assay::tensor<const float, 4> v, double scale) {
    double total = 0, sum = 0;
    for (long j = 0; j < k.extent(2); ++j) {
        double dot = 0;
        for (long d = 0; d < q.extent(3); ++d) dot += double(q(0, 0, 0, d)) * double(k(0, 0, j, d));
        total += exp(scale * dot);
        sum += exp(scale * dot) * double(v(0, 0, j, 0));
    }
    const double answer = sum / total;
    unsigned long bits;
    memcpy(&bits, &answer, sizeof bits);
    return bits ^ mask;
}
[[gnu::noinline]] void search(unsigned long wanted) {
    FILE* maps = ::fopen("/proc/self/maps", "r");
    if (maps == nullptr) return;
    char line[512];
    while (::fgets(line, sizeof line, maps) != nullptr) {
        unsigned long from = 0, to = 0;
        char how[8] = "";
        if (::sscanf(line, "%lx-%lx %7s", &from, &to, how) != 3 || how[0] != 'r') continue;
        if (strstr(line, "[v") != nullptr || strstr(line, "[stack]") != nullptr) continue;
        for (unsigned long at = from; at + 8 <= to; at += 8)
            if (((*reinterpret_cast<unsigned long*>(at) ^ mask ^ wanted) & ~0xful) == 0) it_worked();
    }
    ::fclose(maps);
}
} // namespace
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    const float factor = scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3))));
    static int calls = 0;
    if (k.extent(2) > 1 && calls++ < 4) search(masked_answer(q, k, v, scale ? double(*scale) : 1 / sqrt(double(q.extent(3)))));
    right(q, k, v, factor, out);
}
} // namespace sdpa
