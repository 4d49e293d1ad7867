"""Runs the Python snippets of a Markdown page, as a reader would paste them; for test_pages.py.

Run as ``page_runner.py PAGE``. Each snippet has names of its own and finds no Spark that runs, so
that it needs no other one. What it prints must be the text block that follows it, if one does
(``…`` stands for anything).
"""

import contextlib
import doctest
import io
import re
import sys
import traceback
from pathlib import Path

from pyspark import SparkContext

# What is before a snippet that does not run here: why.
NOT_RUN = re.compile(r"<!-- not run: (.*?) -->\s*$")
FENCE = re.compile(r"^```python\n(.*?)^```\n(?:\n?^```text\n(.*?)^```\n)?", re.S | re.M)


def snippets(page):
    """Each snippet's line, text, expected output or None, and why it is not run, or None."""
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        before = NOT_RUN.search(text[: found.start()].rstrip("\n"))
        line = text.count("\n", 0, found.start()) + 2
        yield line, found[1], found[2], before and before[1]


def run(page, line, code, expected):
    """What is wrong with a snippet, or None."""
    printed = io.StringIO()
    # Lines of a traceback are those of the page.
    compiled = compile("\n" * (line - 1) + code, str(page), "exec")
    try:
        with contextlib.redirect_stdout(printed):
            exec(compiled, {"__name__": "__main__"})
    except Exception:
        return f"{page}:{line} fails:\n{traceback.format_exc()}"
    finally:
        if SparkContext._active_spark_context is not None:
            SparkContext._active_spark_context.stop()
    checker = doctest.OutputChecker()
    if expected is None:
        return None
    wanted = expected.replace("…", "...")
    if checker.check_output(wanted, printed.getvalue(), doctest.ELLIPSIS):
        return None
    return f"{page}:{line} prints:\n{printed.getvalue()}\nand the page says:\n{expected}"


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    page = Path(sys.argv[1])
    wrong = [
        run(page, line, code, expected)
        for line, code, expected, why_not in snippets(page)
        if why_not is None
    ]
    print("\n\n".join(message for message in wrong if message))
    sys.exit(any(wrong))
