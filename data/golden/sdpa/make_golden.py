#!/usr/bin/env python3
"""Golden vectors for scaled dot-product attention, computed by PyTorch and by ONNX's reference.

    python make_golden.py            writes torch.json and onnx.json beside this file (needs torch and onnx)
    python make_golden.py --verify   checks both files against a plain float64 attention (needs numpy alone)

See README.md for the format, the coverage and the versions.
"""

import argparse
import json
import math
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
SEED = 20240527
GAP = 12345.0  # what lies between the elements of a stepped view: loud if it is read
GRAIN = 2.0**-8  # most inputs are multiples of it, for short files; full=True draws all 24 bits of a float32

# ----------------------------------------------------------------------------------------------------------------
# Strided inputs. A tensor is written as its storage and the view on it; the view alone is what attention sees.
# ----------------------------------------------------------------------------------------------------------------


def rounded(values, dtype):
    """Values rounded to dtype, as float64."""
    import torch

    kind = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}[dtype]
    return torch.tensor(np.asarray(values, dtype=np.float64)).to(torch.float32).to(kind).to(torch.float64).numpy()


def contiguous_strides(extents):
    strides = [1] * len(extents)
    for axis in range(len(extents) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(extents[axis + 1], 1)
    return strides


class Input:
    """A view (extents, strides, offset) on a flat storage whose values are exact in dtype."""

    def __init__(self, storage, dtype, extents, strides=None, offset=0):
        self.storage = np.asarray(storage, dtype=np.float64).reshape(-1)
        self.dtype = dtype
        self.extents = [int(e) for e in extents]
        self.strides = contiguous_strides(self.extents) if strides is None else [int(s) for s in strides]
        self.offset = offset
        if 0 not in self.extents:
            last = offset + sum((e - 1) * s for e, s in zip(self.extents, self.strides))
            assert 0 <= last < self.storage.size, "view leaves its storage"

    def torch(self):
        """The view as a torch tensor of float64 or bool, with these very strides."""
        import torch

        base = torch.tensor(self.storage)
        if self.dtype == "bool":
            base = base != 0
        return torch.as_strided(base, self.extents, self.strides, self.offset)

    def json(self):
        number = int if self.dtype == "bool" else float
        return {"dtype": self.dtype, "extents": self.extents, "strides": self.strides, "offset": self.offset,
                "data": [number(x) for x in self.storage]}


class Draw:
    """Random inputs of one vector. The seed hangs on the vector's name, so vectors do not disturb one another."""

    def __init__(self, name):
        self.rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])

    def values(self, extents, dtype="float32", spread=1.0, full=False):
        x = spread * self.rng.standard_normal(extents)
        return rounded(x if full or dtype != "float32" else np.round(x / GRAIN) * GRAIN, dtype)

    def normal(self, *extents, dtype="float32", spread=1.0, full=False):
        return Input(self.values(extents, dtype, spread, full), dtype, extents)

    def mask(self, *extents, density=0.6):
        """Random mask; one of each value is forced where there is room for both."""
        bits = self.rng.random(extents) < density
        flat = bits.reshape(-1)
        if flat.size > 1 and (flat.all() or not flat.any()):
            flat[self.rng.integers(flat.size)] ^= True
        return Input(bits, "bool", extents)

    def memory_order(self, extents, order):
        """A tensor of these extents that lies in memory with its axes in the given order (outermost first)."""
        strides = [0] * 4
        packed = contiguous_strides([extents[axis] for axis in order])
        for axis, stride in zip(order, packed):
            strides[axis] = stride
        return Input(self.values(math.prod(extents)), "float32", extents, strides)

    def stepped(self, extents, strides, offset, tail=3):
        """A view with gaps: elements are normal, everything between and around them is GAP."""
        size = offset + sum((e - 1) * s for e, s in zip(extents, strides)) + 1 + tail
        storage = np.full(size, GAP)
        index = offset + sum(np.arange(e).reshape([-1 if a == axis else 1 for a in range(4)]) * s
                             for axis, (e, s) in enumerate(zip(extents, strides)))
        storage[index] = self.values(extents)
        return Input(storage, "float32", extents, strides, offset)

    def repeated(self, extents, axes, dtype="float32"):
        """A view that repeats itself along the given axes (stride 0)."""
        own = [1 if axis in axes else e for axis, e in enumerate(extents)]
        strides = [0 if axis in axes else s for axis, s in enumerate(contiguous_strides(own))]
        if dtype == "bool":
            return Input(self.mask(*own).storage, "bool", extents, strides)
        return Input(self.values(own), dtype, extents, strides)


