"""A strided view of a tensor: t[i, j] reads, out[i, j] = x writes, t[i] is a view of the rest, out[i] = [...] writes all
of it. It has .shape, .strides (in elements), .dtype, .ndim and .size, len() and iteration over the first axis, and
.tolist(). .data is the memory, flat: t[i, j] is t.data[i * t.strides[0] + j * t.strides[1]]. numpy.asarray(t) is a view
without a copy where numpy is installed (of bfloat16, which numpy lacks, a copy).

The view ends with the call that it was passed to. What is to be kept is copied: t.tolist(), numpy.array(t)."""

from _weakref import ref

from assay.storage import KINDS, Read, storage

lent = []  # weak references to what numpy was given of the call's memory: none may outlive the call

class Tensor:
    __slots__ = ("_memory", "_first", "shape", "strides", "dtype", "name", "writable")

    def __init__(self, memory, first, shape, strides, dtype, name, writable):
        self._memory = memory
        self._first = first
        self.shape = shape
        self.strides = strides
        self.dtype = dtype
        self.name = name
        self.writable = writable

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def data(self):
        """From the first element on, to be read."""
        return self._memory[self._first :]

    def __len__(self):
        return self.shape[0]

    def __bool__(self):
        raise TypeError(f"`{self.name}` is a tensor, neither true nor false: write `{self.name} is not None`")

    def __repr__(self):
        return f"<{self.dtype} tensor {self.name} {self.shape}>"

    def __getitem__(self, index):
        if type(index) is tuple:
            shape = self.shape
            if len(index) == len(shape):
                at = self._first
                for i, extent, stride in zip(index, shape, self.strides):
                    if i.__class__ is slice:
                        return self._part(index)
                    if i < 0:
                        i += extent
                    if not 0 <= i < extent:
                        raise self._out_of_range(index)
                    at += i * stride
                try:
                    return self._memory[at]
                except ValueError as error:
                    raise self._misfit(None, error) from None
        elif len(self.shape) == 1 and index.__class__ is not slice and index is not Ellipsis:
            (extent,), i = self.shape, index
            if i < 0:
                i += extent
            if not 0 <= i < extent:
                raise self._out_of_range((index,))
            try:
                return self._memory[self._first + i * self.strides[0]]
            except ValueError as error:
                raise self._misfit(None, error) from None
        return self._part(index if type(index) is tuple else (index,))

    def __setitem__(self, index, value):
        place = index if type(index) is tuple else (index,)
        shape = self.shape
        if not self.writable:
            raise TypeError(f"`{self.name}` is an input: it may not be written")
        if len(place) != len(shape):
            return self._part(place)._assign(value)
        at = self._first
        for i, extent, stride in zip(place, shape, self.strides):
            if i.__class__ is slice or i is Ellipsis:
                return self._part(place)._assign(value)
            if i < 0:
                i += extent
            if not 0 <= i < extent:
                raise self._out_of_range(place)
            at += i * stride
        try:
            self._memory[at] = value
        except (TypeError, ValueError) as error:
            raise self._misfit(value, error) from None

    def __iter__(self):
        if len(self.shape) == 1:
            return iter(self.tolist())
        return (self[i] for i in range(self.shape[0]))

    def tolist(self):
        if len(self.shape) > 1:
            return [part.tolist() for part in self]
        (count,), (stride,) = self.shape, self.strides
        if not count:
            return []
        if not stride:
            return [self._memory[self._first]] * count
        memory, first = self._memory, self._first
        part = memory[first : first + (count - 1) * stride + 1 : stride]
        return part if part.__class__ is list else part.tolist()

    def _part(self, index):
        """The view that an index with slices, or with too few entries, means."""
        index = tuple(index)
        if Ellipsis in index:
            at = index.index(Ellipsis)
            rest = len(self.shape) - len(index) + 1
            index = index[:at] + (slice(None),) * rest + index[at + 1 :]
        if len(index) > len(self.shape):
            raise IndexError(f"`{self.name}` has {len(self.shape)} axes, not {len(index)}")
        index += (slice(None),) * (len(self.shape) - len(index))
        first, shape, strides = self._first, [], []
        for i, extent, stride in zip(index, self.shape, self.strides):
            if isinstance(i, slice):
                start, stop, step = i.indices(extent)
                if step < 0:
                    raise IndexError(f"`{self.name}` cannot be sliced backwards: give a step above 0")
                first += start * stride
                shape.append(max(0, -((start - stop) // step)))
                strides.append(stride * step)
                continue
            if i < 0:
                i += extent
            if not 0 <= i < extent:
                raise self._out_of_range(index)
            first += i * stride
        if not shape:
            return self._memory[first]
        return Tensor(self._memory, first, tuple(shape), tuple(strides), self.dtype, self.name, self.writable)

    def _assign(self, value):
        """Every element from a nested sequence of this shape, or from one number."""
        if not hasattr(value, "__len__"):
            for i in range(self.shape[0]):
                self[i] = value
            return
        if len(value) != self.shape[0]:
            raise ValueError(f"{len(value)} entries do not fit an axis of `{self.name}` with extent {self.shape[0]}")
        if len(self.shape) > 1 or not hasattr(value, "tolist"):
            for i, entry in enumerate(value):
                self[i] = entry
        else:
            for i, entry in enumerate(value.tolist()):
                self[i] = entry

    def _out_of_range(self, index):
        for axis, (i, extent) in enumerate(zip(index, self.shape)):
            if not isinstance(i, slice) and not -extent <= i < extent:
                return IndexError(f"index {i} is out of range for axis {axis} of `{self.name}`, which has extent {extent}")
        return IndexError(f"`{self.name}` has no element {index}")

    def _misfit(self, value, error):
        if "released" in str(error):
            return ValueError(f"`{self.name}` belongs to an earlier call: copy what is to be kept, as {self.name}.tolist()")
        return TypeError(f"{value!r} does not fit `{self.name}`, which holds {self.dtype}")

    @property
    def __array_interface__(self):
        kind = KINDS.get(self.dtype, (None, None))[1]
        if kind is None:
            raise AttributeError("numpy has no such type")
        size = int(kind[2:])
        raw = getattr(self._memory, "raw", self._memory)
        if isinstance(raw, Read):
            raw = b""
        elif raw.obj.__class__.__name__ == "mmap":
            raw = memoryview(raw)  # numpy keeps this object, not its buffer: released, it would leave a dangling array
            lent.append(ref(raw))
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": kind,
            "strides": tuple(stride * size for stride in self.strides),
            "data": raw,
            "offset": self._first * size if len(raw) else 0,
        }

    def __array__(self, dtype=None, copy=None):
        import numpy

        if self.writable:
            raise TypeError(f"numpy has no {self.dtype}, so an array would be a copy: write `{self.name}[...] = array`")
        return numpy.array(self.tolist(), dtype=dtype or numpy.float32).reshape(self.shape)


def zeros(shape, dtype="float32"):
    """A tensor of your own: row-major, all zero."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    strides, count = [], 1
    for extent in reversed(shape):
        strides.insert(0, count)
        count *= extent
    size = memoryview(bytes(8)).cast(KINDS[dtype][0]).itemsize
    memory = storage(memoryview(bytearray(count * size)), dtype, True)
    return Tensor(memory, 0, shape, tuple(strides), dtype, "tensor", True)


def tensor(values, dtype="float32"):
    """A tensor of your own with the values of a nested sequence."""
    shape, inner = [], values
    while hasattr(inner, "__len__"):
        shape.append(len(inner))
        if not shape[-1]:
            break
        inner = inner[0]
    made = zeros(shape, dtype)
    made[...] = values
    return made
