"""The C functions on bit sets satisfy what the formal contracts assume about them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.sources import ROOT

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="the C compiler cc is not installed"
)


def checked(headers: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compile the checks in C with the headers in a folder, run them, and return the result."""
    program = folder / "sets"
    source = ROOT / "tests" / "native" / "sets.c"
    command = ("cc", "-std=c11", "-O2", f"-I{headers}", str(source), "-o", str(program))
    subprocess.run(command, check=True, capture_output=True)
    return subprocess.run([program], capture_output=True, text=True)


def test_c_functions_on_bit_sets_satisfy_the_assumptions_of_the_contracts(tmp_path: Path) -> None:
    """Functions of one set are checked with every set of sites and kinds.

    Functions of two sets are checked with every pair of bytes.
    """
    run = checked(ROOT / "src" / "native", tmp_path)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("return all >> each & 1;", "return (uint32_t)all >> (each & 31) & 1;"),
        ("return __builtin_ctz(all);", "return __builtin_ctz(all) & 15;"),
        ("other_sites(uint32_t all)\n{", "other_sites(uint32_t all)\n{ all ^= all >> 29 << 29;"),
        ("return all | UINT32_C(1) << site;", "return all ^ UINT32_C(1) << site;"),
        ("return one & other;", "return one & other & UINT32_C(0x7FFFFFFF);"),
        ("return all & ~some;", "return all ^ some;"),
        ("return (UINT32_C(1) << count) - 1;", "return (UINT32_C(2) << count) - 1;"),
        ("return __builtin_ctzll(all);", "return __builtin_ctz((uint32_t)all);"),
        ("other_kinds(Kinds all)\n{", "other_kinds(Kinds all)\n{ all = (uint32_t)all;"),
        ("word(bag->of + place)) << place", "word(bag->of + place)) << (place & 15)"),
        ("(word + low) & ~low;", "word & ~low;"),
        ("return all | more;", "return all + more;"),
    ],
)
def test_a_wrong_c_function_on_bit_sets_is_detected(tmp_path: Path, right: str, wrong: str) -> None:
    """The report contains the line number of the failed check."""
    headers = shutil.copytree(ROOT / "src" / "native", tmp_path / "native")
    texts = {path: path.read_text("utf-8") for path in headers.glob("*.[ch]")}
    (path,) = (path for path, text in texts.items() if right in text)
    assert texts[path].count(right) == 1
    path.write_text(texts[path].replace(right, wrong), encoding="utf-8")
    run = checked(headers, tmp_path)
    assert (run.returncode, run.stdout[:20]) == (1, "tests/native/sets.c:")
