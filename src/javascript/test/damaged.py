"""Print damaged documents and position lines with the results of reading them in Python.

``python src/javascript/test/damaged.py COUNT SEED`` prints a JSON array per line: the kind of text,
the text, a verdict, and a result.  For ``read``, the result is the value, serialised again.  For
``refused``, it is the error message.  The verdict ``impossible`` means that the text is well-formed
but its value cannot occur in a game; the JavaScript package need not detect this.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator

import valletta_rules as vr
from spec.checks.corruption import Pick, corpus, damaged
from valletta_rules.codec import Misfit

LINE_MARKS = "0123456789-+gwsb/,:|=% `\t\x1c\x85\ufeff\u2003AaZz"
"""The characters that are inserted into position lines to damage them."""


def read(text: str) -> tuple[str, str]:
    """Return the verdict on a document, and either the rewritten document or the error message."""
    try:
        return "read", vr.to_json(vr.from_json(text))
    except vr.CodecError as error:
        return ("refused" if error.code in {*Misfit} else "impossible"), str(error)


def read_line(text: str) -> tuple[str, str]:
    """Return the verdict on a position line, and either the rewritten line or the error message.

    Unlike `read`, it also returns the rewritten line of an impossible position.
    """
    try:
        state = vr.parse_position_line(text)
        return ("impossible" if vr.problems_of(state) else "read"), vr.position_line(state)
    except vr.PositionLineError as error:
        return "refused", str(error)


def documents(pick: Pick) -> Iterator[str]:
    """Yield damaged documents endlessly; each pair of ``kind`` and ``type`` is equally likely.

    In seven of eight documents, only the entry ``value`` is damaged.
    """
    kinds = defaultdict(list)
    for text in corpus():
        document = json.loads(text)
        kinds[document["kind"], document["value"].get("type")].append(document)
    every = [*kinds.values()]
    while True:
        of_kind = every[pick(len(every))]
        document = of_kind[pick(len(of_kind))]
        if pick(8) == 0:
            yield damaged(document, pick)
        else:
            kind, value = json.dumps(document["kind"]), damaged(document["value"], pick)
            yield f'{{"valletta_rules":2,"kind":{kind},"value":{value}}}'


def lines(pick: Pick) -> Iterator[str]:
    """Yield damaged position lines endlessly; a few characters or words in each are changed."""
    sound = [each for text in corpus() if isinstance(each := vr.from_json(text), vr.GameState)]
    while True:
        text = vr.position_line(sound[pick(len(sound))])
        words = text.split(" ")
        for _ in range(pick(3)):
            at = pick(len(words))
            key, equals, value = words[at].partition("=")
            parts = value.split(",")
            others = (
                value.upper(),
                ",".join(parts[::-1]),
                ",".join([*parts, parts[pick(len(parts))]]),
                f"0{value}",
                f"{value}+",
                words[pick(len(words))],
            )
            words[at] = f"{key}{equals}{others[pick(len(others))]}"
        text = " ".join(words)
        for _ in range(pick(3)):
            at = pick(len(text) + 1)
            text = text[:at] + LINE_MARKS[pick(len(LINE_MARKS))] * pick(3) + text[at + pick(2) :]
        yield text


def main(count: int, seed: int) -> None:
    """Print `count` damaged documents and `count` damaged position lines with their verdicts."""
    pick = random.Random(seed).randrange
    for kind, texts, verdict in (("document", documents, read), ("line", lines, read_line)):
        for _, text in zip(range(count), texts(pick), strict=False):
            print(json.dumps([kind, text, *verdict(text)]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
