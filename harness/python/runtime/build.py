"""Compiles an attempt, its modules and the worker to one file that a worker starts from. Run in the build's folder:

    python3 -I runtime/build.py NAME    reads attempt/*.py, runtime/, contract.py and contract.json; writes made/bundle

Says what of the attempt does not compile, as a compiler does, and ends with FAULTY. Nothing of the attempt is run."""

import json
import marshal
import os
import sys

FAULTY = 10  # an error of our own ends with 1

def read(path):
    with open(path, "rb") as file:
        return file.read()


def files(folder):
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        if os.path.isdir(path):
            for inner in files(path):
                yield f"{entry}/{inner}"
        elif entry.endswith(".py"):
            yield entry


def module_name(file):
    name = file[: -len(".py")].replace("/", ".")
    return name[: -len(".__init__")] if name.endswith(".__init__") else name


def complain(error, name):
    """In a compiler's form; without a traceback, whose frames would be ours."""
    if not isinstance(error, SyntaxError):
        return f"{name}: error: {str(error) or 'it is nested too deeply'}"
    place = f"{name}:{error.lineno}" if error.lineno else name
    lines = [f"{place}: error: {error.msg}"]
    if error.text and len(error.text) < 200:
        text = error.text.rstrip("\n")
        lines.append("    " + text.lstrip())
        column = (error.offset or 1) - 1 - (len(text) - len(text.lstrip()))
        if 0 <= column <= len(text):
            lines.append("    " + " " * column + "^")
    return "\n".join(lines)


def main(name):
    sys.stdout.reconfigure(errors="backslashreplace")
    codes, sources, wrong = {}, {}, []
    for file in files("attempt"):
        raw = read(os.path.join("attempt", file))
        try:
            codes[file] = compile(raw, file, "exec", dont_inherit=True)
            marshal.dumps(codes[file])
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            wrong.append(complain(error, file))
        sources[file] = raw.decode("utf-8", "replace")
    if wrong:
        print("\n".join(wrong))
        return FAULTY
    modules = {module_name(file): code for file, code in codes.items() if file != name}
    modules["contract"] = compile(read("contract.py"), "contract.py", "exec", dont_inherit=True)
    for file in files("runtime"):
        if "/" in file:
            modules[module_name(file)] = compile(read(f"runtime/{file}"), f"assay:{file}", "exec", dont_inherit=True)
    bundle = {
        "name": name,
        "attempt": codes[name],
        "modules": modules,
        "sources": sources,
        "contract": json.loads(read("contract.json")),
    }
    boot = compile(read("runtime/boot.py"), "assay:boot.py", "exec", dont_inherit=True)
    with open("made/bundle", "wb") as file:
        marshal.dump((boot, bundle), file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
