"""A program to be frozen by PyInstaller: bots play a game, and a clause is explained."""

import random
import sys

import valletta_rules as vr
from valletta_rules.bots import make_bot
from valletta_rules.cli.main import main as valletta


def main() -> None:
    """Play a game, and use the data and modules that PyInstaller could fail to include."""
    session, bot = vr.Session(2, seed=7), make_bot("planner", random.Random(7))
    while (prompt := session.prompt) is not None:
        session.play(bot.decide(vr.view(session.state, prompt.seat)))
    result = vr.outcome(session.state)
    assert result is not None
    print(result, vr.explain(result.clause, "de"), sep="\n")
    assert vr.from_json(vr.to_json(session.state)) == session.state
    assert "<svg" in vr.svg.draw(session.state).svg
    print("native backend:", vr.native.why_not or "available")
    vr.write_record(session.record, "game.txt")
    sys.exit(valletta(["trace", "game.txt", "--until", "40"]))


if __name__ == "__main__":
    main()
