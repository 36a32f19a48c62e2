"""Messages between judge and worker: flat sequences of msgpack values (harness/wire/message.hpp), and how the contract's
types lie in them (harness/wire/argument.hpp)."""

from struct import pack, unpack_from

from assay.storage import as_float32, storage
from assay.tensor import Tensor
from assay.var import Var, tape

DTYPES = ("float32", "float64", "float16", "bfloat16", "bool", "int32", "int64")
SIZES = (4, 8, 2, 2, 1, 4, 8)
LIMITS = {"int32": 2**31, "int64": 2**63}


class BadMessage(Exception):
    pass


# First byte of a number: its format and length.
WIDE = {0xCC: (">B", 1), 0xCD: (">H", 2), 0xCE: (">I", 4), 0xCF: (">Q", 8),
        0xD0: (">b", 1), 0xD1: (">h", 2), 0xD2: (">i", 4), 0xD3: (">q", 8)}  # fmt: skip
CONSTANT = {0xC0: None, 0xC2: False, 0xC3: True}


def read_values(message):
    """Every value of a message."""
    values, at, end = [], 0, len(message)
    while at < end:
        first = message[at]
        at += 1
        if first < 0x80:
            values.append(first)
        elif first >= 0xE0:
            values.append(first - 256)
        elif first in WIDE:
            kind, length = WIDE[first]
            values.append(unpack_from(kind, message, at)[0])
            at += length
        elif first == 0xD7 and message[at] == 1:
            values.append(unpack_from("<d", message, at + 1)[0])
            at += 9
        elif first in CONSTANT:
            values.append(CONSTANT[first])
        else:
            raise BadMessage("the message holds a value of no type that is known")
    return values


def integer(value):
    if 0 <= value < 128:
        return bytes((value,))
    return b"\xd3" + pack(">q", value)


def number(value):
    return b"\xd7\x01" + pack("<d", value)


def text(value, most):
    raw = value.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").encode()
    return b"\xda" + pack(">H", len(raw)) + raw


