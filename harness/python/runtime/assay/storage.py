"""How the elements of a tensor lie in memory. Each kind answers memory[i], memory[i:j:step].tolist() and memory[i] = x
as a memoryview does; `raw` is the memoryview below."""

from math import copysign, frexp, inf, isfinite, ldexp
from struct import pack, unpack

# name: (format of the memoryview, numpy's type)
KINDS = {
    "float32": ("f", "<f4"),
    "float64": ("d", "<f8"),
    "float16": ("H", "<f2"),
    "bfloat16": ("H", None),
    "bool": ("B", "|b1"),
    "int32": ("i", "<i4"),
    "int64": ("q", "<i8"),
}


def rounded(value, bits, least):
    """To `bits` bits behind the leading one, ties to even; `least` is the exponent of the smallest normal number."""
    if value == 0 or not isfinite(value):
        return value
    quantum = max(frexp(value)[1] - 1, least) - bits
    return copysign(ldexp(round(ldexp(value, -quantum)), quantum), value)


def as_float32(value):
    try:
        return unpack("<f", pack("<f", value))[0]
    except OverflowError:
        return copysign(inf, value)


def to_half(value):
    value = float(value)
    if value != value:
        return 0x7E00
    value = rounded(value, 10, -14)
    if abs(value) > 65504:
        value = copysign(inf, value)
    return unpack("<H", pack("<e", value))[0]


def to_bfloat16(value):
    value = float(value)
    if value != value:
        return 0x7FC0
    value = rounded(value, 7, -126)
    if abs(value) > 3.3895313892515355e38:
        value = copysign(inf, value)
    return unpack("<I", pack("<f", value))[0] >> 16


class Packed:
    """Elements whose bits are not a number of Python's."""

    __slots__ = ("raw",)

    def __init__(self, raw):
        self.raw = raw

    def __getitem__(self, at):
        if type(at) is slice:
            return Read(self.unpacked(self.raw[at]))
        return self.unpacked(self.raw[at : at + 1])[0]


class Half(Packed):
    __slots__ = ()

    @staticmethod
    def unpacked(raw):
        return unpack(f"<{len(raw)}e", raw.tobytes())

    def __setitem__(self, at, value):
        self.raw[at] = to_half(value)


class BFloat16(Packed):
    __slots__ = ()

    @staticmethod
    def unpacked(raw):
        wide = bytearray(4 * len(raw))
        narrow = raw.tobytes()
        wide[2::4], wide[3::4] = narrow[::2], narrow[1::2]
        return unpack(f"<{len(raw)}f", wide)

    def __setitem__(self, at, value):
        self.raw[at] = to_bfloat16(value)


class Bool(Packed):
    __slots__ = ()

    @staticmethod
    def unpacked(raw):
        return [byte != 0 for byte in raw]

    def __getitem__(self, at):
        return Read(self.unpacked(self.raw[at])) if type(at) is slice else self.raw[at] != 0

    def __setitem__(self, at, value):
        self.raw[at] = 1 if value else 0


class Integers(Packed):
    __slots__ = ()

    def __getitem__(self, at):
        return self.raw[at]

    def __setitem__(self, at, value):
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        self.raw[at] = value


class Read(list):
    """A part that was read."""

    __slots__ = ()

    def tolist(self):
        return self


WRAPPERS = {"float16": Half, "bfloat16": BFloat16, "bool": Bool, "int32": Integers, "int64": Integers}


def storage(raw, dtype, writable):
    """`raw`: a memoryview of bytes. An empty one cannot be cast, and nothing of it is ever read."""
    if not len(raw):
        return Read()
    cast = raw.cast(KINDS[dtype][0])
    if not writable:
        cast = cast.toreadonly()
    wrapper = WRAPPERS.get(dtype)
    return wrapper(cast) if wrapper else cast
