#!/usr/bin/env python3
"""Small vocabularies with the spelling conventions of two tokenisers.

    python make_vocabulary.py            writes gpt2_style.txt and sentencepiece_style.txt beside this file
    python make_vocabulary.py --verify   checks that the files are what this script writes

One piece a line, UTF-8; its id is its line number, counted from 0. The pieces are ours; the conventions are theirs.
See README.md.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Words of the exercise, in the casings that large vocabularies hold; a few are left out on purpose (no "FALSE").
LABELS = ["yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false", "False", "A", "B", "C", "D", "a", "b"]
BARE_ONLY = ["nope", "YEs", "tRue"]
MARKED_ONLY = ["maybe", "Maybe", "entail", "Entail", "contra", "positive", "negative"]
LONGER = ["Yesterday", "yesterday", "nothing", "Nothing", "none", "note", "truest", "falsely", "About", "Be", "An"]
PARTS = ["ye", "tr", "fal", "en", "ent", "Ent", "ail", "ment", "con", "cont", "tra", "dict", "ion", "pos", "it", "ive",
         "neg", "un", "sure", "the", "of", "and", "ing", "er"]


def byte_symbols():
    """GPT-2's alphabet: printable bytes stand for themselves, the others for U+0100 onwards, in order."""
    printable = list(range(0x21, 0x7F)) + list(range(0xA1, 0xAD)) + list(range(0xAE, 0x100))
    symbol = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in symbol:
            symbol[byte] = chr(0x100 + len(symbol) - len(printable))
    return [symbol[byte] for byte in printable] + [symbol[byte] for byte in range(256) if byte not in printable]


def words(mark):
    pieces = []
    for word in LABELS:
        pieces += [word, mark + word]
    pieces += BARE_ONLY
    pieces += [mark + word for word in MARKED_ONLY]
    for word in LONGER:
        pieces += [word, mark + word]
    pieces += PARTS
    pieces += [mark + part for part in PARTS[:12]]
    pieces += [mark * 2, mark * 4, mark * 2 + "the"]
    return pieces


def once(pieces):
    return list(dict.fromkeys(pieces))


def gpt2_style():
    return once(byte_symbols() + words("\u0120") + ["\u010a", "<|endoftext|>"])


def sentencepiece_style():
    control = ["<unk>", "<s>", "</s>"] + ["<0x%02X>" % byte for byte in range(256)]
    letters = [chr(c) for c in range(0x21, 0x7F)]
    return once(control + words("\u2581") + ["\u2581"] + letters)


def main():
    wrong = 0
    for name, pieces in (("gpt2_style", gpt2_style()), ("sentencepiece_style", sentencepiece_style())):
        assert all(piece and "\n" not in piece for piece in pieces)
        path, text = HERE / (name + ".txt"), "\n".join(pieces) + "\n"
        if "--verify" in sys.argv[1:]:
            wrong += path.read_text(encoding="utf-8") != text
        else:
            path.write_text(text, encoding="utf-8")
        print("%s: %d pieces" % (path.name, len(pieces)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