def flags(array):
    array = np.asarray(array, dtype=np.float64)
    return Input(array, "bool", array.shape)


def numbers(array, dtype="float32"):
    array = np.asarray(array, dtype=np.float64)
    assert np.array_equal(rounded(array, dtype), array)
    return Input(array, dtype, array.shape)


# ----------------------------------------------------------------------------------------------------------------
# PyTorch
# ----------------------------------------------------------------------------------------------------------------


def dense(array):
    """Contiguous float64 for the file."""
    array = np.asarray(array, dtype=np.float64)
    assert np.isfinite(array).all()
    return {"extents": list(array.shape), "data": [float(x) + 0.0 for x in array.reshape(-1)]}  # + 0.0: no -0


def torch_attention(q, k, v, mask, causal, scale):
    """torch's scaled_dot_product_attention, its plain ("math") kernel, on float64 tensors."""
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    lq, lk = q.shape[2], k.shape[2]
    native = causal and lq == lk and mask is None  # torch's own is_causal is top-left: usable where Lq == Lk alone
    if causal and not native:
        allowed = torch.arange(lk)[None, :] <= torch.arange(lq)[:, None] + (lk - lq)
        mask = allowed if mask is None else mask & allowed
    if mask is not None and mask.dim() == 4:
        mask = mask.expand(q.shape[0], q.shape[1], lq, lk)
    with sdpa_kernel(SDPBackend.MATH):
        return torch.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, is_causal=native, scale=scale, enable_gqa=q.shape[1] != k.shape[1])


def torch_vector(name, why, q, k, v, mask=None, causal=False, scale=None, gradients=False):
    import torch

    allowed = None if mask is None else mask.torch()
    out = torch_attention(q.torch(), k.torch(), v.torch(), allowed, causal, scale)
    vector = {"name": name, "why": why, "causal": causal, "scale": scale, "q": q.json(), "k": k.json(), "v": v.json(),
              "mask": None if mask is None else mask.json(), "out": dense(out.numpy())}
    if gradients:
        leaves = [x.torch().clone(memory_format=torch.contiguous_format).requires_grad_() for x in (q, k, v)]
        dout = Draw(name + " dout").normal(*out.shape)
        torch_attention(*leaves, allowed, causal, scale).backward(dout.torch())
        vector["dout"] = dense(dout.torch().numpy())
        for field, leaf in zip(("dq", "dk", "dv"), leaves):
            vector[field] = dense(leaf.grad.numpy())
    return vector


