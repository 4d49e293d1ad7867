"""Runs the notebooks top to bottom, as a reader would.

    python run_notebooks.py            runs them all; status 1 if one fails
    python run_notebooks.py --write    keeps what they show, without times and numbers of runs

What Spark's JVM writes to standard error before a session can tell it not to is left out.
"""

import argparse
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).parent / "notebooks"
# For one cell. The bar of two minutes for a notebook is that of the tests, on a quiet machine.
SECONDS = 300


def run(path: Path) -> nbformat.NotebookNode:
    """Run a notebook and return it with its outputs; raises CellExecutionError."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    return clean(notebook)


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take out what differs from run to run or from machine to machine and tells nothing."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
            for out in cell.outputs:
                out.pop("metadata", None) if out.output_type == "stream" else None
                if "execution_count" in out:
                    out.execution_count = None
    return notebook


def main() -> int:
    """Run all notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="keep the outputs")
    parser.add_argument("names", nargs="*", help="parts of names; default all")
    arguments = parser.parse_args()
    failed = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        if arguments.names and not any(name in path.name for name in arguments.names):
            continue
        start = time.monotonic()
        try:
            notebook = run(path)
        except CellExecutionError as e:
            failed += 1
            print(f"{path.name}: failed\n{e}", file=sys.stderr)
            continue
        print(f"{path.name}: {time.monotonic() - start:.0f} s")
        if arguments.write:
            nbformat.write(notebook, path)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
