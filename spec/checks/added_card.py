"""Apply the steps of the tutorial *Add a card* to a copy of this checkout.

Usage: python -m spec.checks.added_card [--lay FOLDER | --take FOLDER | --accept]

Each step is a patch in `docs/tutorial/card/`, and the page of the tutorial shows the patch.
Without an option, the steps are applied in order, and the copy is checked: the traceability check
must print the output that the page quotes, the type checker must find no errors, and a few tests
must pass at the end.

If a step no longer applies because sources have changed, run ``--lay``: it writes a copy to FOLDER,
with a commit for each step that still applies.  In that copy, redo and commit the remaining steps,
each with the name of its patch as the subject.  Then ``--take`` writes the patches from these
commits.  ``--accept`` updates the quotations of the page.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from spec.checks.established import ROOT
from spec.checks.mutants.engine import EXAMPLES

PATCHES: Final = ROOT / "docs/tutorial/card"
"""The folder of the patches and of the quoted outputs.  File names begin with the number of the
step."""

FIRST_QUOTED: Final = 5
"""The step after which the page first quotes the output of the traceability check."""

GENERATED: Final = ("spec.checks accept clauses generated goldens", "tests.words.situations")
"""The arguments of ``python -m`` for the commands that regenerate files in the copy."""

HELP: Final = "see python -m spec.checks.added_card --help"

TESTS: Final = (
    *("tests/specification", "tests/goldens", "tests/svg/test_drawings.py", "tests/words"),
    *(EXAMPLES, "tests/test_contract.py"),
    "--deselect=tests/words/test_languages.py::test_prompts_actions_and_events_are_described_in_sentences",
)
"""The arguments of pytest for the tests that must pass in the copy.  A test that depends on
particular games is left out."""


class Copy:
    """A copy of this checkout to which the steps are applied."""

    def __init__(self, folder: Path) -> None:
        """Copy the tracked and untracked files of this checkout to a folder, and commit them."""
        self.folder = folder
        listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        names = [each for each in listed.split("\0") if (ROOT / each).is_file()]
        subprocess.run(
            ("cp", "--parents", "--target-directory", folder, *names), cwd=ROOT, check=True
        )
        git(folder, "init", "--quiet")
        self.commit("base")

    def commit(self, message: str) -> None:
        """Commit all changes in the copy."""
        git(self.folder, "add", "--all")
        name = ("-c", "user.name=step", "-c", "user.email=step@invalid")
        git(self.folder, *name, "commit", "--quiet", "--no-verify", "--message", message)

    def do(self, step: Path) -> None:
        """Apply and commit the patch of a step; raise `SystemExit` if it does not apply."""
        try:
            git(self.folder, "apply", str(step))
        except subprocess.CalledProcessError as error:
            raise SystemExit(
                f"step {step.stem} of the tutorial Add a card no longer applies:\n"
                f"{error.stderr}{HELP}"
            ) from None
        self.commit(step.stem)

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy, without a native backend, and capture its output."""
        paths = os.pathsep.join(map(str, (self.folder / "src", self.folder)))
        environment = os.environ | {"PYTHONPATH": paths, "VALLETTA_NATIVE": "0"}
        command = [sys.executable, *words]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, encoding="utf-8"
        )


def git(folder: Path, *words: str) -> str:
    """Run git in a folder; return its output."""
    done = subprocess.run(
        ("git", *words), cwd=folder, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def steps() -> list[Path]:
    """Return the patches of all steps, in order."""
    return sorted(PATCHES.glob("*.patch"))


def compare(copy: Copy, name: str, accept: bool, *words: str) -> None:
    """Compare the output of a check with the output quoted on the page, ignoring line numbers."""
    matches = re.findall(r"(?m)^(\S+:)\d+:(.*\n)", copy.python(*words).stdout)
    now = "".join(map("".join, matches))
    if accept:
        (PATCHES / name).write_text(now, encoding="utf-8")
    elif now != (quoted := (PATCHES / name).read_text("utf-8")):
        where = f"docs/tutorial/card/{name}"
        raise SystemExit(f"{where} quotes\n{quoted}\nbut the check now prints\n{now}\n{HELP}")
    print(f"{' '.join(words)}: {len(matches)} places, as quoted in {name}")


def check(accept: bool) -> None:
    """Apply all steps and check the copy; `accept` writes the outputs instead of comparing them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for step in steps():
            copy.do(step)
            if step.name.startswith(f"{FIRST_QUOTED}-"):
                compare(copy, "lacks.txt", accept, "spec/traceability.py")
        for words in GENERATED:
            succeed(copy, "-m", *words.split())
        compare(copy, "left.txt", accept, "spec/traceability.py")
        succeed(copy, "-m", "mypy")
        succeed(copy, "-m", "ruff", "check")
        succeed(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)


def succeed(copy: Copy, *words: str) -> None:
    """Run Python in the copy; raise `SystemExit` with the output if it fails."""
    done = copy.python(*words)
    print(f"{' '.join(words[:4])}: {' '.join(done.stdout.splitlines()[-1:])}")
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}")


def take(folder: Path) -> None:
    """Write the commits in a folder that ``--lay`` created as the patches of the tutorial."""
    commits = git(folder, "log", "--reverse", "--format=%h %s").splitlines()[1:]
    for commit in commits:
        name, _, step = commit.partition(" ")
        patch = git(folder, "show", "--format=", "-U2", name)
        patch = re.sub(r"(?m)^(diff|index|new file) .*\n", "", patch)
        (PATCHES / f"{step}.patch").write_text(patch, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with the given arguments."""
    about = str(__doc__).split("\n\n")
    parser = argparse.ArgumentParser(description=about[0], epilog=about[2])
    parser.add_argument("--lay", type=Path, metavar="FOLDER", help="an empty folder")
    parser.add_argument("--accept", action="store_true", help="write the quotations")
    parser.add_argument("--take", type=Path, metavar="FOLDER", help="a folder written by --lay")
    chosen = parser.parse_args(arguments)
    if chosen.take:
        take(chosen.take)
    elif chosen.lay:
        copy = Copy(chosen.lay)
        for step in steps():
            copy.do(step)
    else:
        check(chosen.accept)


if __name__ == "__main__":
    main()