def torch_vectors():
    vectors = []

    def add(name, why, q, k, v, **options):
        vectors.append(torch_vector(name, why, q, k, v, **options))

    def plain(name, why, b, hq, hkv, lq, lk, d, dv, dtype="float32", spread=1.0, full=False, mask=None,
              **options):
        """Contiguous normal inputs; mask is a function of the draw, or an Input."""
        draw = Draw(name)
        q = draw.normal(b, hq, lq, d, dtype=dtype, spread=spread, full=full)
        k = draw.normal(b, hkv, lk, d, dtype=dtype, spread=spread, full=full)
        v = draw.normal(b, hkv, lk, dv, dtype=dtype, full=full)
        add(name, why, q, k, v, mask=mask(draw) if callable(mask) else mask, **options)

    # Shapes, formula, scale.
    plain("multi_head", "the formula: two batch rows, three heads", 2, 3, 3, 3, 4, 4, 4, full=True, gradients=True)
    plain("dv_not_d", "D = 5, Dv = 3: a value width of its own", 2, 2, 2, 3, 4, 5, 3, full=True)
    plain("dv_above_d", "D = 1, Dv = 6: the default scale is 1", 1, 2, 2, 3, 4, 1, 6)
    plain("square", "Lq = Lk = D = Dv: a k left untransposed goes unnoticed by shapes", 1, 2, 2, 4, 4, 4, 4)
    plain("heads_equal_length", "H = L: heads merged without the transpose go unnoticed by shapes", 2, 3, 3, 3, 3, 2, 2)
    plain("scale_given", "scale 0.37 replaces 1/sqrt(D)", 2, 2, 2, 3, 5, 4, 3, scale=0.37, full=True, gradients=True)
    plain("scale_negative", "a scale below 0 turns the order of the logits round", 1, 2, 2, 3, 5, 4, 3, scale=-0.75)
    plain("scale_zero", "a scale of 0 gives the mean of the values", 1, 1, 1, 2, 5, 3, 2, scale=0.0, gradients=True)

    # Stability.
    plain("large_logits", "logits of some thousand, far beyond the range of exp", 1, 2, 2, 6, 8, 8, 3, spread=30.0, full=True,
          gradients=True)
    for name, level, step in (("logits_at_-2e4", (-128, 160), 0), ("logits_at_-6e4", (-256, 240), 0),
                              ("logits_at_-2e9", (-32768, 61440), 0), ("logits_at_+2e9", (32768, 61440), 0)):
        # Small whole numbers and a scale of 1: every logit is exact. q.k = level + i * j / 8.
        q = numbers([[[[level[0], i / 8] for i in (-3, 1, 5)]]])
        k = numbers([[[[level[1], j] for j in (0, 1, -2, 4)]]])
        v = numbers([[[[1, -2], [3, 0.5], [-4, 8], [0.25, 6]]]])
        add(name, "all allowed logits near %g, exact in float64" % (level[0] * level[1]), q, k, v, scale=1.0)
    q = numbers([[[[16, 4], [16, -4]]]])
    k = numbers([[[[0, 1], [0, 2], [12.5, 0], [0, -1]]]])
    v = numbers([[[[1], [2], [1000], [4]]]])
    add("masked_key_200_above", "a masked key 200 above the allowed ones must not set the maximum", q, k, v,
        mask=flags([[[[1, 1, 0, 1]]]]), scale=1.0, gradients=True)
    q = numbers([[[[64] + [1] * 63]]])
    k = numbers([[[[64] + [1] * 63, [64] + [0] * 63]]])
    add("near_tie_64", "p = 0.99962, where sums in half precision give 0.5", q, k, numbers([[[[1, 0], [0, 1]]]]))
    q = numbers(np.ones((1, 1, 1, 1)))
    k = numbers(np.arange(0, 96, 6).reshape(1, 1, 16, 1))
    add("ascending_logits", "every key raises the maximum by 6: a rescale forgotten or inverted shows", q, k,
        numbers(np.arange(32).reshape(1, 1, 16, 2) % 7), gradients=True)

    # Every broadcast shape of the mask: B, H, Lq, Lk are 2, 3, 4, 5.
    for bits in range(16):
        extents = [full if bits >> (3 - axis) & 1 else 1 for axis, full in enumerate((2, 3, 4, 5))]
        name = "mask_" + "x".join(map(str, extents))
        if bits == 0:
            plain(name, "mask of one element, true", 2, 3, 3, 4, 5, 2, 3, mask=flags([[[[1]]]]))
        else:
            plain(name, "mask extents " + str(extents) + " against B, H, Lq, Lk = 2, 3, 4, 5", 2, 3, 3, 4, 5, 2, 3,
                  mask=lambda draw: draw.mask(*extents))
    plain("mask_equal_extents", "B = H = Lq = Lk = 3, mask 3x1x1x3: the wrong axis goes unnoticed by shapes", 3, 3, 3, 3, 3,
          2, 2, mask=lambda draw: draw.mask(3, 1, 1, 3))

    # Causal, bottom-right.
    plain("causal_square", "causal, Lq = Lk", 2, 2, 2, 5, 5, 3, 2, causal=True, gradients=True)
    plain("causal_lq_below_lk", "causal, Lq = 3, Lk = 7: aligned bottom-right", 2, 2, 2, 3, 7, 3, 2, causal=True)
    plain("causal_lq_above_lk", "causal, Lq = 6, Lk = 4: rows 0, 1 have nothing to attend", 2, 2, 2, 6, 4, 3, 2, causal=True)
    plain("causal_5_2", "causal, Lq = 5, Lk = 2: three rows of 0", 1, 2, 2, 5, 2, 3, 4, causal=True, gradients=True)
    plain("causal_and_mask", "causal ANDed with a mask 2x1x4x6", 2, 2, 2, 4, 6, 3, 2, causal=True,
          mask=lambda draw: draw.mask(2, 1, 4, 6))
    plain("causal_and_mask_disjoint", "row 0 may attend keys 1, 2 by its mask and key 0 by causality: nothing", 1, 1, 1, 3, 3,
          2, 2, causal=True, mask=flags([[[[0, 1, 1], [1, 1, 1], [1, 0, 1]]]]), gradients=True)
    plain("causal_decode", "causal, Lq = 1: the one row attends every key", 2, 2, 2, 1, 6, 3, 2, causal=True)

    # Rows with nothing to attend.
    single = np.ones((2, 2, 4, 3))
    single[0, 0, 1] = single[0, 1, 3] = single[1, 1, 0] = 0
    plain("empty_rows", "single rows with nothing to attend", 2, 2, 2, 4, 3, 3, 2, mask=flags(single), gradients=True)
    head = np.ones((2, 3, 2, 3))
    head[0, 1] = 0
    plain("empty_head", "one head of one batch row with nothing to attend", 2, 3, 3, 2, 3, 2, 2, mask=flags(head))
    batch = np.ones((3, 2, 2, 3))
    batch[1] = 0
    plain("empty_batch_row", "a whole batch row with nothing to attend", 3, 2, 2, 2, 3, 2, 2, mask=flags(batch),
          gradients=True)
    plain("empty_everything", "mask of one element, false: all 0", 2, 2, 2, 3, 3, 2, 2, mask=flags([[[[0]]]]), gradients=True)
    plain("empty_lk_0", "Lk = 0: no key at all", 1, 2, 2, 3, 0, 4, 2)
    plain("empty_lk_0_causal_gqa", "Lk = 0, causal, four heads on two", 2, 4, 2, 2, 0, 3, 2, causal=True)
    first = np.ones((1, 1, 3, 40))
    first[..., :, :33] = 0
    first[..., 2, :39] = 0
    plain("first_block_masked", "the first 33 keys are masked, in one row 39 of 40", 1, 1, 1, 3, 40, 3, 2, mask=flags(first))

    # Grouped queries: query head h reads kv head h / (Hq / Hkv).
    plain("gqa", "D = 3, Hq = 6, Hkv = 3, Dv = 4, Lq = 5, Lk = 7: interleaved, not tiled", 1, 6, 3, 5, 7, 3, 4,
          full=True, gradients=True)
    plain("gqa_mqa", "one kv head for four query heads", 2, 4, 1, 3, 4, 3, 2, gradients=True)
    plain("gqa_mask_per_head", "a mask of Hq = 4 heads, by query head, on Hkv = 2", 1, 4, 2, 3, 5, 3, 2,
          mask=lambda draw: draw.mask(1, 4, 1, 5))
    empties = np.ones((2, 6, 4, 3))
    empties[0, 2] = empties[1, 4:] = 0
    empties[0, 5, 1] = 0
    plain("gqa_empty_causal_scaled", "GQA of three, causal with Lq > Lk, empty heads and rows, scale 0.37", 2, 6, 2, 4, 3, 3,
          2, mask=flags(empties), causal=True, scale=0.37, gradients=True)
    plain("gqa_decode", "one query row, Hq = 8, Hkv = 2", 2, 8, 2, 1, 9, 4, 3, causal=True, gradients=True)

    # Lengths.
    for lq, lk, causal in ((1, 1, False), (1, 2, False), (2, 1, True), (2, 3, True), (3, 31, False), (31, 33, True),
                           (33, 31, True), (1, 127, False), (3, 127, True), (127, 3, False), (33, 127, True)):
        plain("length_%d_%d" % (lq, lk), "Lq = %d, Lk = %d%s" % (lq, lk, ", causal" if causal else ""), 1, 1, 1, lq, lk,
              3, 2, causal=causal)
    plain("length_127_127_masked", "Lq = Lk = 127, causal, a mask of keys", 1, 1, 1, 127, 127, 2, 2, causal=True,
          mask=lambda draw: draw.mask(1, 1, 1, 127, density=0.8))

    # Views.
    name, draw = "view_heads_inside", Draw("view_heads_inside")
    add(name, "all three lie in memory as (B, L, H, D)",
        draw.memory_order((2, 3, 4, 3), (0, 2, 1, 3)), draw.memory_order((2, 3, 5, 3), (0, 2, 1, 3)),
        draw.memory_order((2, 3, 5, 2), (0, 2, 1, 3)), gradients=True)
    name, draw = "view_transposed", Draw("view_transposed")
    add(name, "k and v lie as (B, H, D, L), q as (D, L, H, B), the mask as (Lk, Lq, H, B)",
        draw.memory_order((2, 2, 3, 3), (3, 2, 1, 0)), draw.memory_order((2, 2, 3, 3), (0, 1, 3, 2)),
        draw.memory_order((2, 2, 3, 3), (0, 1, 3, 2)),
        mask=Input(draw.mask(3, 3, 2, 2).storage, "bool", (2, 2, 3, 3), (1, 2, 4, 12)))
    name, draw = "view_repeated", Draw("view_repeated")
    add(name, "stride 0: q over heads, k over batch, v over batch and heads, the mask (extents in full) over heads and rows",
        draw.repeated((2, 2, 3, 3), {1}), draw.repeated((2, 2, 4, 3), {0}), draw.repeated((2, 2, 4, 2), {0, 1}),
        mask=draw.repeated((2, 2, 3, 4), {1, 2}, dtype="bool"), gradients=True)
    name, draw = "view_all_strides_0", Draw("view_all_strides_0")
    add(name, "q is one number with all strides 0; v repeats over its keys",
        draw.repeated((2, 2, 3, 4), {0, 1, 2, 3}), draw.normal(2, 2, 3, 4), draw.repeated((2, 2, 3, 2), {2}))
    name, draw = "view_stepped", Draw("view_stepped")
    add(name, "offsets, a step of 2 or 3 in the last axis and gaps between rows",
        draw.stepped((2, 2, 3, 3), (48, 21, 7, 2), 5), draw.stepped((2, 2, 4, 3), (96, 41, 10, 3), 1),
        draw.stepped((2, 2, 4, 2), (40, 19, 4, 2), 2),
        mask=Input(draw.mask(2, 1, 7, 9).storage, "bool", (2, 1, 3, 4), (63, 0, 18, 2), 10))
    name, draw = "view_overlapping", Draw("view_overlapping")
    series = draw.values(24)
    add(name, "k and v are windows sliding over one series: rows overlap (k[j, d] = x[j + d])",
        draw.normal(1, 2, 3, 4), Input(series, "float32", (1, 2, 6, 4), (0, 9, 1, 1), 2),
        Input(series, "float32", (1, 2, 6, 3), (0, 5, 2, 1), 0), causal=True)
    name, draw = "view_packed_gqa_decode", Draw("view_packed_gqa_decode")
    packed = draw.values(2 * 7 * 2 * 2 * 3)  # (B, capacity 7, k or v, Hkv 2, D 3)
    add(name, "decode from one packed cache (B, capacity, k|v, Hkv, D), five of seven slots in use; Hq = 4, Hkv = 2",
        draw.memory_order((2, 4, 1, 3), (2, 0, 1, 3)), Input(packed, "float32", (2, 2, 5, 3), (84, 3, 12, 1), 0),
        Input(packed, "float32", (2, 2, 5, 3), (84, 3, 12, 1), 6), gradients=True)

    # Half storage: inputs are rounded to it, the output is the exact one (float64) for them.
    for dtype in ("float16", "bfloat16"):
        plain(dtype, dtype + " inputs", 2, 2, 2, 4, 6, 5, 3, dtype=dtype, gradients=True)
        plain(dtype + "_gqa_causal", dtype + " inputs, GQA, causal with Lq > Lk, large logits", 1, 4, 2, 5, 4, 3, 2,
              dtype=dtype, spread=8.0, causal=True)
    return vectors


