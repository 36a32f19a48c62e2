"""What an exception is told as: its text and the lines of the attempt that it came through."""

sources = {}  # by file name
MOST = 4


def told(error):
    """The name of its type and its text, with the place; further lines are the frames, innermost first."""
    kind = type(error).__name__
    if isinstance(error, SystemExit):
        code = error.code
        return kind, f"sys.exit({'' if code is None else code}) before it had answered: return instead" + places(error)
    if isinstance(error, MemoryError):
        return kind, str(error)
    text = str(error).split("\n")[0]
    if isinstance(error, KeyError):
        text = f"no key {text}"
    return kind, text + places(error)


def places(error):
    frames = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in sources:
            frames.append((code.co_filename, step.tb_lineno, code.co_name))
        step = step.tb_next
    if not frames:
        return ""
    frames.reverse()
    lines = [described(*frame) for frame in frames[:MOST]]
    if len(frames) > MOST:
        lines.append(f"... {len(frames) - MOST} more")
    return "\n" + "\n".join(lines)


def described(file, line, function):
    text = sources[file].split("\n")
    shown = text[line - 1].strip() if 0 < line <= len(text) else ""
    where = f"{file}:{line}" if function == "<module>" else f"{file}:{line} in {function}"
    return f"{where}: {shown}" if shown else where
