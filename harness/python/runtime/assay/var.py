"""Var: a number that remembers how it was computed, so that a loss written in it can be differentiated. Reverse mode,
one scalar at a time, in float64; the operations and their gradients are those of the C++ contract's Var."""

import builtins
import math


class Tape:
    """The steps of one call. Their numbers go on rising, so that a Var kept from an earlier call is noticed."""

    def __init__(self):
        self.steps = []  # (a, df/da, b, df/db), -1: no such parent
        self.first = 0
        self.gradients = []

    def clear(self):
        self.first += len(self.steps)
        self.steps = []
        self.gradients = []

    def record(self, a, to_a, b, to_b):
        first = self.first
        if (0 <= a < first) or (0 <= b < first):
            raise ValueError("a Var of an earlier call is used: each call starts afresh, keep none between calls")
        self.steps.append((a, to_a, b, to_b))
        return first + len(self.steps) - 1

    def leaf(self, value):
        return Var(value, self.record(-1, 0.0, -1, 0.0))

    def run_backward(self, result):
        steps, first = self.steps, self.first
        gradients = self.gradients = [0.0] * len(steps)
        last = result._step - first
        if result._step < 0 or last < 0:
            return
        # Steps that the result does not depend on are left out: a value that is never selected may be NaN.
        reached = bytearray(len(steps))
        gradients[last] = 1.0
        reached[last] = 1
        for i in range(last, -1, -1):
            if not reached[i]:
                continue
            a, to_a, b, to_b = steps[i]
            flowing = gradients[i]
            if a >= 0:
                reached[a - first] = 1
                gradients[a - first] += flowing * to_a
            if b >= 0:
                reached[b - first] = 1
                gradients[b - first] += flowing * to_b

    def gradient(self, leaf):
        at = leaf._step - self.first
        return self.gradients[at] if 0 <= at < len(self.gradients) else 0.0


tape = Tape()


def divided(a, b):
    """As IEEE 754 has it, where Python raises."""
    if b:
        return a / b
    if a == 0 or a != a or b != b:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _step(value, a, to_a, b=None, to_b=0.0):
    other = -1 if b is None else b._step
    if a._step < 0 and other < 0:
        return Var(value)
    return Var(value, tape.record(a._step, to_a, other, to_b))


def _var(x):
    if isinstance(x, Var):
        return x
    if isinstance(x, str) or not hasattr(x, "__float__"):
        return None
    return Var(float(x))


class Var:
    """Arithmetic on it works as on float, and is recorded. A plain number is a Var that has no gradient."""

    __slots__ = ("_value", "_step")

    def __init__(self, value=0.0, step=-1):
        self._value = float(value)
        self._step = step

    def value(self):
        """The number itself. What is computed from it has no gradient."""
        return self._value

    def detach(self):
        """The same number as a constant: no gradient flows back through it."""
        return Var(self._value)

    def __add__(self, other):
        b = _var(other)
        return NotImplemented if b is None else _step(self._value + b._value, self, 1.0, b, 1.0)

    def __sub__(self, other):
        b = _var(other)
        return NotImplemented if b is None else _step(self._value - b._value, self, 1.0, b, -1.0)

    def __mul__(self, other):
        b = _var(other)
        return NotImplemented if b is None else _step(self._value * b._value, self, b._value, b, self._value)

    def __truediv__(self, other):
        b = _var(other)
        if b is None:
            return NotImplemented
        quotient = divided(self._value, b._value)
        return _step(quotient, self, divided(1.0, b._value), b, divided(-quotient, b._value))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        a = _var(other)
        return NotImplemented if a is None else a - self

    def __rtruediv__(self, other):
        a = _var(other)
        return NotImplemented if a is None else a / self

    def __neg__(self):
        return _step(-self._value, self, -1.0)

    def __pos__(self):
        return self

    def __lt__(self, other):
        return self._value < _value_of(other)

    def __le__(self, other):
        return self._value <= _value_of(other)

    def __gt__(self, other):
        return self._value > _value_of(other)

    def __ge__(self, other):
        return self._value >= _value_of(other)

    def __eq__(self, other):
        return _var(other) is not None and self._value == _value_of(other)

    __hash__ = None

    def __bool__(self):
        raise TypeError("a Var is neither true nor false: compare it, or its value()")

    def __float__(self):
        raise TypeError("a Var is no float: use exp and log of assay, or its value() where no gradient is due")

    def __repr__(self):
        return f"Var({self._value!r})"


def _value_of(x):
    return x._value if isinstance(x, Var) else x


def exp(x):
    """Of a Var, or of a number."""
    a = x if isinstance(x, Var) else Var(x)
    try:
        value = math.exp(a._value)
    except OverflowError:
        value = math.inf
    return _step(value, a, value) if isinstance(x, Var) else value


def log(x):
    """Natural logarithm of a Var, or of a number; -inf of 0, NaN below."""
    a = x if isinstance(x, Var) else Var(x)
    value = -math.inf if a._value == 0 else math.log(a._value) if a._value > 0 else math.nan
    return _step(value, a, divided(1.0, a._value)) if isinstance(x, Var) else value


def _smaller(a, b):
    x, y = a._value, b._value
    to_a = 1.0 if x < y else 0.0 if y < x else 0.5
    return _step(x if x < y else y if y < x else x if x == y else x + y, a, to_a, b, 1.0 - to_a)


def _folded(pairwise, builtin, arguments, options):
    entries = list(arguments[0]) if len(arguments) == 1 else list(arguments)
    if options or not any(isinstance(entry, Var) for entry in entries):
        return builtin(*arguments, **options) if len(arguments) > 1 else builtin(entries, **options)
    least = _var(entries[0])
    for entry in entries[1:]:
        least = pairwise(least, _var(entry))
    return least


def min(*arguments, **options):
    """The smaller one; NaN where one is NaN. The gradient goes to that one; where both are equal, half to each."""
    return _folded(_smaller, builtins.min, arguments, options)


def max(*arguments, **options):
    """The larger one, with gradients as of min."""
    return _folded(lambda a, b: -_smaller(-a, -b), builtins.max, arguments, options)


def clamp(x, low, high):
    """x moved into [low, high]. The gradient is 1 inside and at the ends, 0 outside."""
    a = x if isinstance(x, Var) else Var(x)
    value = a._value
    moved = low if value < low else high if value > high else value
    return _step(moved, a, 0.0 if value < low or value > high else 1.0) if isinstance(x, Var) else moved