# ----------------------------------------------------------------------------------------------------------------
# ONNX: the node tests of operator Attention, with the inputs and outputs that the onnx package itself makes.
# ----------------------------------------------------------------------------------------------------------------


def onnx_tolerance(q, k, v, allowed, scale, dtype):
    """First-order worst case of onnx's reference, which computes in the dtype of its inputs (u: unit roundoff).

    A logit: sqrt(scale) rounded twice, q and k scaled, D products and D - 1 sums: u (D + 4) sum|scale q k|; then the
    subtraction of the maximum, u |s - m|, and exp, at most 6 u. Sum over n keys, division, product with v and its sum: 2 n u.
    """
    u = {"float32": 2.0**-24, "float16": 2.0**-11}[dtype]
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    s = np.where(allowed, scale * np.einsum("bhid,bhjd->bhij", q, k), -np.inf)
    a = abs(scale) * np.einsum("bhid,bhjd->bhij", abs(q), abs(k))
    m = np.max(s, axis=-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    e = np.exp(s - m)
    p = e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)
    theta = np.expm1(u * ((q.shape[3] + 4) * a + np.where(allowed, abs(s - m), 0) + 6))
    out = p @ v
    spread = np.einsum("bhij,bhijd->bhid", p * theta, abs(v[:, :, None] - out[:, :, :, None]))
    tiny = {"float32": 2.0**-126, "float16": 2.0**-24}[dtype]
    return float((spread + 2 * k.shape[2] * u * (p @ abs(v))).max() + k.shape[2] * tiny)


