// A program for AddressSanitizer: an overrun to be reported, or right kernels that must run without a report.
#include "right.hpp"
#include "wrong.hpp"

#include <cstring>
#include <vector>

int main(int argc, char** argv) {
    float out[32] = {};
    const char* what = argc > 1 ? argv[1] : "";
    if (std::strcmp(what, "static") == 0) static_overrun(out);
    if (std::strcmp(what, "dynamic") == 0) dynamic_overrun(out);
    if (std::strcmp(what, "abandoned") == 0) divergent_barrier(out); // redzones of frames that never return
    const std::vector<float> in(1000, 1.0f);
    sum_tree(in.data(), out, 1000);
    sum_shuffle(in.data(), out + 1, 1000);
    const bool failed = std::strcmp(what, "abandoned") == 0; // and so does every later launch
    return failed || (out[0] == 1000.0f && out[1] == 1000.0f) ? 0 : 1;
}
