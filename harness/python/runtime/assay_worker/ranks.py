"""Runs a ranked function once on each rank of a group, as harness/worker/ranks.cpp does: one thread a rank, of which one
runs at a time; collectives are where they meet, and a ring's bytes are counted."""

import _thread

from assay.storage import as_float32
from assay.tensor import Tensor
from assay_worker import wire


class CollectiveError(Exception):
    """The ranks' collectives do not fit together."""


class Abandoned(BaseException):
    """Thrown in the ranks that wait when another one has failed; nobody sees it."""


def is_vector(buffer):
    shape = getattr(buffer, "shape", None)
    return len(shape) == 1 if shape is not None else not (len(buffer) and hasattr(buffer[0], "__len__"))


class Part:
    """One rank's part in a collective; a vector stands as a matrix of one row."""

    def __init__(self, kind, source, target, axis):
        self.kind = kind
        vector = is_vector(source)
        if vector != is_vector(target):
            raise CollectiveError(f"{kind} is given a vector and a matrix: both have the same number of axes")
        if axis not in ((0,) if vector else (0, 1)):
            raise CollectiveError(f"a collective's axis is {'0 for a vector' if vector else '0 or 1 for a matrix'}")
        self.axis = 1 if vector else axis
        self.target = [target] if vector else target
        rows = [source] if vector else source
        self.values = [[as_float32(x) for x in row] for row in rows]
        self.extents = (len(self.values), width(rows, source))
        self.to = (1 if vector else len(target), width(self.target, target))

    def write(self, rows):
        for i, row in enumerate(rows):
            into = self.target[i]
            for j, value in enumerate(row):
                into[j] = value


def width(rows, buffer):
    shape = getattr(buffer, "shape", None)
    if shape is not None:
        return shape[-1]
    return len(rows[0]) if len(rows) else 0


class Communicator:
    """What one rank sees of its group. Buffers are tensors, lists (of lists) or numpy arrays, of float32."""

    def __init__(self, group, number):
        self._group, self._number = group, number

    def rank(self):
        return self._number

    def size(self):
        return self._group.count

    def all_reduce(self, buffer):
        self._group.meet(self._number, Part("all_reduce", buffer, buffer, 0))

    def all_gather(self, part, whole, axis=0):
        self._group.meet(self._number, Part("all_gather", part, whole, axis))

    def reduce_scatter(self, whole, part, axis=0):
        self._group.meet(self._number, Part("reduce_scatter", whole, part, axis))


class Group:
    def __init__(self, count):
        self.count = count
        self.locks = [_thread.allocate_lock() for _ in range(count)]
        self.over = _thread.allocate_lock()
        self.parts = [None] * count  # of those that wait
        self.ended = [False] * count
        self.sent = [0.0] * count
        self.collectives = [0] * count
        self.turn = 0
        self.failure = None

    def run(self, body):
        self.over.acquire()
        for lock in self.locks:
            lock.acquire()
        for rank in range(self.count):
            _thread.start_new_thread(self.live, (rank, body))
        self.locks[0].release()
        self.over.acquire()
        if self.failure is not None:
            raise self.failure

    def live(self, rank, body):
        self.locks[rank].acquire()
        if self.failure is None:
            try:
                body(Communicator(self, rank))
            except Abandoned:
                pass
            except BaseException as error:
                self.failure = self.failure or error
        self.ended[rank] = True
        self.pass_baton()

    def meet(self, rank, part):
        self.parts[rank] = part
        self.pass_baton()
        self.locks[rank].acquire()
        if self.failure is not None:
            raise Abandoned

    def pass_baton(self):
        """To the next rank that can run. Where none can, all wait or have ended: what they wait for is done."""
        if self.pick():
            return
        if all(self.ended):
            self.over.release()
            return
        if self.failure is None:
            try:
                self.perform()
            except CollectiveError as error:
                self.failure = error
        self.pick()

    def pick(self):
        for step in range(1, self.count + 1):
            rank = (self.turn + step) % self.count
            if self.ended[rank] or (self.parts[rank] is not None and self.failure is None):
                continue
            self.turn = rank
            self.locks[rank].release()
            return True
        return False

    def check(self):
        waiting = [rank for rank in range(self.count) if not self.ended[rank]]
        first = self.parts[waiting[0]]
        for rank, part in enumerate(self.parts):
            here = f"rank {waiting[0]} waits in {first.kind}, but rank {rank} "
            if self.ended[rank]:
                raise CollectiveError(here + "has returned: every rank makes the same collective calls")
            if part.kind != first.kind:
                raise CollectiveError(here + f"waits in {part.kind}: every rank makes the same collective calls")
            if (part.axis, part.extents, part.to) != (first.axis, first.extents, first.to):
                raise CollectiveError(
                    f"{first.kind} has extents {first.extents} on rank {waiting[0]} and {part.extents} on rank {rank}: "
                    "they must be equal"
                )
        return first

    def perform(self):
        first = self.check()
        gathers = first.kind == "all_gather"
        whole, part = (first.to, first.extents) if gathers else (first.extents, first.to)
        axis = first.axis
        if first.kind == "all_reduce":
            part = whole
        elif part[1 - axis] != whole[1 - axis] or part[axis] * self.count != whole[axis]:
            raise CollectiveError(
                f"{first.kind} joins {self.count} parts of extents {part} along axis {axis}, which do not make {whole}"
            )
        parts, self.parts = self.parts, [None] * self.count
        if gathers:
            if axis == 0:
                rows = [row for one in parts for row in one.values]
            else:
                rows = [[x for one in parts for x in one.values[i]] for i in range(part[0])]
        else:
            # In float64 and in order of rank, so that what is lost is lost in the attempt's own sums.
            rows = [[as_float32(sum(column)) for column in zip(*same)] for same in zip(*(one.values for one in parts))]
        for rank, one in enumerate(parts):
            if first.kind != "reduce_scatter":
                one.write(rows)
            elif axis == 0:
                one.write(rows[rank * part[0] : (rank + 1) * part[0]])
            else:
                one.write([row[rank * part[1] : (rank + 1) * part[1]] for row in rows])
            carried = 2 if first.kind == "all_reduce" else 1
            self.sent[rank] += carried * (self.count - 1) / self.count * (4 * whole[0] * whole[1])
            self.collectives[rank] += 1


def answer(function, call, nxt):
    count = nxt()
    arguments = wire.arguments(function.decoders, call, nxt)
    for argument in arguments:
        if isinstance(argument, Tensor) and argument.shape[0] != count:
            raise wire.BadMessage("a tensor has not one slice a rank")

    def body(group):
        function.target(group, *[a[group.rank()] if isinstance(a, Tensor) else a for a in arguments])

    group = Group(count)
    group.run(body)
    return b"".join(wire.number(x) for x in group.sent + [float(n) for n in group.collectives])