def onnx_vectors():
    import onnx
    import torch
    from onnx.backend.test.case.node import collect_testcases

    vectors = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other operators' tests overflow on purpose
        tests = collect_testcases("Attention")
    for test in tests:
        node = test.model.graph.node[0]
        if node.op_type != "Attention" or list(node.output) != ["Y"]:
            continue  # the expanded function, or outputs besides Y
        if list(node.input) not in (["Q", "K", "V"], ["Q", "K", "V", "attn_mask"]):
            continue  # a cache, or padded keys
        attributes = {a.name: a.f if a.type == a.FLOAT else a.i for a in node.attribute}  # numbers, as kept below
        if not set(attributes) <= {"is_causal", "scale"}:
            continue  # softcap, windows, 3-D inputs, softmax precision
        (inputs, outputs), = test.data_sets
        q, k, v = inputs[:3]
        mask = inputs[3] if len(inputs) == 4 else None
        if q.ndim != 4 or str(q.dtype) not in ("float32", "float16") or (mask is not None and mask.dtype != bool):
            continue
        dtype, lq, lk = str(q.dtype), q.shape[2], k.shape[2]
        scale = attributes.get("scale")
        causal = bool(attributes.get("is_causal", 0))
        why = "ONNX node test, output computed in " + dtype
        if mask is not None:
            mask = mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
        if causal and lq != lk:  # without a cache ONNX's is_causal is top-left, ours bottom-right
            lower = np.tril(np.ones((1, 1, lq, lk), dtype=bool))
            mask = lower if mask is None else mask & lower
            causal = False
            why += "; its top-left is_causal is written out as the mask"
        wide = [np.asarray(x, dtype=np.float64) for x in (q, k, v)]
        allowed = np.ones((q.shape[0], q.shape[1], lq, lk), dtype=bool) if mask is None else mask
        if causal:
            allowed = allowed & np.tril(np.ones((lq, lk), dtype=bool))
        allowed = np.broadcast_to(allowed, (q.shape[0], q.shape[1], lq, lk))
        tolerance = onnx_tolerance(*wide, allowed, 1 / math.sqrt(q.shape[3]) if scale is None else scale, dtype)
        judge = torch_attention(*(torch.tensor(x) for x in wide), torch.tensor(allowed.copy()), False, scale).numpy()
        off = np.abs(judge - outputs[0].astype(np.float64)).max()
        if not off <= tolerance:
            raise SystemExit("%s: onnx and torch differ by %g, more than %g" % (test.name, off, tolerance))
        vectors.append({
            "name": test.name, "why": why, "causal": causal, "scale": scale,
            "q": numbers(q, dtype).json(), "k": numbers(k, dtype).json(), "v": numbers(v, dtype).json(),
            "mask": None if mask is None else flags(mask).json(), "out": dense(outputs[0]),
            "out_tolerance": float("%.2g" % (1.05 * tolerance))})
    return vectors


