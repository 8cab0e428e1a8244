"""Modules imported by name and data files, which PyInstaller does not detect.

Environments and the table in a browser need extras. A frozen program contains them only if it
imports them.
"""

from __future__ import annotations

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

WITH_EXTRAS = ("valletta_rules.environments", "valletta_rules.web", "valletta_rules._pyinstaller")

hiddenimports = collect_submodules(
    "valletta_rules", filter=lambda name: not name.startswith(WITH_EXTRAS)
)
datas = [
    *collect_data_files("valletta_rules"),
    *collect_data_files("valletta_rules", include_py_files=True, subdir="_spec/statements"),
]
