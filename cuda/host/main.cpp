// cuda-rewrite IN NAME OUT: a .cu file as C++ for the emulation, for builds and for looking at.
#include "rewrite.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: cuda-rewrite IN NAME OUT\n");
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    if (!in) {
        std::fprintf(stderr, "cuda-rewrite: cannot read %s\n", argv[1]);
        return 2;
    }
    const std::string source((std::istreambuf_iterator<char>(in)), {});
    const assay::simt::Rewritten rewritten = assay::simt::rewrite(source, argv[2]);
    for (const assay::simt::Unsupported& lack : rewritten.unsupported)
        std::fprintf(stderr, "%s:%d: error: %s\n", argv[2], lack.line, lack.sentence.c_str());
    if (!rewritten.unsupported.empty()) return 1;
    std::ofstream out(argv[3], std::ios::binary);
    out << rewritten.text;
    return out.flush() ? 0 : 2;
}
