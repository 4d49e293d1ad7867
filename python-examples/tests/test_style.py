"""The gates of the package: types and lint."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY


@pytest.mark.parametrize(
    "command", [["mypy"], ["ruff", "check", "."], ["ruff", "format", "--check", "."]], ids=" ".join
)
def test_the_package_is_clean(command):
    run = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=REPOSITORY / "python-examples",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
