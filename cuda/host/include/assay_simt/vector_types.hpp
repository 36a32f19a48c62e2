// CUDA's built-in vector types (float4, int2, dim3 ...), with the sizes and alignments of its programming guide.
#ifndef ASSAY_SIMT_VECTOR_TYPES_HPP
#define ASSAY_SIMT_VECTOR_TYPES_HPP

#define ASSAY_SIMT_VECTORS(base, name, align1, align2, align4)                                                         \
    struct alignas(align1) name##1 {                                                                                   \
        base x;                                                                                                        \
    };                                                                                                                 \
    struct alignas(align2) name##2 {                                                                                   \
        base x, y;                                                                                                     \
    };                                                                                                                 \
    struct name##3 {                                                                                                   \
        base x, y, z;                                                                                                  \
    };                                                                                                                 \
    struct alignas(align4) name##4 {                                                                                   \
        base x, y, z, w;                                                                                               \
    };                                                                                                                 \
    constexpr name##1 make_##name##1(base x) { return {x}; }                                                           \
    constexpr name##2 make_##name##2(base x, base y) { return {x, y}; }                                                \
    constexpr name##3 make_##name##3(base x, base y, base z) { return {x, y, z}; }                                     \
    constexpr name##4 make_##name##4(base x, base y, base z, base w) { return {x, y, z, w}; }

ASSAY_SIMT_VECTORS(signed char, char, 1, 2, 4)
ASSAY_SIMT_VECTORS(unsigned char, uchar, 1, 2, 4)
ASSAY_SIMT_VECTORS(short, short, 2, 4, 8)
ASSAY_SIMT_VECTORS(unsigned short, ushort, 2, 4, 8)
ASSAY_SIMT_VECTORS(int, int, 4, 8, 16)
ASSAY_SIMT_VECTORS(unsigned int, uint, 4, 8, 16)
ASSAY_SIMT_VECTORS(long long, longlong, 8, 16, 16)
ASSAY_SIMT_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
ASSAY_SIMT_VECTORS(float, float, 4, 8, 16)
ASSAY_SIMT_VECTORS(double, double, 8, 16, 16)
#undef ASSAY_SIMT_VECTORS

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
    unsigned int x = 1, y = 1, z = 1;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

#endif
