"""What an attempt in Python is given beside its contract: Tensor, Var, and what an unset item holds."""

from struct import unpack

from assay.tensor import Tensor, tensor, zeros
from assay.var import Var, clamp, exp, log, max, min

__all__ = ["Tensor", "Var", "clamp", "exp", "log", "max", "min", "tensor", "unset", "unset_integer", "zeros"]

# An item of a result that still holds it is reported as never set; where the contract asks for that, it is right.
# The number is a NaN of its own, which no arithmetic gives: assign it as it is.
unset = unpack("<d", (0x7FF8000000000455).to_bytes(8, "little"))[0]
unset_integer = -(2**63)
