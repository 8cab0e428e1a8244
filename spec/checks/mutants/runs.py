"""Run tests against mutants, each in a forked process, and return the verdicts."""

import gc
import json
import os
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from spec.checks.mutants.table import FailedError, Mutant, MutantResult, MutationError

KILLED, SURVIVED, TIMED_OUT, INVALID, EQUIVALENT = (
    *("killed", "survived", "timed out", "invalid", "equivalent"),
)
"""The verdicts on a mutant.  An invalid mutant breaks the program instead of misreading a rule.
"""

AT_ONCE: Final = 2
"""The number of forked processes that run in parallel."""

RUN_TIMEOUT: Final = 120
"""The default timeout of a run, in seconds of CPU time."""

IDLE: Final = 60
"""The time in seconds within which a run must use a second of CPU time; otherwise it is killed."""

SendResult = Callable[[MutantResult], None]

Run = Callable[[SendResult], None]
"""A function that runs in a fork and reports its result; only its last report is used."""


def result(how: str | None) -> MutantResult:
    """Return the result of a mutant: killed if a reason `how` is given, otherwise survived."""
    return {"verdict": KILLED, "how": how} if how else {"verdict": SURVIVED}


def in_forks(
    runs: Iterable[tuple[str, Run]], patience: int = RUN_TIMEOUT
) -> Iterator[tuple[str, MutantResult, float]]:
    """Execute runs in parallel forks; yield the name, the result and the CPU time of each run.

    `patience` is the timeout for each run, in seconds of CPU time.
    """
    waiting, going = enumerate(runs), dict[int, tuple[str, Path]]()
    gc.freeze()
    with TemporaryDirectory() as folder, compiling_once():
        while True:
            for number, (name, run) in islice(waiting, AT_ONCE - len(going)):
                path = Path(folder, f"{number}.json")
                going[forked(run, path, patience)] = name, path
            if not going:
                return
            process, status, used = os.wait4(-1, 0)
            name, path = going.pop(process)
            result = json.loads(path.read_text("utf-8")) if path.exists() else {"verdict": INVALID}
            if os.waitstatus_to_exitcode(status) and result["verdict"] != KILLED:
                result = {"verdict": TIMED_OUT}
            yield name, result, used.ru_utime + used.ru_stime


@contextmanager
def compiling_once() -> Iterator[None]:
    """Let forks share a cache of compiled modules in a temporary folder, within a `with` block."""
    before = sys.pycache_prefix, sys.dont_write_bytecode
    with TemporaryDirectory() as folder:
        sys.pycache_prefix, sys.dont_write_bytecode = folder, False
        try:
            yield
        finally:
            sys.pycache_prefix, sys.dont_write_bytecode = before


def forked(run: Run, path: Path, patience: int) -> int:
    """Start a run in a fork that writes the result to the file `path`; return the process id."""
    if process := os.fork():
        return process

    def send(report: MutantResult) -> None:
        path.write_text(json.dumps(report), "utf-8")

    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        end_if_idle()
        resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 1))
        run(send)
    except MutationError as error:
        send({"verdict": INVALID, "why": str(error)})
    except Exception as error:
        send({"verdict": INVALID, "why": repr(error)})
    finally:
        os._exit(0)


def end_if_idle() -> None:
    """Make this process kill itself if it and its descendants use almost no CPU time.

    Unlike a timeout, this limit does not depend on the load of the machine.
    """
    before = -1.0

    def handle_alarm(*_: object) -> None:
        nonlocal before
        if (now := spent_by(os.getpid())) - before < 1:
            os.kill(os.getpid(), signal.SIGKILL)
        before = now

    signal.signal(signal.SIGALRM, handle_alarm)
    signal.setitimer(signal.ITIMER_REAL, IDLE, IDLE)


def spent_by(root: int) -> float:
    """Return the CPU time of a process and its descendants, in seconds."""
    ticks, started = dict[int, int](), defaultdict[int, list[int]](list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended in the meantime
            fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()
            started[int(fields[1])].append(int(path.parent.name))
            ticks[int(path.parent.name)] = sum(map(int, fields[11:15]))
    among = [root]
    for process in among:
        among += started[process]
    return sum(ticks.get(each, 0) for each in among) / os.sysconf("SC_CLK_TCK")


def results_of(
    where: str,
    mutants: Sequence[Mutant],
    plain: Run,
    runs: Mapping[str, Run],
    print_line: Callable[[str], None],
) -> dict[str, MutantResult]:
    """Execute `plain`, the run on the unmutated sources, and `runs`; return the results of `runs`.

    Raises `FailedError` if tests fail on the unmutated sources.
    """
    equivalent = {each.name for each in mutants if each.equivalent}
    results = dict.fromkeys(runs, MutantResult())
    for name, each, seconds in in_forks([("", plain), *runs.items()]):
        if not name and each["verdict"] != SURVIVED:
            raise FailedError(f"the run on the unmutated sources fails: {each}")
        if name in equivalent:
            is_so = each["verdict"] == SURVIVED
            each |= {"verdict": EQUIVALENT} if is_so else {"verdict": INVALID, "why": "detected"}
        how = f": {reason}" if (reason := each.get("how") or each.get("why")) else ""
        tests = f", {each['tests']} tests" if "tests" in each else ""
        label = f"{each['verdict']:10} {name}" if name else "unmutated"
        print_line(f"{label} ({where}){how}{tests}, {seconds:.1f} s of CPU time")
        results[name] = each
    del results[""]
    return results