def write(path, vectors):
    import onnx
    import torch

    assert len({v["name"] for v in vectors}) == len(vectors)
    made_with = {"torch": torch.__version__, "onnx": onnx.__version__, "numpy": np.__version__}

    def compact(value):
        return json.dumps(value, separators=(",", ":"), allow_nan=False)

    lines = ",\n".join(compact(v) for v in vectors)
    path.write_text('{"made_with":%s,"vectors":[\n%s\n]}\n' % (compact(made_with), lines), encoding="ascii")
    print("%s: %d vectors, %d bytes" % (path.name, len(vectors), path.stat().st_size))


# ----------------------------------------------------------------------------------------------------------------
# --verify: another attention, by loops over the definition. It shares nothing with the code above.
# ----------------------------------------------------------------------------------------------------------------


def read_view(t, problems):
    data = np.array(t["data"], dtype=np.float64)
    kind = t["dtype"]
    if kind == "bool":
        exact = np.isin(data, (0.0, 1.0)).all()
    elif kind == "float16":
        exact = np.array_equal(data.astype(np.float16).astype(np.float64), data)
    else:
        single = data.astype(np.float32)
        exact = np.array_equal(single.astype(np.float64), data)
        if kind == "bfloat16":
            exact = exact and not (single.view(np.uint32) & 0xFFFF).any()
    if not exact:
        problems.append("storage not exact in " + kind)
    result = np.zeros(t["extents"])
    for at in np.ndindex(*t["extents"]):
        result[at] = data[t["offset"] + sum(i * s for i, s in zip(at, t["strides"]))]
    return result


