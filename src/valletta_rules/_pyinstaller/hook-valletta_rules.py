"""Data files and dynamically imported modules, which PyInstaller does not detect.

The modules for environments and for playing in a browser have optional dependencies. A frozen
program contains these modules only if it imports them.
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