class Call:
    """The memory of one call: the regions of the arena that it may touch, mapped when a tensor is in them."""

    def __init__(self, regions, map_region):
        self.regions = regions  # (offset, length, data, data_length)
        self.map_region = map_region
        self.views = []
        self.gradients = []  # (leaves, tensor that their gradients go to)

    def tensor(self, kind, dtype, rank, name, writable, nxt):
        """The tensor whose place begins with its element type, `kind`."""
        axes, offset = nxt(), nxt()
        shape = tuple([nxt() for _ in range(axes)])
        strides = tuple([nxt() for _ in range(axes)])
        if DTYPES[kind] != dtype or axes != rank:
            raise BadMessage("a tensor has another element type or rank than the contract's")
        for region in self.regions:
            if region[2] <= offset <= region[2] + region[3]:
                view = self.map_region(region)[region[2] - region[0] :][: region[3]]
                memory = storage(view, dtype, writable)
                inner = getattr(memory, "raw", memory)
                self.views += [view, inner] if isinstance(inner, memoryview) else [view]
                return Tensor(memory, (offset - region[2]) // SIZES[kind], shape, strides, dtype, name, writable)
        raise BadMessage("a tensor lies outside the call's memory")


def decoder(described, name, types):
    """How a parameter of this type is read: a function of the call and of what gives the next value. `types` has the
    contract's own classes by name."""
    kind = described["kind"]
    if kind == "record":
        made = types[described["name"]]
        fields = [decoder(field["type"], field["name"], types) for field in described["fields"]]
        return lambda call, nxt: made(*[field(call, nxt) for field in fields])
    if kind == "list":
        return lambda call, nxt: List()
    if kind == "enumeration":
        made = types[described["name"]]
        known = {int(one): one for one in made}
        return lambda call, nxt: enumerator(known, nxt())
    if kind == "number" and described["dtype"] == "float32":
        return optional(described, lambda value, call, nxt: as_float32(value))
    if kind == "tensor" and described["gradient"]:
        return lambda call, nxt: leaves(call, described, name, nxt)
    if kind == "tensor":
        dtype, rank, writable = described["dtype"], described["rank"], described["writable"]
        return optional(described, lambda kind, call, nxt: call.tensor(kind, dtype, rank, name, writable, nxt))
    return optional(described, lambda value, call, nxt: value)


def optional(described, read):
    if not described["optional"]:
        return lambda call, nxt: read(nxt(), call, nxt)

    def decode(call, nxt):
        value = nxt()
        return None if value is None else read(value, call, nxt)

    return decode


def enumerator(known, value):
    """A value that no enumerator has (invalid input, perhaps) stays a number."""
    return known.get(value, value)


def leaves(call, described, name, nxt):
    """A tensor of Var with the values that lie first in the message; the tensor for their gradients follows."""
    values = call.tensor(nxt(), "float64", described["rank"], name, False, nxt)
    gradients = call.tensor(nxt(), "float64", described["rank"], name, True, nxt)
    if values.shape != gradients.shape:
        raise BadMessage("a gradient has other extents than what it is of")
    shape, strides, count = values.shape, [], 1
    for extent in reversed(shape):
        strides.insert(0, count)
        count *= extent
    flat = values.tolist()
    for _ in shape[1:]:
        flat = [x for part in flat for x in part]
    made = [tape.leaf(x) for x in flat]
    call.gradients.append((made, gradients))
    return Tensor(made, 0, shape, tuple(strides), "Var", name, False)


def arguments(decoders, call, nxt):
    """Of a call, in order; nothing may be left in its message."""
    try:
        decoded = [decode(call, nxt) for decode in decoders]
    except StopIteration:
        raise BadMessage("the message ends too early") from None
    try:
        nxt()
    except StopIteration:
        return decoded
    raise BadMessage("the call has more arguments than its function")


class List(list):
    """A list that the function fills."""

    __slots__ = ()
    push = list.append

    def size(self):
        return len(self)


def misfit(where, wanted, value):
    return TypeError(f"{where} is {wanted}, and {value!r} is none")


def encoder(described, where, types):
    """How a result of this type is written: a function from the value to bytes. `where` names it in complaints."""
    kind = described["kind"]
    if kind == "nothing":
        return lambda value: b""
    if kind == "record":
        fields = [(field["name"], python_name(field["name"]), encoder(field["type"], f"{where}.{field['name']}", types))
                  for field in described["fields"]]  # fmt: skip
        return lambda value: record(value, described["name"], where, fields, types[described["name"]])
    if kind == "boolean":
        return lambda value: b"\xc3" if value else b"\xc2"
    if kind == "number":
        return lambda value: number(as_number(value, where))
    if kind == "var":

        def encode(value):
            if not isinstance(value, Var):
                value = Var(as_number(value, where))
            tape.run_backward(value)
            return number(value.value())

        return encode
    limit = LIMITS[described["dtype"]]
    return lambda value: integer(as_integer(value, where, limit))


def as_number(value, where):
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise misfit(where, "a number", value)
    return float(value)


def as_integer(value, where, limit):
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif not hasattr(value, "__index__"):
        raise misfit(where, "an integer", value)
    value = value.__index__()
    if not -limit <= value < limit:
        raise OverflowError(f"{where} = {value} does not fit {limit.bit_length()} bits")
    return value


def record(value, name, where, fields, made):
    """From an object with the fields as attributes, or a dict; what is left out stays as it is before it is set."""
    if isinstance(value, dict):
        known = {own for _, own, _ in fields} | {plain for plain, _, _ in fields}
        for key in value:
            if key not in known:
                raise TypeError(f"{where} has no field {key!r}: a {name} has {', '.join(own for _, own, _ in fields)}")
        value = made(**{own: value.get(own, value.get(plain)) for plain, own, _ in fields if own in value or plain in value})
    elif value is None or not any(hasattr(value, own) for _, own, _ in fields):
        raise TypeError(f"{where} is a {name}, and {value!r} is none: return contract.{name}(...) or a dict of its fields")
    initial = None
    parts = []
    for _, own, encode in fields:
        if hasattr(value, own):
            parts.append(encode(getattr(value, own)))
        else:
            initial = initial or made()
            parts.append(encode(getattr(initial, own)))
    return b"".join(parts)


KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except finally for from global if "
    "import in is lambda nonlocal not or pass raise return try while with yield".split()
)


def python_name(name):
    """`from` of a contract is from_ in Python."""
    return name + "_" if name in KEYWORDS else name