def read_dense(t):
    return np.array(t["data"], dtype=np.float64).reshape(t["extents"])


def by_definition(q, k, v, mask, causal, scale, dout):
    """out, dq, dk, dv, and which rows have nothing to attend, one row at a time."""
    B, Hq, Lq, D = q.shape
    Hkv, Lk, Dv = v.shape[1:]
    factor = D**-0.5 if scale is None else scale
    out = np.zeros((B, Hq, Lq, Dv))
    grads = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    empty = np.zeros((B, Hq, Lq), dtype=bool)
    for b, h, i in np.ndindex(B, Hq, Lq):
        g = h // (Hq // Hkv)
        keys = [j for j in range(Lk) if not (causal and j > i + Lk - Lq) and (mask is None or mask[
            min(b, mask.shape[0] - 1), min(h, mask.shape[1] - 1), min(i, mask.shape[2] - 1), min(j, mask.shape[3] - 1)])]
        if not keys:
            empty[b, h, i] = True
            continue
        s = [factor * math.fsum(q[b, h, i] * k[b, g, j]) for j in keys]
        e = [math.exp(x - max(s)) for x in s]
        p = [x / math.fsum(e) for x in e]
        out[b, h, i] = [math.fsum(w * v[b, g, j, c] for w, j in zip(p, keys)) for c in range(Dv)]
        if dout is not None:
            do = dout[b, h, i]
            dp = [math.fsum(do * v[b, g, j]) for j in keys]
            mean = math.fsum(w * x for w, x in zip(p, dp))
            for w, x, j in zip(p, dp, keys):
                ds = factor * w * (x - mean)
                grads[0][b, h, i] += ds * k[b, g, j]
                grads[1][b, g, j] += ds * q[b, h, i]
                grads[2][b, g, j] += w * do
    return out, grads, empty


