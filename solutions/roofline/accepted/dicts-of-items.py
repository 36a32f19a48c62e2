"""Plain Python: results are dicts of the items, and invalid input gives an empty one."""

import math
from copy import copy

from contract import option, reduction, resource


def is_rate(x):
    return math.isfinite(x) and x > 0


def is_latency(x):
    return math.isfinite(x) and x >= 0


def is_valid(layer, gpu, wires=None, kind=None):
    return (
        layer.tokens >= 0
        and min(layer.d_model, layer.hidden, layer.gpus) >= 1
        and all(map(is_rate, (gpu.dense_tflops, gpu.sparse_tflops, gpu.memory_tb, gpu.link_gb)))
        and (wires is None or wires.gpus_per_node >= 1 and is_rate(wires.network_gbit))
        and (wires is None or is_latency(wires.link_latency) and is_latency(wires.network_latency))
        and (kind is None or kind.bytes_per_element >= 1)
    )


def longest(compute, memory, network):
    if compute >= memory and compute >= network:
        return resource.compute
    return resource.memory if memory >= network else resource.network


def sizes(layer):
    return float(layer.tokens), float(layer.d_model), float(layer.hidden), float(layer.gpus)


def ring_share(n):
    return 2 * (n - 1) / n


def count(layer, gpu):
    if not is_valid(layer, gpu):
        return {}
    T, d, f, n = sizes(layer)
    c = {"peak_flops": gpu.dense_tflops * 1e12, "hbm_bw": gpu.memory_tb * 1e12, "link_bw": gpu.link_gb * 1e9 / 2}
    c["flops"] = 2 * (2 * T * d * f)
    c["weight_bytes"] = 2 * d * f * 2
    c["activation_bytes"] = T * (2 * d + f) * 2
    c["network_bytes"] = ring_share(n) * T * d * 2
    c["t_compute"] = c["flops"] / n / c["peak_flops"]
    c["t_memory"] = (c["weight_bytes"] / n + c["activation_bytes"]) / c["hbm_bw"]
    c["t_network"] = c["network_bytes"] / c["link_bw"]
    times = c["t_compute"], c["t_memory"], c["t_network"]
    c["time"] = max(times)
    c["binds"] = longest(*times)
    return c


def cross(layer, gpu, bytes_per_element):
    if not is_valid(layer, gpu) or bytes_per_element < 1:
        return {}
    T, d, f, n = sizes(layer)
    b = float(bytes_per_element)
    ridge = gpu.dense_tflops / gpu.memory_tb
    intensity = (4 * T * d * f / n) / (2 * d * f * b / n + T * (2 * d + f) * b)
    weight_tokens = ridge * b / 2
    share = weight_tokens * n * (2 * d + f) / (2 * d * f)
    crossover = weight_tokens / (1 - share) if share < 1 else math.inf
    return {
        "ridge": ridge,
        "intensity": intensity,
        "binds": resource.compute if intensity >= ridge else resource.memory,
        "weight_tokens": weight_tokens,
        "activation_share": share,
        "crossover": crossover,
        "least_tokens": math.ceil(crossover) if share < 1 else math.inf,
    }


def model(layer, gpu, wires, kind):
    T, d, f, n = sizes(layer)
    b = float(kind.bytes_per_element)
    matrices = 3 if kind.gated else 2
    edges = 3 if kind.gated and not kind.fused else 2
    hiddens = 0 if kind.fused else 4 if kind.gated else 2
    beyond = layer.gpus > wires.gpus_per_node
    r = {"flops": matrices * 2 * T * d * f}
    r["weight_bytes"] = matrices * d * f * b / n
    r["edge_bytes"] = edges * T * d * b
    r["hidden_bytes"] = hiddens * T * f * b / n
    r["network_bytes"] = ring_share(n) * T * d * b
    r["ring_bw"] = wires.network_gbit * 1e9 / 8 if beyond else gpu.link_gb * 1e9 / 2
    r["steps"] = 2 * (n - 1)
    r["t_compute"] = r["flops"] / n / (gpu.dense_tflops * 1e12)
    r["t_memory"] = (r["weight_bytes"] + r["edge_bytes"] + r["hidden_bytes"]) / (gpu.memory_tb * 1e12)
    latency = wires.network_latency if beyond else wires.link_latency
    r["t_network"] = r["network_bytes"] / r["ring_bw"] + r["steps"] * latency
    r["time"] = max(r["t_compute"], r["t_memory"]) + r["t_network"]
    r["binds"] = longest(r["t_compute"], r["t_memory"], r["t_network"])
    return r


