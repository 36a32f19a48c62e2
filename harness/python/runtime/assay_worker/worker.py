"""The child of a Python attempt: loads it and serves contract calls until the judge closes the channel. It speaks the
protocol of harness/wire/protocol.hpp, and knows nothing of oracles, cases or verdicts.

It is started without `site` (why: harness/python/build.cpp); site-packages are looked at when a module is not found in
the standard library."""

import builtins
import faulthandler
import mmap
import posix
import sys

from assay.tensor import lent
from assay.var import tape
from assay_worker import traces, wire

CHANNEL, ARENA = 3, 4
VERSION, LONGEST = 2, 64 << 10
DONE, EXCEPTION, NO_MEMORY, BAD_MESSAGE, MISSING = range(5)


class Function:
    def __init__(self, described, attempt, types):
        self.name = described["name"]
        self.of = described["of"]
        self.ranked = described["ranked"]
        self.target = None if self.of else getattr(attempt, wire.python_name(self.name), None)
        self.decoders = [wire.decoder(spread(p["type"], self.ranked), p["name"], types) for p in described["parameters"]]
        self.result = described["result"]
        self.encode = None
        if self.result["kind"] != "object":
            self.encode = wire.encoder(self.result, self.result.get("name") or self.name, types)
        self.lists = [(i, wire.encoder(p["type"]["item"], f"an item of {p['name']}", types))
                      for i, p in enumerate(described["parameters"]) if p["type"]["kind"] == "list"]  # fmt: skip

    @property
    def there(self):
        return bool(self.of) or callable(self.target)


def spread(described, ranked):
    """Tensors of a ranked function have a leading axis over the ranks."""
    return {**described, "rank": described["rank"] + 1} if ranked and described["kind"] == "tensor" else described


class Server:
    def __init__(self, contract, attempt):
        types = sys.modules["contract"].__dict__
        self.functions = [Function(one, attempt, types) for one in contract["functions"] + contract["methods"]]
        self.destructors = len(contract["classes"])
        self.objects = {}
        self.made = 0

    def hello(self):
        flags = [one.there for one in self.functions] + [True] * self.destructors
        return wire.integer(VERSION) + wire.integer(len(flags)) + b"".join(b"\xc3" if flag else b"\xc2" for flag in flags)

    def serve(self, message):
        try:
            values = wire.read_values(message)
            nxt = iter(values).__next__
            regions = [(nxt(), nxt(), nxt(), nxt()) for _ in range(nxt())]
            index = nxt()
        except (wire.BadMessage, StopIteration, IndexError) as error:
            return reply(BAD_MESSAGE, "", str(error))
        if index >= len(self.functions):
            self.objects.pop(values[-1], None)
            return reply(DONE)
        function = self.functions[index]
        if not function.there:
            return reply(MISSING, "", function.name)
        tape.clear()
        call = wire.Call(regions, map_region)
        try:
            try:
                results = self.answer(function, call, nxt)
            finally:
                kept = let_go(call)
        except wire.BadMessage as error:
            return reply(BAD_MESSAGE, "", str(error))
        except BaseException as error:
            return reply(NO_MEMORY if isinstance(error, MemoryError) else EXCEPTION, *traces.told(error))
        if kept:
            return reply(EXCEPTION, "ValueError", "a view of a tensor outlives the call: copy what is to be kept, as "
                                                  "numpy.array(t) does and numpy.asarray(t) does not")  # fmt: skip
        if len(results) > LONGEST - 16:
            return reply(EXCEPTION, "ValueError", "it answered with longer lists than fit one answer (64 KiB)")
        return reply(DONE) + results

    def answer(self, function, call, nxt):
        if function.ranked:
            from assay_worker import ranks

            return ranks.answer(function, call, nxt)
        target = function.target
        if function.of:
            handle = nxt()
            if handle not in self.objects:
                raise wire.BadMessage("no object has this handle")
            target = getattr(self.objects[handle], wire.python_name(function.name))
        arguments = wire.arguments(function.decoders, call, nxt)
        result = target(*arguments)
        if function.encode is None:
            if result is None:
                raise TypeError(f"{function.name} returned None: it returns a {function.result['name']}")
            handle, self.made = self.made, self.made + 1
            self.objects[handle] = result
            parts = [wire.integer(handle)]
        else:
            parts = [function.encode(result)]
        for at, encode in function.lists:
            parts.append(wire.integer(len(arguments[at])))
            parts.extend(map(encode, arguments[at]))
        for made, gradients in call.gradients:
            write_gradients(made, gradients)
        return b"".join(parts)


def write_gradients(made, tensor):
    flat = iter(made)

    def fill(part):
        for i in range(part.shape[0]):
            if len(part.shape) > 1:
                fill(part[i])
            else:
                part[i] = tape.gradient(next(flat))

    fill(tensor)


def map_region(region):
    return memoryview(mmap.mmap(ARENA, region[1], offset=region[0]))


def let_go(call):
    """Ends the views of a call. True where an array of the attempt's still looks at its memory."""
    for view in reversed(call.views):
        view.release()
    if any(view() is not None for view in lent):
        import gc

        gc.collect()
    kept = any(view() is not None for view in lent)
    lent.clear()
    return kept


def reply(status, kind="", text=""):
    sys.stdout.flush()
    sys.stderr.flush()
    return wire.integer(status) + wire.text(kind, 1000) + wire.text(text, 4000)


def say(message):
    try:
        posix.write(CHANNEL, message)
    except OSError:
        posix._exit(0)


class SitePackages:
    """After all else: site-packages, by way of `site`, once."""

    def find_spec(self, name, path=None, target=None):
        if path is not None or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        import site

        site.main()
        from importlib.machinery import PathFinder

        return PathFinder.find_spec(name, path, target)


def main(bundle):
    posix.set_inheritable(CHANNEL, False)
    posix.set_inheritable(ARENA, False)
    sys.stdout.reconfigure(line_buffering=True)  # a crash should not swallow what was printed before it
    faulthandler.enable(all_threads=False)
    builtins.exit = builtins.quit = sys.exit
    sys.argv = [bundle["name"]]
    traces.sources.update(bundle["sources"])
    sys.meta_path.append(SitePackages())
    attempt = type(sys)("attempt")
    attempt.__file__ = bundle["name"]
    sys.modules["attempt"] = attempt
    try:
        import contract  # noqa: F401, what the attempt's own import gives it

        exec(bundle["attempt"], attempt.__dict__)
        server = Server(bundle["contract"], attempt)
    except BaseException as error:
        kind, text = traces.told(error)
        say(wire.integer(VERSION) + b"\xff" + wire.text(f"{kind}: {text}" if text else kind, 4000))
        posix._exit(0)
    sys.stdout.flush()
    say(server.hello())
    while True:
        message = posix.read(CHANNEL, LONGEST)
        if not message:
            posix._exit(0)  # nothing of the attempt's runs at its end: it is done
        say(server.serve(message))