def verify():
    failed = 0
    for file, limit in (("torch.json", 1e-12), ("onnx.json", None)):
        document = json.loads((HERE / file).read_text(encoding="ascii"))
        worst = {"out": (0.0, "-"), "gradients": (0.0, "-"), "share of out_tolerance": (0.0, "-")}

        def note(what, value, name):
            worst[what] = max(worst[what], (float(value), name))

        for vector in document["vectors"]:
            name, problems = vector["name"], []
            q, k, v = (read_view(vector[x], problems) for x in "qkv")
            mask = None if vector["mask"] is None else read_view(vector["mask"], problems)
            if mask is not None and any(e not in (1, full) for e, full in zip(mask.shape, q.shape[:3] + k.shape[2:3])):
                problems.append("mask extents")
            dout = read_dense(vector["dout"]) if "dout" in vector else None
            out, grads, empty = by_definition(q, k, v, mask, vector["causal"], vector["scale"], dout)
            golden = read_dense(vector["out"])
            if golden.shape != out.shape or not np.isfinite(golden).all():
                problems.append("out has the wrong shape or is not finite")
            elif golden[empty].any():
                problems.append("a row with nothing to attend is not 0")
            else:
                off = np.abs(golden - out).max(initial=0)
                note("out", off, name)
                if limit is None:
                    note("share of out_tolerance", off / vector["out_tolerance"], name)
                if not off <= (vector["out_tolerance"] if limit is None else limit):
                    problems.append("out off by %g" % off)
            if dout is not None:
                for field, own in zip(("dq", "dk", "dv"), grads):
                    theirs = read_dense(vector[field])
                    off = np.abs(theirs - own).max(initial=0) / max(1.0, np.abs(own).max(initial=0))
                    note("gradients", off, name)
                    if theirs.shape != own.shape or not off <= limit:
                        problems.append("%s off by %g" % (field, off))
            failed += bool(problems)
            for problem in problems:
                print("%s: %s: %s" % (file, name, problem))
        print("%s: %d vectors, made with %s" % (file, len(document["vectors"]), document["made_with"]))
        for what, (value, name) in worst.items():
            if name != "-":
                print("  largest deviation, %s: %.3g (%s)" % (what, value, name))
    print("verified" if not failed else "%d vectors failed" % failed)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verify", action="store_true", help="check the files instead of writing them")
    if parser.parse_args().verify:
        return verify()
    import torch

    torch.set_num_threads(1)
    write(HERE / "torch.json", torch_vectors())
    write(HERE / "onnx.json", onnx_vectors())
    return 0


if __name__ == "__main__":
    sys.exit(main())