def refine(layer, gpu, wires, kind):
    return model(layer, gpu, wires, kind) if is_valid(layer, gpu, wires, kind) else {}


def changed(record, **fields):
    other = copy(record)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def largest_group(layer, gpu, wires, kind, share):
    if not is_valid(layer, gpu, wires, kind) or not 0 < share < 1:
        return {}
    before = model(changed(layer, gpus=1), gpu, wires, kind)["time"]
    found = {"time_one": before, "size": 0}
    for n in range(2, layer.gpus + 1):
        at = model(changed(layer, gpus=n), gpu, wires, kind)["time"]
        if at <= (1 - share) * before:
            found.update(size=n, time_before=before, time_at=at)
        before = at
    return found


def meeting(slope, ahead, other_slope):
    return ahead / (slope - other_slope) if slope > other_slope else math.inf


def least_batch(layer, gpu, wires, kind):
    if not is_valid(layer, gpu, wires, kind):
        return {}
    none = model(changed(layer, tokens=0), gpu, wires, kind)
    one = model(changed(layer, tokens=1), gpu, wires, kind)
    activations = (one["edge_bytes"] + one["hidden_bytes"]) / (gpu.memory_tb * 1e12)
    memory = meeting(one["t_compute"], none["t_memory"], activations)
    network = meeting(one["t_compute"], none["t_network"], one["network_bytes"] / one["ring_bw"])
    last = max(memory, network)
    return {
        "memory_tokens": memory,
        "network_tokens": network,
        "tokens": max(1.0, math.ceil(last)) if math.isfinite(last) else math.inf,
    }


def what_to_double(layer, gpu, wires, kind):
    if not is_valid(layer, gpu, wires, kind):
        return {}
    as_it_is = model(layer, gpu, wires, kind)["time"]
    faster = changed(wires, network_gbit=2 * wires.network_gbit)
    times = [
        model(layer, changed(gpu, dense_tflops=2 * gpu.dense_tflops), wires, kind)["time"],
        model(layer, changed(gpu, memory_tb=2 * gpu.memory_tb), wires, kind)["time"],
        model(layer, changed(gpu, link_gb=2 * gpu.link_gb), faster, kind)["time"],
        model(changed(layer, gpus=2 * layer.gpus), gpu, wires, kind)["time"],
    ]
    best, shortest = option.none, as_it_is
    for which, time in zip((option.peak, option.memory, option.link, option.gpus), times):
        if time < shortest:
            best, shortest = which, time
    names = ("time_peak", "time_memory", "time_link", "time_gpus")
    return {"time": as_it_is, **dict(zip(names, times)), "best": best, "halves": shortest <= as_it_is / 2}


def reduce(layer, gpu, wires, kind):
    if not is_valid(layer, gpu, wires, kind) or layer.gpus > wires.gpus_per_node:
        return {}
    ring = model(layer, gpu, wires, kind)
    T, d, _, n = sizes(layer)
    found = {"ring_bytes": ring["network_bytes"], "t_ring": ring["t_network"]}
    if n == 1:
        return {**found, "switch_bytes": 0.0, "t_switch": 0.0, "best": reduction.none}
    switch_bytes = (n + 1) / n * (T * d * kind.bytes_per_element)
    t_switch = switch_bytes / ring["ring_bw"] + 2 * wires.link_latency
    best = reduction.in_switch if t_switch < found["t_ring"] else reduction.ring
    return {**found, "switch_bytes": switch_bytes, "t_switch": t_switch, "best": best}
