"""Times torch's scaled_dot_product_attention at the sizes of times_attention.cu, the same way: events, fresh inputs, a
flushed L2 cache, the median of n. Prints lines "d causal length milliseconds"."""

import statistics
import sys

import torch
from torch.nn.functional import scaled_dot_product_attention

HEADS, QUERIES = 8, 16384


def median_ms(d: int, causal: bool, length: int, samples: int) -> float:
    size = max(4 * getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0), 64 << 20)
    flush = torch.empty(size, dtype=torch.uint8, device="cuda")
    shape = (QUERIES // length, HEADS, length, d)
    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    times = []
    for n in range(samples + 2):
        q, k, v = (torch.rand(*shape, device="cuda").mul_(4).sub_(2).half() for _ in range(3))
        flush.fill_(n % 256)
        before.record()
        scaled_dot_product_attention(q, k, v, is_causal=causal)
        after.record()
        after.synchronize()
        times.append(before.elapsed_time(after))
    return statistics.median(times[2:])


def main() -> int:
    if not torch.cuda.is_available():
        print("torch finds no GPU here: run it on a machine that has one", file=sys.stderr)
        return 3
    for d in (64, 128):
        for causal in (False, True):
            length = 1024
            while length <= QUERIES:
                print(d, int(causal), length, median_ms(d, causal, length, 15), flush=True)
                length *= 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
