"""The gates of the package: types and lint."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "mypy"],
        ["-m", "ruff", "check", "."],
        ["-m", "ruff", "format", "--check", "."],
        ["reference.py"],
    ],
    ids=" ".join,
)
def test_the_package_is_clean(command):
    """And docs/python-reference.md is what its docstrings say."""
    run = subprocess.run(
        [sys.executable, *command],
        cwd=REPOSITORY / "python-examples",
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert run.returncode == 0, run.stdout + run.stderr
