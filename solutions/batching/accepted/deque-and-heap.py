"""Plain Python: a deque of waiting requests, groups to be tried again before them, and a heap of slots."""

import heapq
from collections import deque

from contract import answer, batcher, capacity, choice, decision, ending, generation, never, percentiles

SECOND = 10**9


def plan(s):
    ranges = [
        (s.batch, 1, SECOND),
        (s.batch_time, 1, 3600 * SECOND),
        (s.wait, 0, 10**15),
        (s.rate, 0, 10**6),
        (s.memory, 0, 10**15),
        (s.weights, 0, 10**15),
        (s.request_bytes, 1, 10**15),
    ]
    if not all(low <= value <= high for value, low, high in ranges):
        return capacity()
    c = capacity(throughput=s.batch * SECOND / s.batch_time, latency=(s.wait + s.batch_time) / SECOND)
    c.replicas = s.rate * s.batch_time // (s.batch * SECOND) + 1
    c.utilisation = s.rate / (c.replicas * c.throughput)
    c.largest_batch = max(0, s.memory - s.weights) // s.request_bytes
    c.largest_throughput = c.largest_batch * SECOND / s.batch_time
    return c


class Queue(batcher):
    def __init__(self, settings, budget):
        self.settings, self.budget = settings, budget
        self.waiting = deque()  # (request, length, arrival)
        self.again = deque()
        self.flight = []

    def on_arrival(self, now, request, length, batch):
        if len(self.waiting) == self.settings.queue:
            return decision(reject=True)
        self.waiting.append((request, length, now))
        return self.next(batch)

    def on_completion(self, now, how, answers, given_up, batch):
        flight, self.flight = self.flight, []
        if how == ending.done:
            for row, (request, _, _) in enumerate(flight):
                answers.push(answer(row, request))
        elif how == ending.accelerator_lost:
            self.again.appendleft(flight)
        elif len(flight) == 1:
            given_up.push(flight[0][0])
        else:
            half = len(flight) // 2
            self.again.extendleft((flight[half:], flight[:half]))
        return self.next(batch)

    def on_timer(self, now, batch):
        if not self.flight and self.waiting and now >= self.due():
            return self.launch(self.take(), batch)
        return self.next(batch)

    def due(self):
        return self.waiting[0][2] + self.settings.timeout

    def fitting(self):
        """How many of those at the front go together, and whether one more would not."""
        longest = 0
        for count, (_, length, _) in enumerate(self.waiting):
            longest = max(longest, length)
            if count == self.settings.max_batch or (self.budget is not None and (count + 1) * longest > self.budget):
                return count, True
        return len(self.waiting), len(self.waiting) == self.settings.max_batch

    def take(self):
        return [self.waiting.popleft() for _ in range(self.fitting()[0])]

    def next(self, batch):
        if self.flight:
            return decision()
        if self.again:
            return self.launch(self.again.popleft(), batch)
        if not self.waiting:
            return decision(wake=never)
        if self.fitting()[1]:
            return self.launch(self.take(), batch)
        return decision(wake=self.due())

    def launch(self, members, batch):
        for request, _, _ in members:
            batch.push(request)
        self.flight = members
        return decision(fire=True, wake=never)


def make_batcher(s):
    return Queue(s, None)


def make_resilient_batcher(s):
    return Queue(s, s.token_budget)


def serve(arrivals, max_batch, timeout, batch_time):
    latencies, batches, free, head = [], 0, 0, 0
    while head < len(arrivals):
        ready = arrivals[head] + timeout
        if head + max_batch <= len(arrivals):
            ready = min(ready, arrivals[head + max_batch - 1])
        fired = max(free, ready)
        free = fired + batch_time
        last = min(head + max_batch, len(arrivals))
        while head < last and arrivals[head] <= fired:
            latencies.append(free - arrivals[head])
            head += 1
        batches += 1
    return latencies, batches


def percentile(ordered, p):
    return ordered[-(-p * len(ordered) // 100) - 1]


def load_test(arrivals, max_batch, timeout, batch_time, latencies):
    found, batches = serve(arrivals.tolist(), max_batch, timeout, batch_time)
    latencies[...] = found
    ordered = sorted(found)
    p50, p95, p99 = (percentile(ordered, p) for p in (50, 95, 99))
    return percentiles(p50, p95, p99, ordered[-1], sum(found) / len(found), batches)


def best_timeout(arrivals, timeouts, max_batch, batch_time, slo):
    best = choice(-1, -1, -1)
    arrivals = arrivals.tolist()
    for timeout in timeouts:
        latencies, batches = serve(arrivals, max_batch, timeout, batch_time)
        p99 = percentile(sorted(latencies), 99)
        if p99 <= slo and (best.timeout < 0 or batches < best.batches):
            best = choice(timeout, p99, batches)
    return best


def compare(lengths, slots):
    lengths = lengths.tolist()
    whole, answered = 0, 0
    for start in range(0, len(lengths), slots):
        together = lengths[start : start + slots]
        whole += max(together)
        answered += len(together) * whole
    free = [0] * min(slots, len(lengths))
    ends = []
    for length in lengths:
        ends.append(free[0] + length)
        heapq.heapreplace(free, ends[-1])
    tokens, steps = sum(lengths), max(ends)
    return generation(
        tokens=tokens,
        whole_steps=whole,
        whole_utilisation=tokens / (slots * whole),
        whole_mean=answered / len(lengths),
        per_step_steps=steps,
        per_step_utilisation=tokens / (slots * steps),
        per_step_mean=sum(ends) / len(ends),
        speedup=whole / steps,
    )
